"""Installs the benchmark's requirements besides Swift: Debian packages, PyPI modules, and its own programs."""

import os
import shutil
import sys
from pathlib import Path

from children import CommandFailed, call, output, say

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SWIFT = os.environ.get("SWIFT", "swift")

# Debian packages by the command that they provide.
COMMANDS = {"g++": "g++", "pigz": "pigz", "jq": "jq", "mlr": "miller", "igzip": "isal",
            "libdeflate-gunzip": "libdeflate-tools"}
# Debian packages by the header that they provide.
HEADERS = {"simdjson.h": "libsimdjson-dev", "libdeflate.h": "libdeflate-dev", "isa-l/igzip_lib.h": "libisal-dev",
           "zlib.h": "zlib1g-dev"}
# Display names by module name on PyPI.
MODULES = {"duckdb": "DuckDB", "chdb": "chDB", "polars": "Polars"}


def install_commands():
    """Installs missing packages as root on Debian; otherwise exits and names the command to run."""
    missing = [package for command, package in COMMANDS.items() if not shutil.which(command)]
    missing += [package for header, package in HEADERS.items() if not has_header(header)]
    if not has_venv():
        missing.append("python3-venv")
    if not missing:
        return
    names = " ".join(missing)
    if not shutil.which("apt-get"):
        sys.exit(f"missing requirements: install the equivalents of the Debian packages {names}")
    if os.geteuid() != 0:
        sys.exit(f"missing requirements: run sudo apt-get update && sudo apt-get install {names}")
    say(f"installing {names}")
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    call(["apt-get", "update", "-qq"], environment=quiet)
    call(["apt-get", "install", "-y", "-qq", *missing], environment=quiet)


def has_header(name):
    try:
        call(["g++", "-E", "-x", "c++", "-include", name, "/dev/null"])
        return True
    except CommandFailed:
        return False


def has_venv():
    try:
        # Debian's module lacks its dependencies without python3-venv.
        call([sys.executable, "-c", "import venv, ensurepip"])
        return True
    except CommandFailed:
        return False


def install_modules(folder):
    """Creates an environment in `folder` and returns its interpreter. A peer fails if its module can't be installed."""
    python = folder / "bin" / "python"
    if not python.exists():
        call([sys.executable, "-m", "venv", folder])
    for module, name in MODULES.items():
        try:
            if not version(python, module):
                say(f"installing {name}")
                call([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", module])
        except CommandFailed as error:
            say(f"{name} is not installed: {error}")
    return python


def version(python, module):
    """Returns the version of a module, or an empty string if it is not installed."""
    code = f"import importlib.metadata as m\ntry: print(m.version('{module}'))\nexcept m.PackageNotFoundError: pass"
    return output([python, "-c", code])


def build_sheaf():
    """Builds the command as `make install` does, and returns its path."""
    say("building sheaf")
    build = [ROOT / ".ci" / "release", "--scratch-path", ".build/static"]
    if sys.platform == "linux":
        build.append("--static-swift-stdlib")
    call([ROOT / ".ci" / "prerequisites"])
    call(build, folder=ROOT)
    return Path(output([*build, "--show-bin-path"], folder=ROOT)) / "sheaf"


def build_decoders(folder):
    """Builds the two programs that only decode: Sheaf's and simdjson's."""
    say("building the decoders")
    simdjson = folder / "decode-simdjson"
    call(["g++", "-std=c++17", "-O3", "-march=native", "-o", simdjson, HERE / "decode-simdjson.cpp", "-lsimdjson"])
    build = [SWIFT, "build", "-c", "release", "--package-path", ROOT / "Benchmarks", "--product", "DecodeThroughput"]
    call(build)
    return Path(output([*build, "--show-bin-path"])) / "DecodeThroughput", simdjson


def build_inflaters(folder):
    """Builds the programs that only inflate. Returns Sheaf's, and the one with the libraries."""
    say("building the inflaters")
    libraries = folder / "inflate-libraries"
    source = ["-x", "c", HERE / "inflate-libraries.c"]
    call(["g++", "-O2", "-o", libraries, *source, "-lz", "-ldeflate", "-lisal"])
    build = [SWIFT, "build", "-c", "release", "--package-path", ROOT / "Benchmarks", "--product", "InflateThroughput"]
    call(build)
    return Path(output([*build, "--show-bin-path"])) / "InflateThroughput", libraries


def has_option(sheaf, name):
    return name in output([sheaf, "replay", "--help"]).split()


def build_measure(folder):
    program = folder / "measure"
    call(["g++", "-x", "c", "-O2", "-o", program, HERE / "measure.c"])
    return program


def versions(python):
    """Returns every tool with its version, for the heading of the table."""
    found = ["Sheaf " + first_line(["git", "describe", "--always", "--dirty"]), first_line([SWIFT, "--version"])]
    found += [f"{name} {version(python, module) or '(not installed)'}" for module, name in MODULES.items()]
    # pigz and Miller print their names with their versions.
    found += [first_line(["sh", "-c", "pigz --version 2>&1"]), first_line(["jq", "--version"]).replace("-", " ")]
    found += [first_line(["mlr", "--version"]).replace("mlr", "Miller")]
    found += [f"simdjson {macro('simdjson.h', 'SIMDJSON_VERSION')}"]
    found += [first_line(["sh", "-c", "gzip --version"]), first_line(["igzip", "--version"])]
    found += [f"libdeflate {macro('libdeflate.h', 'LIBDEFLATE_VERSION_STRING')}"]
    found += [f"zlib {macro('zlib.h', 'ZLIB_VERSION')}"]
    return ", ".join(found)


def first_line(arguments):
    """Returns the first line that a command prints. A failure, as of `git` outside a repository, is not an error."""
    try:
        return next(iter(output(arguments, folder=ROOT).splitlines()), "")
    except CommandFailed:
        return "(unknown)"


def macro(header, name):
    """Returns the text that a macro of a C header stands for."""
    macros = output(["g++", "-E", "-dM", "-x", "c++", "-include", header, "/dev/null"])
    return "".join(line.split()[-1].strip('"') for line in macros.splitlines() if f" {name} " in line)
