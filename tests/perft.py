"""Perft numbers: how many sequences of decisions there are to some depth, the tiles coming from a fixed deck.

The end of the game and the end of the deck are leaves. The numbers stand in data/perft.

A case has "about", "rules" for Rules, "tiles" (a file of data/tiles, or null), "deck" and "counts" by
depth, which the reference counts too up to "reference_depth". It may have "moves", which are done first,
and the piles "river" and "tower": then each pile goes on behind the given tiles with all others that it
has, and the position decides which pile a tile comes from (R4, H6).

    python -m tests.perft

computes them anew, in the core and by brute force in the reference, and writes the files if both agree.
"""

import copy
import datetime
import json
import sys
from collections import Counter
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))

from lockstep import reference_for

from bastide import Deck, Game, Rng, Rules, TileSet, perft
from bastide._core import bulk

DATA = Path(__file__).parent / "data"


def game_of(case):
    """The game of a case, and the path of its own tiles or None."""
    path = case["tiles"] and str(DATA / "tiles" / case["tiles"])
    return Game(Rules(**case["rules"]), None if path is None else TileSet.load(path)), path


def start_of(case):
    """The state from which a case counts."""
    state = game_of(case)[0].new_state()
    for move in case.get("moves", []):
        if move.startswith("draw "):
            state.draw(state.game.tile_index(move.removeprefix("draw ")))
        else:
            state.apply(state.parse_action(move))
    return state


def piles_of(case, state):
    """The order of each pile, as tile ids, if the case has several."""
    rest = Deck.rest(state, Rng(0))
    piles = {}
    for name in ("deck", "river", "tower"):
        first = case.get(name, [])
        others = Counter(state.game.tiles[tile].id for tile in getattr(rest, name)) - Counter(first)
        lakes = [tile for tile in others if state.game.tiles[state.game.tile_index(tile)].river_role == "lake"]
        piles[name] = (*first, *sorted((others - Counter(lakes)).elements()), *lakes)
    return piles


def core_perft(case, depth, state=None):
    """The number as the core counts it."""
    state = state or start_of(case)
    index = state.game.tile_index
    if "river" in case or "tower" in case:
        piles = piles_of(case, state)
        return perft(state, depth, Deck(state.game, *(list(map(index, pile)) for pile in piles.values())))
    return bulk.perft(state, depth, list(map(index, case["deck"])))


def reference_perft(case, depth):
    """The number by brute force over the reference."""
    game, path = game_of(case)
    reference = reference_for(game.rules, path)
    for move in case.get("moves", []):
        if move.startswith("draw "):
            reference.draw(move.removeprefix("draw "))
        else:
            reference.apply(move)
    if "river" in case or "tower" in case:
        return count(reference, depth, piles_of(case, start_of(case)))
    return count(reference, depth, {"deck": tuple(case["deck"])})


def count(game, depth, piles):
    while game.is_chance and any(piles.values()):
        name = game.current_pile() if len(piles) > 1 else "deck"
        tile = next(tile for tile in piles[name] if name != "river" or tile in game.draws())
        game.draw(tile)
        at = piles[name].index(tile)
        piles = piles | {name: piles[name][:at] + piles[name][at + 1 :]}
    if depth == 0 or game.is_chance or game.is_terminal:
        return 1
    actions = game.legal()
    if depth == 1:
        return len(actions)
    n = 0
    for text in actions:
        child = twin(game)
        child.apply(text)
        n += count(child, depth - 1, piles)
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
                    raise SystemExit(f"{path.name}: {case['about']}: depth {depth}: core and reference differ")
                case["counts"][depth] = number
            case["source"] = f"computed by tests/reference on {datetime.date.today()}, equal in the core"
            print(path.name, case["about"], case["counts"], file=sys.stderr)
        path.write_text(json.dumps(cases, indent=1) + "\n")


if __name__ == "__main__":
    main()
