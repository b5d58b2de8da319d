# SPDX-License-Identifier: MIT
"""The rules that read the sources as text."""
import concurrent.futures
import hashlib
import re
import shutil
import subprocess

from rule import FLOORS, NothingToCheck, Rule, c_files, files, name_of, text_of, without_comments

SPDX = "/* SPDX-License-Identifier: MIT */\n"
ESSAY = SPDX + "/* What.\n * Contract.\n * Limits.\n * Sources.\n * Cost. */\n"

# ---------------------------------------------------------------- floors
# The floor of a public header is the one it is named after; these are named otherwise. A header that is in neither list stands on the
# highest floor among the public headers it includes.
HEADER_FLOORS = {"export": "base", "result": "base", "allocator": "base", "progress": "base", "trace": "base", "thread": "base",
                 "cell_id": "place", "position": "place"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^">]+)[">]', re.M)


def header_floor(tree, header, seen=()):
    """Index of the floor a public header stands on; None for the umbrella."""
    stem = header.removesuffix(".h")
    if stem == "acphys":
        return None
    if stem in FLOORS:
        return FLOORS.index(stem)
    if stem in HEADER_FLOORS:
        return FLOORS.index(HEADER_FLOORS[stem])
    path = tree / "include" / "acphys" / header
    if header in seen or not path.is_file():
        return 0
    used = [header_floor(tree, i.removeprefix("acphys/"), (*seen, header)) for i in INCLUDE.findall(text_of(path)) if i.startswith("acphys/")]
    return max([floor for floor in used if floor is not None], default=0)


def check_floors(tree, build):
    faults = []
    for path in c_files(tree, ("src", "include/acphys")):
        parts = path.relative_to(tree).parts
        is_public = parts[0] == "include"
        if is_public:
            own, own_name = header_floor(tree, path.name), "public"
        else:
            own_name = parts[1]
            if own_name == "wire":
                own = FLOORS.index("place")
            elif own_name in FLOORS:
                own = FLOORS.index(own_name)
            else:
                faults.append(f"{name_of(tree, path)}:1: src/{own_name} is not a floor ({' '.join(FLOORS)} wire)")
                continue
        text = text_of(path)
        for match in INCLUDE.finditer(text):
            target, line = match.group(1), text.count("\n", 0, match.start()) + 1
            where = f"{name_of(tree, path)}:{line}"
            if re.search(r"jansson|json", target):
                faults.append(f"{where}: JSON never enters the library (D17): {target}")
            if target.startswith("acphys/"):
                if target == "acphys/wire.h":
                    if own_name not in ("wire", "public"):
                        faults.append(f"{where}: {target} is above the library's floors")
                    continue
                floor = header_floor(tree, target.removeprefix("acphys/"))
                if floor is None:
                    if path.name != "acphys.h":
                        faults.append(f"{where}: the umbrella {target} is for hosts only")
                    continue
            else:
                folder = target.split("/")[0]
                if folder == "wire" and own_name == "wire":
                    continue
                if folder not in FLOORS + ["wire"] or "/" not in target:
                    if target.startswith(("support/", "tools/", "tests/", "../")) or (tree / path.parent / target).is_file():
                        faults.append(f'{where}: include "{target}" by its floor, as "floor/file.h"')
                    continue
                if is_public:
                    faults.append(f"{where}: a public header includes the private {target}")
                    continue
                floor = FLOORS.index(folder) if folder in FLOORS else len(FLOORS)
            if own is not None and floor > own:
                up = FLOORS[floor] if floor < len(FLOORS) else "wire"
                faults.append(f"{where}: upward include: {name_of(tree, path)} (floor {FLOORS[own]}) includes {target} (floor {up})")
    return faults


