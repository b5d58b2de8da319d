# SPDX-License-Identifier: MIT
"""Runs the rules of the house, or their self-tests. See scripts/house for usage."""
import pathlib
import tempfile

import rules_built
import rules_text
from rule import NothingToCheck

ROOT = pathlib.Path(__file__).resolve().parents[2]
RULES = {rule.name: rule for rule in rules_text.RULES + rules_built.RULES}


def write_tree(base, files):
    for name, text in files.items():
        path = base / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def self_test(rule):
    """The clean tree must pass; each tree with a fault must fail, naming what it should."""
    problems = []
    for bad, expected in [({}, [])] + rule.faults:
        with tempfile.TemporaryDirectory() as scratch:
            base = pathlib.Path(scratch)
            write_tree(base, {**rule.clean, **bad})
            build = base / "build"
            build.mkdir(exist_ok=True)
            if rule.prepare:
                rule.prepare(base, build)
            found = rule.check(base, build)
        text = "\n".join(found)
        if not bad and found:
            problems.append(f"{rule.name}: the clean tree is refused: {text}")
        elif bad and not found:
            problems.append(f"{rule.name}: does not notice {sorted(bad)}")
        else:
            problems += [f"{rule.name}: the message does not say '{word}': {text}" for word in expected if word not in text]
    return problems


def main(arguments, usage):
    build, testing, names = ROOT / "build" / "release", False, []
    words = iter(arguments)
    for word in words:
        if word in ("-h", "--help"):
            print(usage.strip())
            return 0
        if word == "--build":
            build = pathlib.Path(next(words, "."))
        elif word == "--self-test":
            testing = True
        elif word == "--list":
            print("\n".join(RULES))
            return 0
        elif word == "--update-symbols":
            return rules_built.update_symbols(ROOT, build)
        elif word in RULES:
            names.append(word)
        else:
            print(f"house: no rule or option '{word}'; the rules: {' '.join(RULES)}")
            return 2
    faults, idle = [], 0
    for name in names or RULES:
        try:
            found = self_test(RULES[name]) if testing else RULES[name].check(ROOT, build)
        except NothingToCheck as reason:
            print(f"{name}: skipped: {reason}")
            idle += 1
            continue
        faults += found
        for fault in found[:60]:
            print(fault)
        if len(found) > 60:
            print(f"... and {len(found) - 60} more")
        print(f"{name}: {'ok' if not found else str(len(found)) + ' faults. ' + RULES[name].advice}")
    return 1 if faults else 77 if idle else 0
