"""What the benchmark needs besides Swift: peers from Debian and from PyPI, and its own small programs."""

import os
import shutil
import sys
from pathlib import Path

from children import CommandFailed, call, output, say

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SWIFT = os.environ.get("SWIFT", "swift")

# Packages by the command that they bring.
COMMANDS = {"g++": "g++", "pigz": "pigz", "jq": "jq", "mlr": "miller"}
# Modules by the name that PyPI has them under.
MODULES = {"duckdb": "DuckDB", "chdb": "chDB", "polars": "Polars"}


def install_commands():
    """Installs what is missing as root on Debian; otherwise says what to type."""
    missing = [package for command, package in COMMANDS.items() if not shutil.which(command)]
    if not has_simdjson():
        missing.append("libsimdjson-dev")
    if not has_venv():
        missing.append("python3-venv")
    if not missing:
        return
    names = " ".join(missing)
    if not shutil.which("apt-get"):
        sys.exit(f"These are needed, by the names of Debian's packages: {names}")
    if os.geteuid() != 0:
        sys.exit(f"Missing. Type: sudo apt-get update && sudo apt-get install {names}")
    say(f"installing {names}")
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    call(["apt-get", "update", "-qq"], environment=quiet)
    call(["apt-get", "install", "-y", "-qq", *missing], environment=quiet)


def has_simdjson():
    try:
        call(["g++", "-E", "-x", "c++", "-include", "simdjson.h", "/dev/null"])
        return True
    except CommandFailed:
        return False


def has_venv():
    try:
        # Debian has the module without what it needs.
        call([sys.executable, "-c", "import venv, ensurepip"])
        return True
    except CommandFailed:
        return False


def install_modules(folder):
    """Makes an environment in `folder`. Returns its interpreter; a module that can't be had is its peer's failure."""
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
    """The version of an installed module; none when it is not there."""
    code = f"import importlib.metadata as m\ntry: print(m.version('{module}'))\nexcept m.PackageNotFoundError: pass"
    return output([python, "-c", code])


def build_sheaf():
    """Builds for release. Returns the command."""
    say("building sheaf")
    build = [SWIFT, "build", "-c", "release", "--product", "sheaf"]
    call([ROOT / ".ci" / "prerequisites"])
    call(build, folder=ROOT)
    return Path(output([*build, "--show-bin-path"], folder=ROOT)) / "sheaf"


def build_decoders(folder):
    """The two programs that only decode: Sheaf's and simdjson's."""
    say("building the decoders")
    simdjson = folder / "decode-simdjson"
    call(["g++", "-std=c++17", "-O3", "-march=native", "-o", simdjson, HERE / "decode-simdjson.cpp", "-lsimdjson"])
    build = [SWIFT, "build", "-c", "release", "--package-path", ROOT / "Benchmarks", "--product", "DecodeThroughput"]
    call(build)
    return Path(output([*build, "--show-bin-path"])) / "DecodeThroughput", simdjson


def build_measure(folder):
    program = folder / "measure"
    call(["g++", "-x", "c", "-O2", "-o", program, HERE / "measure.c"])
    return program


def versions(python):
    """Every tool with its version, for the reader of the table."""
    found = ["Sheaf " + first_line(["git", "describe", "--always", "--dirty"]), first_line([SWIFT, "--version"])]
    found += [f"{name} {version(python, module) or '(not installed)'}" for module, name in MODULES.items()]
    # pigz and Miller write theirs with their names.
    found += [first_line(["sh", "-c", "pigz --version 2>&1"]), first_line(["jq", "--version"]).replace("-", " ")]
    found += [first_line(["mlr", "--version"]).replace("mlr", "Miller"), f"simdjson {simdjson_version()}"]
    return ", ".join(found)


def first_line(arguments):
    """What a command says of itself. A tool without a version, as outside of a repository, is no reason to stop."""
    try:
        return next(iter(output(arguments, folder=ROOT).splitlines()), "")
    except CommandFailed:
        return "(unknown)"


def simdjson_version():
    macros = output(["g++", "-E", "-dM", "-x", "c++", "-include", "simdjson.h", "/dev/null"])
    return "".join(line.split()[-1].strip('"') for line in macros.splitlines() if " SIMDJSON_VERSION " in line)