floors = Rule(
    "floors", check_floors,
    {"src/base/a.h": "", "src/geom/b.c": '#include "base/a.h"\n#include "acphys/math.h"\n#include <zlib.h>\n', "include/acphys/math.h": "",
     "src/wire/w.c": '#include "place/p.h"\n#include "wire/w.h"\n', "include/acphys/acphys.h": '#include "acphys/body.h"\n',
     "include/acphys/body.h": '#include "acphys/math.h"\n'},
    [({"src/base/u.c": '#include "geom/b.h"\n'}, ["src/base/u.c", "geom/b.h", "upward"]),
     ({"src/math/u.c": '#include "acphys/body.h"\n'}, ["src/math/u.c", "acphys/body.h"]),
     ({"src/math/u.c": '#include "acphys/motion.h"\n', "include/acphys/motion.h": '#include "acphys/body.h"\n'}, ["acphys/motion.h", "body"]),
     ({"include/acphys/math.h": '#include "acphys/world.h"\n'}, ["include/acphys/math.h", "acphys/world.h"]),
     ({"include/acphys/math.h": '#include "math/number.h"\n'}, ["private"]),
     ({"src/body/u.c": '#include "acphys/acphys.h"\n'}, ["umbrella"]),
     ({"src/wire/w.c": '#include "world/w.h"\n'}, ["src/wire/w.c", "world/w.h"]),
     ({"src/body/u.c": '#include "wire/w.h"\n'}, ["wire/w.h"]),
     ({"src/dat/u.c": "#include <jansson.h>\n"}, ["JSON"]),
     ({"src/attic/u.c": "\n"}, ["not a floor"])])

# ---------------------------------------------------------------- DIV tags
ROW = re.compile(r"^\| *(~~)?(DIV-\d+)(?:~~)? *\|(.*)$", re.M)
TAG = re.compile(r"\bDIV-\d+\b")


def check_divergences(tree, build):
    register = tree / "DIVERGENCES.md"
    if not register.is_file():
        return ["DIVERGENCES.md:1: missing"]
    text, faults, rows, struck = text_of(register), [], {}, set()
    for match in ROW.finditer(text):
        line, tag = text.count("\n", 0, match.start()) + 1, match.group(2)
        if tag in rows or tag in struck:
            faults.append(f"DIVERGENCES.md:{line}: {tag} has two rows")
        if match.group(1):
            struck.add(tag)
            continue
        rows[tag] = line
        columns = [column.strip() for column in match.group(3).split("|")[:-1]]
        if len(columns) != 4 or not all(columns):
            faults.append(f"DIVERGENCES.md:{line}: {tag} needs four filled columns after its id")
    cited = {}
    for path in c_files(tree):
        for number, line in enumerate(text_of(path).splitlines(), 1):
            for tag in TAG.findall(line):
                cited.setdefault(tag, f"{name_of(tree, path)}:{number}")
    faults += [f"{where}: {tag} is not in DIVERGENCES.md" for tag, where in sorted(cited.items()) if tag not in rows]
    faults += [f"DIVERGENCES.md:{line}: {tag} is cited nowhere in the code" for tag, line in sorted(rows.items()) if tag not in cited]
    return faults


divergences = Rule(
    "divergences", check_divergences,
    {"DIVERGENCES.md": "| id | a | b | c | d |\n|---|---|---|---|---|\n| DIV-01 | a | b | c | d |\n| ~~DIV-03~~ | a | b | c | d |\n", "src/base/a.c": "/* DIV-01 */\n"},
    [({"src/base/b.c": "// DIV-02: other\n"}, ["DIV-02", "src/base/b.c:1"]), ({"src/base/a.c": "\n"}, ["DIV-01", "nowhere"]),
     ({"src/base/b.c": "// DIV-03\n"}, ["DIV-03"]),
     ({"DIVERGENCES.md": "| DIV-01 | a | b | c | d |\n| DIV-01 | a | b | c | d |\n"}, ["two rows"]), ({"DIVERGENCES.md": "| DIV-01 | a | | c | d |\n"}, ["columns"])])


# ---------------------------------------------------------------- SPDX
def check_spdx(tree, build):
    faults = []
    for path in c_files(tree):
        if not text_of(path).startswith("/* SPDX-License-Identifier: MIT */\n"):
            faults.append(f"{name_of(tree, path)}:1: the first line must be /* SPDX-License-Identifier: MIT */")
    others = list(files(tree, ("scripts", "cmake", "tests", "tools", "support", "bench", "demo", ".ci", "CMakeLists.txt"), ".py", ".cmake", ".sh", ".txt", ""))
    for path in others:
        if path.suffix == ".txt" and path.name != "CMakeLists.txt" or "corpus" in path.parts:
            continue
        if not any("SPDX-License-Identifier: MIT" in line for line in text_of(path).splitlines()[:3]):
            faults.append(f"{name_of(tree, path)}:1: SPDX-License-Identifier: MIT is missing in the first lines")
    return faults


