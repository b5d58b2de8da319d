# SPDX-License-Identifier: MIT
"""The rules that look at what was built: the archive, the shared library, the compile database, and headers given to compilers."""
import json
import pathlib
import re
import shutil
import subprocess
import tempfile

from rule import FLOORS, NothingToCheck, Rule, files, name_of, text_of
from rules_text import DECLARATION


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)


# ---------------------------------------------------------------- no writable file-scope data
WRITABLE = re.compile(r"^(?:\.data(?!\.rel\.ro)|\.bss|\.tdata|\.tbss|\*COM\*|\.lbss|\.ldata)")
# Of other makers: sanitizers, profilers.
FOREIGN_SYMBOL = re.compile(r"^(?:__(?:asan|ubsan|tsan|gcov|llvm|odr_asan|profd|profc|sanitizer)|\.L)")


def check_globals(tree, build):
    archives = sorted(build.glob("libacphys*.a"))
    if not archives:
        raise NothingToCheck(f"no archive in {build}")
    cache = build / "CMakeCache.txt"
    if cache.is_file() and re.search(r"^CMAKE_C_FLAGS:\w+=.*(-fsanitize|--coverage)", text_of(cache), re.M):
        raise NothingToCheck("an instrumented build has data of its own")
    faults = []
    for archive in archives:
        member = "?"
        listing = run("objdump", "-t", archive)
        if listing.returncode:
            return [f"objdump: {listing.stderr.strip()[:200]}"]
        for line in listing.stdout.splitlines():
            header = re.match(r"^(\S+\.o(?:bj)?):\s+file format", line)
            if header:
                member = header.group(1)
            # value flags section <tab> size name
            match = re.match(r"^[0-9a-f]{8,16} (.{7}) (\S+)\t[0-9a-f]+ +(?:\.hidden )?(\S+)$", line)
            if not match or match.group(1)[5] == "d" or match.group(1)[6] not in "O " or FOREIGN_SYMBOL.match(match.group(3)):
                continue
            if WRITABLE.match(match.group(2)):
                faults.append(f"{archive.name}({member}): {match.group(3)} is writable file-scope data ({match.group(2)})")
    return faults


def build_archive(base, build):
    objects = []
    for source in sorted((base / "src").rglob("*.c")):
        target = build / (source.stem + ".o")
        subprocess.run(["cc", "-fPIC", "-fvisibility=hidden", f"-I{base / 'include'}", "-c", source, "-o", target], check=True)
        objects.append(target)
    subprocess.run(["ar", "rcs", build / "libacphys.a", *objects], check=True)
    subprocess.run(["cc", "-shared", "-o", build / "libacphys.so", *objects], check=True)


globals_rule = Rule(
    "globals", check_globals,
    {"src/base/a.c": "static const char *const names[] = {\"a\", \"b\"}; const int t[2] = {1, 2};\nconst char *f(int i) { return names[i]; }\n"},
    [({"src/base/b.c": "static int counter; int g(void) { return ++counter; }\n"}, ["b.o", "counter"]), ({"src/base/b.c": "int shared = 3;\n"}, ["shared"]),
     ({"src/base/b.c": "int g(void) { static int calls = 1; return calls++; }\n"}, ["calls"]),
     ({"src/base/b.c": "_Thread_local int mine; \n"}, ["mine"]), ({"src/base/b.c": "const char *names[2] = {\"a\", \"b\"};\n"}, ["names"])],
    prepare=build_archive)

# ---------------------------------------------------------------- float flags
FORBIDDEN = re.compile(r"^-(?:Ofast|ffast-math|funsafe-math-optimizations|fassociative-math|freciprocal-math|ffinite-math-only|fno-signed-zeros|fno-trapping-math|"
                       r"fsingle-precision-constant|fcx-limited-range|fexcess-precision=fast|ffp-contract=(?:fast|on)|ffp-model=fast|mfpmath=387|"
                       r"mrecip.*|fapprox-func|ftree-vectorize|ftree-slp-vectorize|ftree-loop-vectorize)$")


