"""Play the core and the reference side by side, and compare everything that can be asked after every step.

Two independent readings of the rules: `reference` was written from the rules without a look at the core.
"""

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

from reference import Game as Reference

from bastide import Game, Rng, Rules, TileSet

RARE = ("capture", "exchange", "ransom", "castle", "barn", "take back maiden")


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


def core_view(state, whole=True):
    """What can be asked of the core's state, in the reference's form; without the board unless `whole`."""
    tiles = state.game.tiles
    thieves = "thieves" in state.game.rules.boxes
    view = {
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
        "draws": {tiles[t].id: (n, round(p, 12)) for t, n, p in state.draws()} if state.is_chance else {},
        "legal": [] if state.is_chance else [state.action_text(action) for action in state.legal_actions()],
    }
    if whole:
        view |= {
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
        }
    return view


def reference_view(game, whole=True):
    """The same of the reference."""
    view = {
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
        "draws": {t: (n, round(float(Fraction(p)), 12)) for t, (n, p) in game.draws().items()}
        if game.is_chance
        else {},
        "legal": game.legal(),
    }
    if whole:
        view |= {
            "board": game.board(),
            "figures": game.figures(),
            "features": sorted(
                (
                    kind,
                    closed and kind != "field",
                    *rest[:2],
                    rest[2] if kind in ("city", "road") else 0,
                    *rest[3:],
                )
                for kind, closed, *rest in game.features()
            ),
        }
    return view


def compare(state, game, moves, whole=True):
    """Return the texts of the legal actions; raise DifferenceError with what differs and how to get there."""
    ours, theirs = core_view(state, whole), reference_view(game, whole)
    texts, ours["legal"] = ours["legal"], sorted(ours["legal"])
    for name, value in ours.items():
        if value != theirs[name]:
            raise DifferenceError(
                f"{name} differs\ncore:      {_only(value, theirs[name])}\nreference: {_only(theirs[name], value)}\n"
                f"rules: {state.game.rules!r}\nmoves:\n  " + "\n  ".join(moves)
            )
    return texts


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
    """Play one random game in lockstep.

    After each step all but the board is compared; after each `every`-th and at the end the board with its figures and
    features too, the step is undone and done again, the invariants are checked, and the bytes restored.
    """
    game = Game(rules, None if tiles is None else TileSet.load(tiles))
    state, twin, rng = game.new_state(), reference_for(rules, tiles), Rng(seed)
    moves: list[str] = [f"seed {seed}"]
    texts = compare(state, twin, moves)
    step = 0
    while not state.is_terminal:
        step += 1
        before = (state.to_bytes(), state.key) if step % every == 0 else None
        if state.is_chance:
            argument = state.sample_draw(rng)
            name = game.tiles[argument].id
            moves.append(f"draw {name}")
            do = state.draw
            twin.draw(name)
        else:
            actions = state.legal_actions()
            assert actions == sorted(set(actions))
            assert actions, "a player phase without actions"
            argument, text = choose(actions, texts, rng)
            assert state.parse_action(text) == argument
            moves.append(text)
            tally.actions[text.split(" ")[0]] += 1
            do = state.apply
            twin.apply(text)
        do(argument)
        compare_events(state, twin, moves)
        tally.sources.update(e.source for e in state.score_events)
        if before is not None:
            check_undo_and_bytes(state, do, argument, before, moves)
        texts = compare(state, twin, moves, whole=before is not None or state.is_terminal)
        tally.states += 1
    tally.games += 1


def choose(actions, texts, rng):
    """One of the actions and its text at random; what is rarely possible is done half of the time."""
    pairs = list(zip(actions, texts, strict=True))
    rare = [pair for pair in pairs if pair[1].startswith(RARE)]
    choice = rare if rare and rng.below(2) else pairs
    return choice[rng.below(len(choice))]


def check_undo_and_bytes(state, do, argument, before, moves):
    """Undo the last step and do it again, check the invariants, and restore the position from its bytes."""
    after = state.to_bytes()
    state.undo()
    assert (state.to_bytes(), state.key) == before, ("undo", moves)
    do(argument)
    assert state.to_bytes() == after, ("undo and do again", moves)
    faults = state.faults()
    assert not faults, (faults, moves)
    restored = state.game.state_from_bytes(after)
    assert (restored.to_bytes(), restored.key) == (after, state.key), ("restored", moves)
    assert restored == state
