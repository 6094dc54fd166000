#include "CPage.h"

// The only part of C23 that is used. Clang has it in every language mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

// `#embed` copies the files into the object file. A literal in Swift would take seconds to compile.
static const unsigned char html[] = {
#embed "page/page.html"
};

static const unsigned char style[] = {
#embed "page/page.css"
};

static const unsigned char script[] = {
#embed "page/page.js"
};

struct page_file page_html(void) { return (struct page_file){html, sizeof html}; }
struct page_file page_style(void) { return (struct page_file){style, sizeof style}; }
struct page_file page_script(void) { return (struct page_file){script, sizeof script}; }