def check_float_flags(tree, build):
    database = build / "compile_commands.json"
    if not database.is_file():
        raise NothingToCheck(f"no compile database in {build}")
    faults, seen = [], 0
    for entry in json.loads(text_of(database)):
        name = entry["file"]
        words = (entry.get("command") or " ".join(entry.get("arguments", []))).split()
        short = name.split("/src/")[-1]
        for word in words:
            if FORBIDDEN.match(word):
                faults.append(f"{short}: forbidden float flag {word}")
        match = re.search(r"/src/(\w+)/[^/]+\.c$", name)
        if not (match and match.group(1) in FLOORS[1:]) and "/extern/" not in name:
            continue
        seen += 1
        wanted = ["-ffp-contract=off"]
        if "clang" not in words[0].rsplit("/", 1)[-1] and not any("clang" in word for word in words[:2]):
            wanted += ["-fno-tree-slp-vectorize", "-fno-tree-vectorize"]
        faults += [f"{short}: is compiled without {flag} (D24)" for flag in wanted if flag not in words]
    if not seen:
        faults.append("compile_commands.json has no file of the floors math to locomotion: nothing was compared")
    return faults


def database(*flags, file="/p/src/math/a.c", compiler="/usr/bin/cc"):
    return {"build/compile_commands.json": json.dumps([{"file": file, "command": " ".join([compiler, *flags, "-c", file])}])}


SAFE = ("-O2", "-ffp-contract=off", "-fno-tree-slp-vectorize", "-fno-tree-vectorize")
float_flags = Rule(
    "float-flags", check_float_flags, database(*SAFE),
    [(database(*SAFE, "-ffast-math"), ["math/a.c", "-ffast-math"]), (database(*SAFE, "-Ofast"), ["-Ofast"]), (database(*SAFE[1:3]), ["-fno-tree-vectorize"]),
     (database("-O2"), ["-ffp-contract=off"]), (database(*SAFE, "-ffp-contract=fast"), ["-ffp-contract=fast"]), (database(*SAFE, file="/p/src/base/a.c"), ["nothing"]),
     (database("-O3", compiler="/usr/bin/clang"), ["-ffp-contract=off"])])

# ---------------------------------------------------------------- public headers alone
WARN = "-Wall -Wextra -Wpedantic -Werror -Wconversion -Wsign-conversion -Wfloat-conversion -Wshadow -Wundef -Wcast-qual -Wcast-align -Wwrite-strings -fsyntax-only".split()
C_WARN = ["-Wstrict-prototypes", "-Wmissing-prototypes"]
CXX_WARN = ["-Wold-style-cast", "-Wnon-virtual-dtor"]


def check_headers(tree, build):
    headers = list(files(tree, ("include/acphys",), ".h"))
    if not headers:
        return ["include/acphys: no headers: nothing was compared"]
    faults = []
    languages = [(compiler, language, standard, warnings) for c, cxx in (("gcc", "g++"), ("clang", "clang++"))
                 for compiler, language, standard, warnings in ((c, "c", "c11", C_WARN), (c, "c", "c17", C_WARN), (cxx, "c++", "c++17", CXX_WARN))
                 if shutil.which(compiler)]
    if not any(language == "c++" for _, language, _, _ in languages):
        raise NothingToCheck("no C++ compiler")
    with tempfile.TemporaryDirectory() as scratch:
        for compiler, language, standard, warnings in languages:
            sources = []
            for header in headers:  # each a translation unit of its own, all given to one run of the compiler
                source = pathlib.Path(scratch, f"{header.stem}.{'cpp' if language == 'c++' else 'c'}")
                source.write_text(f'#include "acphys/{header.name}"\n#include "acphys/{header.name}"\nextern int acp_not_empty;\n', encoding="utf-8")
                sources.append(source)
            result = run(compiler, "-x", language, f"-std={standard}", *WARN, *warnings, f"-I{tree / 'include'}", *sources)
            if result.returncode:
                said = [line.replace(str(tree) + "/", "") for line in result.stderr.splitlines() if "error" in line] or [result.stderr[:200]]
                faults += [f"alone with {compiler} -std={standard}: {line}" for line in said[:8]]
    return faults