spdx = Rule("spdx", check_spdx, {"src/base/a.c": SPDX, "scripts/x": "#!/bin/bash\n# SPDX-License-Identifier: MIT\n"},
            [({"src/base/b.h": "int a;\n"}, ["src/base/b.h"]), ({"src/base/b.h": "\n" + SPDX}, ["src/base/b.h"]),
             ({"scripts/y": "#!/bin/bash\n"}, ["scripts/y"]), ({"src/CMakeLists.txt": "", "tests/CMakeLists.txt": "project(x)\n"}, ["tests/CMakeLists.txt"])])

# ---------------------------------------------------------------- form of retail comments
RETAIL = re.compile(r"\bretail:(.*)", re.I)
RETAIL_FORM = re.compile(r" (?P<name>~?[A-Za-z_][\w:~]*(?:<\w+>)?(?:operator(?:\(\)|\[\]|[-+*/=<>!]+))?(?:[-+*/=]{1,2})?) 0x00[0-9A-F]{6}(?![0-9A-Fa-f])")


def check_retail(tree, build):
    faults = []
    for path in c_files(tree, ("src", "include")):
        for number, line in enumerate(text_of(path).splitlines(), 1):
            for match in RETAIL.finditer(line):
                if line[match.start():match.start() + 7] != "retail:" or not RETAIL_FORM.match(match.group(1)):
                    faults.append(f"{name_of(tree, path)}:{number}: write 'retail: Class::name 0x00ADDRES' on one line (8 capital hex digits): {line.strip()[:90]}")
    return faults


retail = Rule("retail-comments", check_retail,
              {"src/base/a.c": "/* retail: CEnvCell::find_transit_cells 0x0052CAE0, retail: Vector3::operator/= 0x00451AA0. */\n/* the retail client */\n// retail: calc_x 0x00510000\n"},
              [({"src/base/b.c": "/* retail: CEnvCell::find_transit_cells */\n"}, ["src/base/b.c:1"]), ({"src/base/b.c": "// retail: A::b 0x0052cae0\n"}, []),
               ({"src/base/b.c": "// Retail: A::b 0x0052CAE0\n"}, []), ({"src/base/b.c": "// retail: A::b 52CAE0\n"}, [])])


# ---------------------------------------------------------------- length, essays, leftovers
def check_length(tree, build):
    faults = []
    for path in list(c_files(tree)) + list(files(tree, ("scripts", "tests", "cmake"), "", ".py", ".cmake")):
        lines = len(text_of(path).splitlines())
        if lines > 900 and "corpus" not in path.parts:
            faults.append(f"{name_of(tree, path)}:901: {lines} lines; 900 is the limit: split by meaning")
    return faults


length = Rule("length", check_length, {"src/base/a.c": "\n" * 900}, [({"src/base/b.c": "\n" * 901}, ["src/base/b.c", "901"])])


def check_essays(tree, build):
    faults = []
    for path in files(tree, ("src", "tools", "support", "tests", "bench"), ".c"):
        text = text_of(path)
        text = text[text.find("\n") + 1:] if text.startswith("/* SPDX") else text
        opening = re.match(r"\s*((?:/\*.*?\*/\s*)|(?:(?://[^\n]*\n)+))", text, re.S)
        lines = len(opening.group(1).strip().splitlines()) if opening else 0
        wanted = 5 if path.relative_to(tree).parts[0] == "src" else 1
        if lines < wanted:
            faults.append(f"{name_of(tree, path)}:2: opens with {lines} lines of essay; {wanted} are the least (what, contract, limits, sources, cost)")
    return faults


