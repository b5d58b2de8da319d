#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes a small terrain and a list of positions on it, for scripts/demo where the real ones are absent.

usage: small_terrain.py FOLDER

Writes FOLDER/terrain.bin (two planes of 2041 x 2041 bytes: height indices, terrain bytes; see `acphys dat import-terrain --help`) and
FOLDER/positions.csv. An island of 30 x 30 landblocks with a mountain, a lake and a road lies in an empty sea. The same bytes every time.
"""
import math
import pathlib
import sys

SIZE, ORIGIN, SPAN = 2041, 800, 240  # vertices: of the map, of the island's south-west corner, of its side
GRASS, SAND, ROCK, WATER, SNOW, ROAD = 1, 10, 9, 16, 7, 1


def height(i, j):
    """Height index of vertex (i, j) of the island."""
    u, v = (i - SPAN / 2) / (SPAN / 2), (j - SPAN / 2) / (SPAN / 2)
    shore = 1.0 - math.hypot(u, v) - 0.12 * math.sin(5 * math.atan2(v, u)) - 0.06 * math.sin(11 * math.atan2(u, v) + 1)
    if shore <= 0:
        return 0
    hills = 12 * (1 + math.sin(i / 9.0) * math.cos(j / 11.0)) * min(1.0, shore * 4)
    peak = 130 * math.exp(-((u - 0.25) ** 2 + (v - 0.2) ** 2) / 0.045)
    lake = 24 * math.exp(-((u + 0.35) ** 2 + (v + 0.25) ** 2) / 0.02)
    return int(max(0, min(255, 3 + hills + peak - lake)))


def main(arguments):
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(__doc__.strip())
        return 0 if arguments and arguments[0] in ("-h", "--help") else 2
    folder = pathlib.Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    heights, kinds = bytearray(SIZE * SIZE), bytearray([WATER << 2]) * (SIZE * SIZE)
    for j in range(SPAN + 1):
        for i in range(SPAN + 1):
            h, at = height(i, j), (ORIGIN + j) * SIZE + ORIGIN + i
            heights[at] = h
            kind = WATER if h == 0 else SAND if h < 4 else SNOW if h > 110 else ROCK if h > 60 else GRASS
            is_road = h > 3 and abs(i - j - 20 * math.sin(j / 25.0)) < 0.8
            kinds[at] = kind << 2 | (ROAD if is_road else 0)
    (folder / "terrain.bin").write_bytes(bytes(heights) + bytes(kinds))

    rows, state = ["cell,x,y,z,qw,qx,qy,qz,wcid"], 12345
    for number in range(600):
        state = (state * 1103515245 + 12345) % 2**31
        x = ORIGIN * 24.0 + (state >> 8) % (SPAN * 24 * 10) / 10.0
        state = (state * 1103515245 + 12345) % 2**31
        y = ORIGIN * 24.0 + (state >> 8) % (SPAN * 24 * 10) / 10.0
        ground = heights[int(y // 24) * SIZE + int(x // 24)]
        if not 0 < ground < 200:
            continue
        block = int(x // 192) << 8 | int(y // 192)
        local_x, local_y = x % 192, y % 192
        index = int(local_x // 24) * 8 + int(local_y // 24) + 1
        if number % 40 == 0:
            index = index % 64 + 1  # some records name a wrong cell, as real lists do
        if number % 50 == 0:
            index = 0
        rows.append(f"0x{block:04X}{index:04X},{local_x:.1f},{local_y:.1f},{2.0 * ground:.1f},1,0,0,0,{1000 + number}")
    (folder / "positions.csv").write_text("\n".join(rows) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
