"""Playthroughs: every observable of one game as text, a block a step, to be read and compared.

`python -m tests.playthrough` (with the package on the path) writes the files in data/playthroughs anew; the
diff then shows what has changed. The game is a random one, kept as moves in text, so that it stays the same
whatever becomes of the random streams: only a file that is not there yet gets a new game of its seed.
"""

import sys
from pathlib import Path

from bastide import Game, Rng, Rules

FOLDER = Path(__file__).parent / "data" / "playthroughs"
# file: (rules, seed)
GAMES = {
    "base_c1": ({"edition": "c1"}, 7),
    "river_c1": ({"boxes": ("river",), "edition": "c1"}, 66),
    "abbot_c3": ({"abbot": True, "players": 3}, 9),
    "watchtowers_c3": ({"boxes": ("watchtowers",), "farmers": False}, 200),
    "thieves_c2": ({"boxes": ("thieves", "river"), "edition": "c2", "abbot": True, "farmers": False}, 249),
    "tower_c1": ({"boxes": ("tower",), "players": 3}, 245),
    "black_tower_c2": (
        {
            "boxes": ("tower", "black-tower"),
            "edition": "c2",
            "abbot": True,
            "farmers": False,
            "tower_gaps": "cross",
        },
        14,
    ),
    "bridges_castles_c3": ({"boxes": ("bridges-castles",)}, 248),
    "everything_c1": (
        {
            "boxes": ("river", "tower", "black-tower", "watchtowers", "bridges-castles"),
            "tower_diagonal": True,
        },
        212,
    ),
    "everything_c3": (
        {"boxes": ("river", "thieves", "watchtowers", "bridges-castles"), "abbot": True},
        210,
    ),
}


def moves_of(text):
    """The moves of a playthrough: the lines that begin with `> `."""
    return [line[2:] for line in text.splitlines() if line.startswith("> ")]


def random_moves(game, seed):
    """A uniform random game as moves in text."""
    state, rng, moves = game.new_state(), Rng(seed), []
    while not state.is_terminal:
        if state.is_chance:
            tile = state.sample_draw(rng)
            moves.append(f"draw {game.tiles[tile].id}")
            state.draw(tile)
        else:
            actions = state.legal_actions()
            action = actions[rng.below(len(actions))]
            moves.append(state.action_text(action))
            state.apply(action)
    return moves


def playthrough(game, moves):
    """All that can be asked after each move; features are written when they are new or have changed."""
    state = game.new_state()
    known = set()
    blocks = [f"rules {game.rules!r}\nfingerprint {game.fingerprint:016x}", observables(state, known)]
    for move in moves:
        if move.startswith("draw "):
            state.draw(game.tile_index(move.removeprefix("draw ")))
        else:
            state.apply(state.parse_action(move))
        blocks.append(f"> {move}\n{observables(state, known)}")
    assert state.is_terminal
    return "\n\n".join(blocks) + "\n"


def observables(state, known):
    """A line for each; what is empty is left out. Keys and bytes are not shown: no promise."""
    tiles = state.game.tiles
    lines = [
        f"{state.phase}: turn {state.turn} of player {state.turn_player}, {state.current_player} decides",
        f"scores {state.scores}, returns {state.returns}, supply {[*map(dict, state.supply)]}",
    ]
    if state.drawn_tile is not None:
        lines.append(f"in hand {tiles[state.drawn_tile].id}")
    if any(state.prisoners):
        lines.append(f"prisoners {[*map(dict, state.prisoners)]}")
    if any(state.pieces) or state.pieces.shared:
        lines.append(f"pieces {[*map(dict, state.pieces)]}, shared {dict(state.pieces.shared)}")
    for event in state.score_events:
        figures = ", ".join(map(figure_text, event.figures))
        cells = " ".join(f"{x},{y}" for x, y in event.cells)
        lines.append(f"scored {event.points} for player {event.player}: {event.source} on {cells} with {figures}")
    lines += [line for line in board_lines(state) if line not in known]
    known.clear()
    known.update(board_lines(state))
    if state.is_chance:
        draws = " ".join(f"{tiles[tile].id}*{count}" for tile, count, _ in state.draws())
        lines.append(f"{state.tiles_left} tiles left, {state.discards} gone: {draws}")
    elif not state.is_terminal:
        lines.append("legal " + " | ".join(map(state.action_text, state.legal_actions())))
    return "\n".join(lines)


def board_lines(state):
    """A line for each tile, figure and feature."""
    return [
        *(
            f"tile {state.game.tiles[t.tile].id} at {t.x},{t.y} turned {t.rotation}, bridge {t.bridge}, "
            f"floors {t.floors}, top {t.top and figure_text(t.top)}"
            for t in state.board
        ),
        *(f"figure {figure_text(figure)}" for figure in state.figures),
        *(f"feature {feature_text(feature)}" for feature in state.features()),
    ]


def feature_text(feature):
    segments = ", ".join(f"{x},{y} {name.partition(' ')[2]}".rstrip() for x, y, name in feature.segments)
    figures = f", held by {', '.join(map(figure_text, feature.figures))}" if feature.figures else ""
    size = f"{len(feature.tiles)} tiles, {feature.open_edges} open edges, {feature.points} points"
    return f"{feature.kind}, {'closed' if feature.closed else 'open'}, {size}{figures}: {segments}"


def figure_text(figure):
    return f"{figure.kind} of {figure.owner} at {figure.x},{figure.y} {figure.place}"


def current(name):
    """A file's text as it is, and as it should be."""
    options, seed = GAMES[name]
    path = FOLDER / f"{name}.txt"
    game = Game(Rules(**options))
    text = path.read_text() if path.exists() else ""
    return text, playthrough(game, moves_of(text) or random_moves(game, seed))


def main():
    for name in GAMES:
        text, new = current(name)
        (FOLDER / f"{name}.txt").write_text(new)
        print(f"{name}: {'as it was' if text == new else 'written'}", file=sys.stderr)


if __name__ == "__main__":
    main()
