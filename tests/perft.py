"""Perft numbers: how many sequences of decisions there are to some depth, the tiles coming from a fixed deck.

The end of the game and the end of the deck are leaves. The numbers stand in data/perft.

    python -m tests.perft

computes them anew, in the core and by brute force in the reference, and writes the files if both agree.
"""

import copy
import datetime
import json
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))

from lockstep import reference_for

from bastide import Game, Rules, TileSet
from bastide._core import api

DATA = Path(__file__).parent / "data"


def game_of(case):
    """The game of a case, and the path of its own tiles or None."""
    path = case["tiles"] and str(DATA / "tiles" / case["tiles"])
    return Game(Rules(**case["rules"]), None if path is None else TileSet.load(path)), path


def core_perft(case, depth):
    """The number as the core counts it."""
    game, _ = game_of(case)
    return api.perft(game.new_state(), depth, [game.tile_index(tile) for tile in case["deck"]])


def reference_perft(case, depth):
    """The number by brute force over the reference."""
    game, path = game_of(case)
    return count(reference_for(game.rules, path), depth, case["deck"])


def count(game, depth, deck):
    while game.is_chance and deck:
        game.draw(deck[0])
        deck = deck[1:]
    if depth == 0 or game.is_chance or game.is_terminal:
        return 1
    actions = game.legal()
    if depth == 1:
        return len(actions)
    n = 0
    for text in actions:
        child = twin(game)
        child.apply(text)
        n += count(child, depth - 1, deck)
    return n


def twin(game):
    """A copy of a game of the reference that shares the tiles, which never change."""
    game._actions = None
    shared = {id(game.tiles): game.tiles, id(game.options): game.options}
    shared |= {id(placed): placed for placed in game.map.cells.values()}
    return copy.deepcopy(game, shared)


def main():
    for path in sorted((DATA / "perft").glob("*.json")):
        cases = json.loads(path.read_text())
        for case in cases:
            for depth in case["counts"]:
                number = core_perft(case, int(depth))
                by_reference = int(depth) <= case["reference_depth"]
                if by_reference and number != reference_perft(case, int(depth)):
                    raise SystemExit(
                        f"{path.name}: {case['about']}: depth {depth}: core and reference differ"
                    )
                case["counts"][depth] = number
            case["source"] = f"computed by tests/reference on {datetime.date.today()}, equal in the core"
            print(path.name, case["about"], case["counts"], file=sys.stderr)
        path.write_text(json.dumps(cases, indent=1) + "\n")


if __name__ == "__main__":
    main()
