// The files of the web page that reports are made of, as they are in the folder `page`.
#ifndef CPAGE_H
#define CPAGE_H

#include <stddef.h>

struct page_file {
    const unsigned char *bytes;
    size_t count;
};

struct page_file page_html(void);
struct page_file page_style(void);
struct page_file page_script(void);

#endif
