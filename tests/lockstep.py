"""Play the core and the reference side by side, and compare everything that can be asked after every step.

Two independent readings of the rules: `reference` was written from the rules without a look at the core.
"""

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

from bastide import Game, Rng, Rules, TileSet
from reference import Game as Reference


@dataclass
class Tally:
    """What was compared, summed over games."""

    games: int = 0
    states: int = 0
    actions: Counter = field(default_factory=Counter)
    sources: Counter = field(default_factory=Counter)


class DifferenceError(AssertionError):
    """The core and the reference differ."""


def reference_for(rules, tiles_path=None):
    """Return a reference game with the same rules."""
    options = rules.canonical()
    boxes = options.pop("boxes")
    return Reference(boxes=tuple(boxes), players=options.pop("players"), tiles=tiles_path, **options)


def core_view(state):
    """Everything that can be asked of the core's state, in the reference's form."""
    tiles = state.game.tiles
    thieves = "thieves" in state.game.rules.boxes
    return {
        "phase": state.phase,
        "player": state.current_player,
        "turn": state.turn,
        "drawn": None if state.drawn_tile is None else tiles[state.drawn_tile].id,
        "left": state.tiles_left,
        "scores": list(state.scores),
        "returns": [round(value, 12) for value in state.returns],
        "supply": [{"meeple": 0, "abbot": 0} | supply for supply in state.supply],
        "prisoners": [dict(held) for held in state.prisoners],
        "pieces": [dict(own) for own in state.pieces],
        "shared": dict(state.pieces.shared),
        "board": {
            (tiles[t.tile].id, t.x, t.y, t.rotation, t.bridge, len(t.floors) if thieves else t.floors)
            for t in state.board
        },
        "figures": [(f.owner, f.kind, f.x, f.y, f.place) for f in state.figures],
        "features": sorted(
            (
                f.kind,
                f.closed,
                f.points,
                len(f.tiles),
                f.open_edges if f.kind in ("city", "road") else 0,
                tuple((g.owner, g.kind, g.x, g.y, g.place) for g in f.figures),
                f.segments,
            )
            for f in state.features()
        ),
        "draws": {tiles[t].id: (n, round(p, 12)) for t, n, p in state.draws()} if state.is_chance else {},
        "legal": [] if state.is_chance else sorted(map(state.action_text, state.legal_actions())),
    }


def reference_view(game):
    """The same of the reference."""
    return {
        "phase": game.phase,
        "player": game.current_player,
        "turn": game.turn,
        "drawn": game.drawn_tile,
        "left": game.tiles_left,
        "scores": list(game.scores),
        "returns": [round(float(value), 12) for value in game.returns],
        "supply": [dict(supply) for supply in game.supply],
        "prisoners": [{k: n for k, n in held.items() if n} for held in game.prisoners],
        "pieces": [dict(own) for own in game.pieces],
        "shared": dict(game.shared_pieces),
        "board": game.board(),
        "figures": game.figures(),
        "features": sorted(
            (kind, closed and kind != "field", *rest[:2], rest[2] if kind in ("city", "road") else 0, *rest[3:])
            for kind, closed, *rest in game.features()
        ),
        "draws": {t: (n, round(float(Fraction(p)), 12)) for t, (n, p) in game.draws().items()} if game.is_chance else {},
        "legal": game.legal(),
    }


def compare(state, game, moves):
    """Raise DifferenceError with what differs and how to get there."""
    ours, theirs = core_view(state), reference_view(game)
    for name, value in ours.items():
        if value != theirs[name]:
            raise DifferenceError(
                f"{name} differs\ncore:      {_only(value, theirs[name])}\nreference: {_only(theirs[name], value)}\n"
                f"rules: {state.game.rules!r}\nmoves:\n  " + "\n  ".join(moves)
            )


def compare_events(state, game, moves):
    """Compare what the last step scored."""
    ours = sorted((e.player, e.points, e.source) for e in state.score_events if e.points)
    if ours != sorted(game.score_events):
        raise DifferenceError(
            f"score events differ\ncore:      {ours}\nreference: {sorted(game.score_events)}\n"
            f"rules: {state.game.rules!r}\nmoves:\n  " + "\n  ".join(moves)
        )


def _only(mine, other):
    """What is in one list or set and not in the other, if that is shorter to read."""
    if isinstance(mine, (list, set)) and isinstance(other, (list, set)) and len(mine) > 5:
        return [item for item in mine if item not in other] or mine
    return mine


def play(rules: Rules, seed: int, tally: Tally, tiles: str | None = None, every: int = 1) -> None:
    """Play one random game in lockstep; each step is also undone and done again, and the invariants are checked."""
    game = Game(rules, None if tiles is None else TileSet.load(tiles))
    state, twin, rng = game.new_state(), reference_for(rules, tiles), Rng(seed)
    moves: list[str] = [f"seed {seed}"]
    compare(state, twin, moves)
    step = 0
    while not state.is_terminal:
        before, key = state.to_bytes(), state.key
        if state.is_chance:
            tile = state.sample_draw(rng)
            name = game.tiles[tile].id
            moves.append(f"draw {name}")
            do, argument = state.draw, tile
            twin.draw(name)
        else:
            actions = state.legal_actions()
            assert actions == sorted(set(actions))
            assert actions, "a player phase without actions"
            action = actions[rng.below(len(actions))]
            text = state.action_text(action)
            assert state.parse_action(text) == action
            moves.append(text)
            tally.actions[text.split(" ")[0]] += 1
            do, argument = state.apply, action
            twin.apply(text)
        do(argument)
        compare_events(state, twin, moves)
        tally.sources.update(e.source for e in state.score_events)
        after = state.to_bytes()
        state.undo()
        assert (state.to_bytes(), state.key) == (before, key), ("undo", moves)
        do(argument)
        assert state.to_bytes() == after, ("undo and do again", moves)
        step += 1
        if step % every == 0 or state.is_terminal:
            compare(state, twin, moves)
            faults = state.faults()
            assert not faults, (faults, moves)
            restored = game.state_from_bytes(after)
            assert (restored.to_bytes(), restored.key) == (after, state.key), ("restored", moves)
            assert restored == state
        tally.states += 1
    tally.games += 1