essays = Rule("essays", check_essays, {"src/base/a.c": ESSAY, "tests/unit/test_a.c": SPDX + "/* What. */\nint a;\n"},
              [({"src/base/b.c": SPDX + "/* Short. */\nint a;\n"}, ["src/base/b.c"]), ({"tests/unit/test_b.c": SPDX + "#include <a.h>\n/* x */\n"}, ["test_b.c"])])

LEFTOVERS = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b|^\s*#\s*if\s+0\b", re.M)


def check_leftovers(tree, build):
    faults = []
    for path in list(c_files(tree)) + list(files(tree, ("scripts", "cmake", "docs", "README.md", "CHANGELOG.md"), "", ".py", ".cmake", ".md")):
        if path.name == "rules_text.py":
            continue
        text = text_of(path)
        for match in LEFTOVERS.finditer(text):
            faults.append(f"{name_of(tree, path)}:{text.count(chr(10), 0, match.end()) + 1}: left over: {match.group(0).strip()}")
    return faults


leftovers = Rule("leftovers", check_leftovers, {"src/base/a.c": "#if 1\n#endif\n"},
                 [({"src/base/b.c": "/* TO" + "DO later */\n"}, ["src/base/b.c:1"]), ({"src/base/b.c": "\n#if 0\n#endif\n"}, ["src/base/b.c:2"])])

# ---------------------------------------------------------------- documentation of public functions
THREADS = ("[any thread]", "[world thread]", "[with read access]")
DECLARATION = re.compile(r"^[^\n#/*]*\bACP_API\b[^;{]*?\b(acp_\w+)\s*\([^;]*;", re.M)
MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.M)


def check_documented(tree, build):
    faults = []
    for path in files(tree, ("include/acphys",), ".h"):
        text = text_of(path)
        for match in DECLARATION.finditer(text):
            where = f"{name_of(tree, path)}:{text.count(chr(10), 0, match.start(1)) + 1}: {match.group(1)}"
            before = text[: match.start()].rstrip()
            start = before.rfind("/*")
            comment = before[start:] if before.endswith("*/") else ""
            if not comment.startswith("/**"):
                faults.append(f"{where}: has no /** comment directly above")
            elif not any(tag in comment for tag in THREADS):
                faults.append(f"{where}: says none of {', '.join(THREADS)}")
        for match in MACRO.finditer(text):
            if not match.group(1).startswith(("ACP_", "ACPHYS_")):
                faults.append(f"{name_of(tree, path)}:{text.count(chr(10), 0, match.start(1)) + 1}: macro {match.group(1)} without ACP_")
    return faults


documented = Rule("documented", check_documented, {"include/acphys/a.h": "#define ACP_A 1\n/** Does. [any thread] */\nACP_API int acp_a(void);\n"},
                  [({"include/acphys/b.h": "ACP_API int acp_b(void);\n"}, ["acp_b"]), ({"include/acphys/b.h": "/* x [any thread] */\nACP_API int acp_b(void);\n"}, ["acp_b"]),
                   ({"include/acphys/b.h": "/** Does. [any thread] */\nACP_API int acp_a(void);\nACP_API int acp_b(\n    int x);\n"}, ["acp_b"]),
                   ({"include/acphys/b.h": "/** Does. */\nACP_API int acp_b(void);\n"}, ["none of"]), ({"include/acphys/b.h": "#define FOO 1\n"}, ["FOO"])])

# ---------------------------------------------------------------- the project speaks only of itself
MACHINE = re.compile(r"(?<![\w./}~\-])/(?:work|root|home|Users)/\w|\bwt-[a-z]{3,}\b|\bworktree\b|\bissue [A-J]\b", re.I)
# Names of tools and services that have no place in the sources: the first 16 hex digits of the SHA-256 of the word in small letters.
FOREIGN = {"c857d09db23e6822", "c70eca6b0f88f44d", "60965168ce762e94", "7d3194f79e645c42", "3ea125d0bff386e6", "5d72436256ada538", "fc5a1047f5919892"}
WORD = re.compile(r"[A-Za-z]{4,}")


