# SPDX-License-Identifier: MIT
"""What a rule is, and the ways all of them walk the tree."""
import dataclasses
import re
import typing

FLOORS = "base math place geom terrain dat asset world membership population transition body locomotion".split()
CODE_FOLDERS = ("src", "include", "support", "tools", "tests", "bench", "demo", "bindings")
SKIPPED_FOLDERS = {"build", "extern", ".git", "out", "__pycache__"}


class NothingToCheck(Exception):
    """The tool or the build a rule needs is not there."""


@dataclasses.dataclass
class Rule:
    name: str
    check: typing.Callable  # (tree, build) -> list of faults
    clean: dict  # files of a tree without fault
    faults: list  # [(files that bring a fault in, words the message must have)]
    advice: str = ""
    prepare: typing.Optional[typing.Callable] = None  # makes what the rule expects in the build folder


def files(tree, folders, *suffixes):
    """The files below the folders with these suffixes, sorted."""
    for folder in folders:
        start = tree / folder
        if start.is_file():
            yield start
        for path in sorted(start.rglob("*")) if start.is_dir() else []:
            inner = path.relative_to(tree).parts
            if path.is_file() and path.suffix in suffixes and not SKIPPED_FOLDERS.intersection(inner):
                yield path


def c_files(tree, folders=CODE_FOLDERS):
    return files(tree, folders, ".c", ".h")


def text_of(path):
    return path.read_text(encoding="utf-8", errors="replace")


def name_of(tree, path):
    return path.relative_to(tree).as_posix()


def without_comments(text):
    """The code with comments and string contents blanked, lines kept."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)

    def blank(match):
        piece = match.group(0)
        if piece[0] in "\"'":
            return piece[0] + " " * (len(piece) - 2) + piece[-1]
        return re.sub(r"[^\n]", " ", piece)

    return pattern.sub(blank, text)
