"""Build a tower on a board of crossings and see in a picture whom it can capture.

    - # -      T the tower, # a follower that it reaches, - one that it does not reach
    # T #      o a tile with nobody, . a gap
    - # -

Every tile is a crossing (RRRR) with a farmer in its north-western corner, the tower's own tile too: each of
these fields is one tile's own, whatever lies around, so that all can be held. The picture is laid below the
start tile, which stands above its first tile; the turns of the floors use tiles further up. None of that
matters for the range.
"""

from boards import legal, own_game, play

FARM = "field NL-WR"
PLAYERS = 6  # 42 farmers at most


def read(picture):
    """Return {cell: mark}, the first tile at 0,1."""
    rows = [line.split() for line in picture.strip().splitlines()]
    first = next(x for x, mark in enumerate(rows[0]) if mark != ".")
    marks = {(x - first, y + 1): mark for y, row in enumerate(rows) for x, mark in enumerate(row)}
    return {cell: mark for cell, mark in marks.items() if mark != "."}


def build(picture, *floors, **options):
    """Return the state in which the last of these floors (colours) has just been put."""
    cells = read(picture)
    (tower,) = [cell for cell, mark in cells.items() if mark == "T"]
    boxes = ("tower", "black-tower") if {"black", "white"} & {*floors} else ("tower",)
    counts = {"X": len(cells) + len(floors) + 2, "tower.H": 1}
    state = own_game(counts, "X", **({"boxes": boxes, "players": PLAYERS} | options)).new_state()
    for x, y in order(cells):
        play(state, f"draw {'tower.H' if (x, y) == tower else 'X'}", f"place {x},{y} 0")
        play(state, "pass" if cells[x, y] == "o" else f"deploy meeple {x},{y} {FARM}")
    for n, colour in enumerate(floors, start=1):
        if state.phase == "capture":
            play(state, "pass")
        play(state, "draw X", f"place 0,{-n} 0", f"floor {colour} {tower[0]},{tower[1]}")
    return state


def order(cells):
    """The cells in an order in which each touches one before, from 0,1 on."""
    laid = [(0, 1)]
    for x, y in laid:
        laid += [c for c in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)) if c in cells and c not in laid]
    assert len(laid) == len(cells), "the picture is not in one piece"
    return laid


def reached(state):
    """The cells from which a follower can be captured now."""
    if state.phase != "capture":
        return set()
    return {tuple(map(int, text.split()[1].split(","))) for text in legal(state, "capture")}


def check_range(picture, *floors, **options):
    """Fail unless these floors, put one on another, reach what the picture says, and the tower's own tile."""
    cells = read(picture)
    found = reached(build(picture, *floors, **options))
    seen = {cell: "#" if cell in found else "-" if mark == "#" else mark for cell, mark in cells.items()}
    seen |= {cell: "T" for cell, mark in cells.items() if mark == "T" and cell in found}
    assert seen == cells, f"expected\n{draw(cells)}\nbut the tower reaches\n{draw(seen)}"


def draw(cells):
    """The picture of {cell: mark}."""
    xs, ys = zip(*cells, strict=True)
    rows = range(min(ys), max(ys) + 1)
    return "\n".join(" ".join(cells.get((x, y), ".") for x in range(min(xs), max(xs) + 1)) for y in rows)
