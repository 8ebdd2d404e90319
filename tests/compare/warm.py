"""Runs commands of one environment, each in a process forked from this one.

A script for the environment's own Python: it has loaded what the commands use of the standard
library and of others, and nothing of the package, so a child only saves the start of Python.
Reads one JSON object a line on standard input (`script`, `args`, `cwd`, `env`, `out`, `err`) and
answers each with the exit code.
"""

import argparse
import contextlib
import ctypes
import fnmatch
import importlib.metadata
import json
import os
import runpy
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import traceback
import unicodedata
from typing import Any, NoReturn, TextIO

import frontmatter
import yaml

LOADED: tuple[object, ...] = (
    argparse,
    contextlib,
    ctypes,
    fnmatch,
    importlib,
    shlex,
    shutil,
    subprocess,
    threading,
)
LOADED += (unicodedata, frontmatter, yaml)
# Seconds after which a child is taken for hanging.
LONGEST = 300


def _stream(descriptor: int, path: str, like: TextIO, buffering: int) -> TextIO:
    """A text stream on a standard descriptor, made as Python itself makes it."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(file, descriptor)
    os.close(file)
    return open(
        descriptor, "w", buffering, encoding=like.encoding, errors=like.errors, closefd=False
    )


def _run(script: str, args: list[str]) -> int:
    sys.argv = [script, *args]
    sys.path[0] = os.path.dirname(script)
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as stop:
        if stop.code is None or isinstance(stop.code, int):
            return (stop.code or 0) & 0xFF
        print(stop.code, file=sys.stderr)
        return 1
    except BaseException:  # noqa: BLE001
        traceback.print_exc()
        return 1
    return 0


def _child(job: dict[str, Any]) -> NoReturn:
    signal.alarm(LONGEST)
    os.chdir(job["cwd"])
    os.environ.clear()
    os.environ.update(job["env"])
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    out = _stream(1, job["out"], sys.stdout, -1)
    err = _stream(2, job["err"], sys.stderr, 1)
    sys.stdin = os.fdopen(0, closefd=False, encoding=sys.stdin.encoding, errors=sys.stdin.errors)
    sys.stdout = out
    sys.stderr = err
    code = _run(job["script"], job["args"])
    try:
        out.flush()
        err.flush()
    except OSError:
        code = 120
    os._exit(code)


def main() -> None:
    """Answer until standard input ends."""
    for line in sys.stdin:
        child = os.fork()
        if not child:
            _child(json.loads(line))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    main()
