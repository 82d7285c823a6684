"""The native part of the rules, built with sanitisers for addresses and undefined behaviour, on random and damaged tables."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from innominate.detect.rules.native import native

HERE = Path(__file__).parent
FLAGS = [
    "-g",
    "-O1",
    "-shared",
    "-fPIC",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-fno-omit-frame-pointer",
]
COMPILER = shutil.which("gcc")
RUN = """
import importlib.util, sys
name = "innominate.detect.rules.native._native"
spec = importlib.util.spec_from_file_location(name, sys.argv[1])
sys.modules[name] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sys.modules[name])
import pytest
from innominate.detect.rules.native import native
assert native.__file__ == sys.argv[1]
sys.exit(pytest.main(sys.argv[2:]))
"""


def is_sanitised():
    """Whether there is a compiler with sanitisers, and time."""
    return COMPILER and os.environ.get("INNOMINATE_SLOW") and library("libasan.so").is_absolute()


def library(name):
    return Path(
        subprocess.run([COMPILER, f"-print-file-name={name}"], capture_output=True, text=True, check=True).stdout.strip()
    )


@pytest.mark.skipif(not is_sanitised(), reason="slow, and needs gcc with its sanitisers")
def test_no_memory_is_read_or_written_that_is_not_ours(tmp_path):
    built = tmp_path / f"_native{sysconfig.get_config_var('EXT_SUFFIX')}"
    sources = sorted(Path(native.__file__).parent.glob("*.c"))
    headers = f"-I{sysconfig.get_paths()['include']}"
    subprocess.run([COMPILER, *FLAGS, headers, *map(str, sources), "-o", str(built)], check=True)
    environment = {
        **os.environ,
        "LD_PRELOAD": str(library("libasan.so")),
        "ASAN_OPTIONS": "detect_leaks=0",  # Python keeps some of its memory to the end
        "PYTHONMALLOC": "malloc",  # so that what Python gives out is watched too
    }
    wanted = [str(HERE / "native_fuzz.py"), str(HERE / "test_native.py"), "-k", "not memory and not sources and not missing"]
    command = [sys.executable, "-c", RUN, str(built), *wanted, "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=HERE.parent.parent)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-6000:]
