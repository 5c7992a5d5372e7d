"""Find what JCloisterZone would not replay of a record that can be written for it: a river that comes back to itself.

By its rule the cells ahead of an open end of the river and beside those must be empty; rule R2 here forbids only two
bends the same way in direct succession.
"""

from bastide.actions import split_text
from bastide.record import Record

__all__ = ["objections"]

_STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


def objections(record: Record) -> tuple[str, ...]:
    """Return the placements which that program refuses, each with its ply and why; mostly none.

    Errors: RecordError if the record is wrong.
    """
    found = []
    states = record.states()
    for ply, (text, state) in enumerate(zip(record.moves, states, strict=False), 1):  # the state before each move
        if state.is_chance or state.drawn_tile is None or not state.game.tiles[state.drawn_tile].river:
            continue
        _, words = split_text(text)
        cells = {(tile.x, tile.y) for tile in state.board}
        x, y = int(words[0]), int(words[1])
        for edge in state.game.tiles[state.drawn_tile].rotated(int(words[2]) // 90).river:
            taken = sorted(_ahead(x, y, edge) & cells)
            if _neighbour(x, y, edge) not in cells and taken:
                where = " ".join(f"{cx},{cy}" for cx, cy in taken)
                found.append(f"ply {ply}, {text!r}: the river must not come so close to {where}")
    return tuple(found)


def _neighbour(x: int, y: int, edge: str) -> tuple[int, int]:
    dx, dy = _STEPS[edge]
    return x + dx, y + dy


def _ahead(x: int, y: int, edge: str) -> set[tuple[int, int]]:
    """Return the cells that must be empty if the river is open at that edge: two cells on, and beside both."""
    dx, dy = _STEPS[edge]
    return {(x + i * dx + j * dy, y + i * dy + j * dx) for i in (1, 2) for j in (-1, 0, 1)} - {(x + dx, y + dy)}