headers_rule = Rule(
    "headers", check_headers, {"include/acphys/a.h": "#ifndef A\n#define A\n#include <stdint.h>\ntypedef struct acp_a { uint32_t x; } acp_a;\n#endif\n"},
    [({"include/acphys/b.h": "uint32_t acp_b(void);\n"}, ["include/acphys/b.h", "c11"]), ({"include/acphys/b.h": "int acp_b(int class);\n"}, ["c++17"]),
     ({"include/acphys/b.h": "typedef struct acp_b { int x; } acp_b;\n"}, ["include/acphys/b.h"]),
     ({"include/acphys/b.h": "#ifndef B\n#define B\nstatic inline float acp_b(double x) { return x; }\n#endif\n"}, ["include/acphys/b.h"])])


# ---------------------------------------------------------------- exported symbols
def declared(tree):
    """Functions that the public headers of the library (not those of the wire archive) export."""
    names = {}
    for path in files(tree, ("include/acphys",), ".h"):
        if path.stem.startswith("wire"):
            continue
        for match in DECLARATION.finditer(text_of(path)):
            names[match.group(1)] = name_of(tree, path)
    return names


def exported(build):
    library = build / "libacphys.so"
    if not library.exists():
        raise NothingToCheck(f"no shared library in {build}")
    lines = run("nm", "-D", "--defined-only", library).stdout.splitlines()
    return {line.split()[-1].split("@")[0] for line in lines if len(line.split()) == 3 and line.split()[1] != "A"}


def listed(tree):
    path = tree / "tests" / "abi" / "symbols.txt"
    return {line.strip() for line in text_of(path).splitlines() if line.strip() and not line.startswith("#")} if path.is_file() else set()


def check_symbols(tree, build):
    public, real, committed = declared(tree), exported(build), listed(tree)
    faults = [f"{where}: {name} is declared but libacphys.so does not export it" for name, where in sorted(public.items()) if name not in real]
    faults += [f"libacphys.so exports {name}, which no public header declares" for name in sorted(real - set(public))]
    faults += [f"tests/abi/symbols.txt: {name} is new" for name in sorted(real - committed)]
    faults += [f"tests/abi/symbols.txt: {name} is gone" for name in sorted(committed - real)]
    return faults


def update_symbols(tree, build):
    (tree / "tests" / "abi").mkdir(parents=True, exist_ok=True)
    names = sorted(exported(build))
    (tree / "tests" / "abi" / "symbols.txt").write_text("".join(name + "\n" for name in names), encoding="utf-8")
    print(f"tests/abi/symbols.txt: {len(names)} symbols")
    return 0


API = '#define ACP_API __attribute__((visibility("default")))\n'
symbols = Rule(
    "symbols", check_symbols,
    {"include/acphys/a.h": API + "ACP_API int acp_a(void);\n", "src/base/a.c": '#include "acphys/a.h"\nint acp_a(void) { return 1; }\nint acp_hidden(void) { return 1; }\n',
     "tests/abi/symbols.txt": "acp_a\n"},
    [({"include/acphys/b.h": API + "ACP_API int acp_b(void);\n"}, ["acp_b", "include/acphys/b.h"]), ({"tests/abi/symbols.txt": "acp_a\nacp_c\n"}, ["acp_c is gone"]),
     ({"tests/abi/symbols.txt": ""}, ["acp_a is new"]), ({"src/base/b.c": API + "ACP_API int acp_extra(void); int acp_extra(void) { return 1; }\n"}, ["acp_extra", "no public header"])],
    advice="After a wanted change: scripts/house --update-symbols", prepare=build_archive)

RULES = [globals_rule, float_flags, headers_rule, symbols]