def check_words(tree, build):
    faults = []
    places = ("src", "include", "support", "tools", "tests", "bench", "demo", "bindings", "docs", "scripts", "cmake", ".ci", "README.md", "CONTRIBUTING.md",
              "SECURITY.md", "CHANGELOG.md", "DIVERGENCES.md", "CMakeLists.txt", "CMakePresets.json")
    for path in files(tree, places, ".c", ".h", ".py", ".md", ".txt", ".cmake", ".json", ".jsonl", ".patch", ".in", ".scd", ""):
        if path.name == "rules_text.py" or "corpus" in path.parts:
            continue
        for number, line in enumerate(text_of(path).splitlines(), 1):
            for match in MACHINE.finditer(line):
                faults.append(f"{name_of(tree, path)}:{number}: speaks of something outside the project: '{match.group(0)}'")
            for word in WORD.findall(line):
                if hashlib.sha256(word.lower().encode()).hexdigest()[:16] in FOREIGN:
                    faults.append(f"{name_of(tree, path)}:{number}: speaks of something outside the project: a word of {len(word)} letters")
    return faults


words = Rule("words", check_words, {"docs/a.md": "The build works. See tests/work/a and ../shared/x. A session of play.\n"},
             [({"docs/b.md": "in /wo" + "rk/main\n"}, ["docs/b.md:1"]), ({"src/base/b.c": "\n/* see iss" + "ue B */\n"}, ["src/base/b.c:2"]),
              ({"docs/b.md": bytes.fromhex("636f70696c6f74").decode() + "\n"}, ["letters"])])


# ---------------------------------------------------------------- clang-format
def check_format(tree, build):
    program = shutil.which("clang-format")
    if not program:
        raise NothingToCheck("clang-format is not installed")
    if not (tree / ".clang-format").is_file():
        return [".clang-format:1: missing"]
    def faults_of(paths):
        run = subprocess.run([program, "--dry-run", "-Werror", "--style=file", *map(str, paths)], text=True, capture_output=True)
        first = {}
        for match in re.finditer(r"^(.+?):(\d+):\d+: error: code should be clang-formatted", run.stderr, re.M):
            first.setdefault(match.group(1), match.group(2))
        if run.returncode and not first:
            return [f"clang-format: {run.stderr.strip()[:200]}"]
        return [f"{path.removeprefix(str(tree) + '/')}:{line}: not as clang-format would have it" for path, line in first.items()]

    paths = list(c_files(tree))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = pool.map(faults_of, [paths[i::4] for i in range(4) if paths[i::4]])
    return sorted(fault for faults in found for fault in faults)


format_rule = Rule("format", check_format, {".clang-format": "BasedOnStyle: LLVM\nIndentWidth: 4\n", "src/base/a.c": "int a;\n"},
                   [({"src/base/b.c": "int   a ;\n"}, ["src/base/b.c:1"])], advice="Run: clang-format -i FILE")

# ---------------------------------------------------------------- what src/ may not call
CALLS = re.compile(r"\b(?P<call>sinf?|cosf?|tanf?|a(?:sin|cos|tan2?)f?|powf?|expf?|exp2f?|logf?|log2f?|log10f?|fmodf?|hypotf?|cbrtf?|fmaf?|sqrtf|floorf|fabsf|"
                   r"abort|exit|longjmp|setjmp|rand|srand|alloca|strtok|gets|sprintf|strcpy|strcat)\s*\(")


def check_calls(tree, build):
    faults = []
    for path in c_files(tree, ("src",)):
        text = without_comments(text_of(path))
        for match in CALLS.finditer(text):
            faults.append(f"{name_of(tree, path)}:{text.count(chr(10), 0, match.start()) + 1}: {match.group('call')}() is not for src/ "
                          "(libm beyond sqrt, floor, fabs goes through math/trig.h; no process exits; no unbounded writes)")
    return faults


calls = Rule("calls", check_calls, {"src/math/a.c": "double a(double x) { return sqrt(acp_sin(x)); } /* sin(x) */\n"},
             [({"src/math/b.c": "double a(double x) { return sin(x); }\n"}, ["src/math/b.c:1", "sin"]), ({"src/base/b.c": "\nvoid a(void) { abort(); }\n"}, ["abort"])])

RULES = [floors, divergences, spdx, retail, length, essays, leftovers, documented, words, calls, format_rule]
