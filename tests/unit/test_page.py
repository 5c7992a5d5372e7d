"""The replay page's data says, step by step, what the positions of the game say."""

import base64
import json
import re
import zlib
from dataclasses import replace

import pytest
from games import C1

from bastide import Game, Record, RecordError, Rng, Rules, TileSet
from bastide.actions import FIGURES
from bastide.agents import RandomAgent, play_game
from bastide.record import Recorder
from bastide.render.page import replay_page
from bastide.render.scene import pieces

MAX_BYTES = 400_000


def played(preset, players=3, seed=7):
    game = Game(Rules.preset(preset, players=players))
    recorder = play_game(game, [RandomAgent()] * players, Rng(seed))
    return game, recorder if isinstance(recorder, Record) else recorder.record()


def data_of(page):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)[1])


def followed(data):
    """Yield what the page knows after each step, put together as its script does."""
    there, root, worth, hands, left = set(), {}, {}, {}, dict(data["left"])

    def find(n):
        while n in root:
            n = root[n]
        return n

    for step in data["steps"]:
        there -= set(step.get("-", []))
        there |= set(step.get("+", []))
        joined = step.get("u", [])
        root.update(zip(joined[1::2], joined[::2], strict=True))
        worth.update({r: values for r, *values in step.get("f", [])})
        hands.update(step.get("r", {}))
        left.update(step.get("l", {}))
        features = {}
        for sheet, x, y, base in data["tiles"][: step["n"]]:
            for i, (kind, *_) in enumerate(data["sheets"][sheet][1]):
                features.setdefault(find(base + i), (data["kinds"][kind], set()))[1].add((x, y))
        figures = {}
        for number in there:
            if len(data["pieces"][number]) > 2 and data["pieces"][number][4] >= 0:
                figures.setdefault(find(data["pieces"][number][4]), []).append(data["pieces"][number][2])
        yield step, there, features, worth, figures, hands, left


@pytest.mark.parametrize("preset", ["base", "everything-c1", "everything-c3"])
def test_each_step_of_the_data_is_the_position_after_the_move(preset):
    game, record = played(preset)
    data = data_of(replay_page(record))
    assert len(data["steps"]) == len(record.moves) + 1
    for i, (state, known) in enumerate(zip(record.states(game), followed(data), strict=True)):
        step, there, features, worth, figures, hands, left = known
        assert step["s"] == list(state.scores)
        assert step.get("m") == (record.moves[i - 1] if i else None)
        assert sorted(data["pieces"][n][1] for n in there) == sorted(text for _, text in pieces(state).values())
        assert [left[str(t)] for t in range(len(left))] == state._left()
        assert hands["left"] == state.tiles_left
        for kind, n in state.pieces.shared.items():
            assert hands[kind] == n
        for seat in range(game.rules.players):
            supply, floors, held = hands[f"p{seat}"]
            assert (supply, floors) == (state.supply[seat], state.pieces[seat])
            assert {(kind, owner): n for kind, owner, n in held} == state.prisoners[seat]
        if i % 5 and not state.is_terminal:
            continue
        expected = sorted(
            (f.kind, sorted(f.tiles), f.closed, f.points, f.open_edges, sorted(g.owner for g in f.figures))
            for f in state.features()
        )
        found = sorted(
            (kind, sorted(cells), bool(worth[r][0]), *worth[r][1:], sorted(figures.get(r, [])))
            for r, (kind, cells) in features.items()
        )
        assert found == expected


def test_score_events_and_players_of_moves_are_told():
    game, record = played("everything-c1")
    data = data_of(replay_page(record))
    before = None
    for state, step in zip(record.states(game), data["steps"], strict=True):
        told = [(player, points, source) for player, points, source, _ in step.get("e", [])]
        assert told == [(event.player, event.points, event.source) for event in state.score_events]
        if before is not None:
            assert (step["p"], step["t"]) == before
        before = (state.turn_player if state.is_chance else state.current_player), state.turn


@pytest.mark.parametrize(("preset", "seed"), [("everything-c1", 1), ("everything-c1", 2), ("everything-c3", 1)])
def test_a_game_of_six_players_with_everything_stays_below_400_kilobytes(preset, seed):
    _, record = played(preset, 6, seed)
    assert len(replay_page(record).encode()) <= MAX_BYTES


def test_the_page_asks_nothing_of_any_server():
    _, record = played("base", 2)
    page = replay_page(record)
    assert "default-src 'none'" in page
    assert not re.search(r"(https?:)?//(?!www\.w3\.org/2000/svg)[a-z]+\.", page)
    assert not re.search(r"\b(src|href|action)=[\"'](?!#)", page)
    assert not re.search(r"@import|url\(|fetch\(|XMLHttpRequest|WebSocket|import\(", page)


def test_every_drawing_that_is_used_is_in_the_page_once():
    _, record = played("everything-c3")
    page = replay_page(record)
    defs = re.search(r'id="defs">(.*?)</script>', page, re.DOTALL)[1]
    ids = re.findall(r'<g id="(bs-[^"]+)"', defs)
    assert len(ids) == len(set(ids))
    data = data_of(page)
    text = defs + "".join(piece[1] for piece in data["pieces"])
    used = set(re.findall(r'href="#(bs-[^"]+)"', text))
    used |= {f"bs-{name}" for name in re.findall(r"~(\w+) -?\d+ -?\d+;", defs)}
    used |= {f"{name}{layer}" for name, _ in data["sheets"] for layer in "ga"}
    assert used <= set(ids)
    assert set(data["left"]) == set(data["shown"])


def test_names_cannot_break_out_of_the_page():
    name = "</script><script>alert(1)</script><!--TITLE--><!--DATA-->&"
    recorder = Recorder(Game(Rules(players=2)), [name, "b"])
    page = replay_page(recorder.record())
    assert "<script>alert" not in page
    assert page.count("<script") == 4
    assert data_of(page)["players"] == [name, "b"]


def test_search_statistics_come_along_cut_to_what_can_be_read():
    recorder = Recorder(Game(Rules(players=2)))
    recorder.draw(recorder.state.game.tile_index("base.U"))
    search = {"iterations": 500, "actions": [{"action": str(i), "visits": i} for i in range(100)]}
    recorder.apply(recorder.state.legal_actions()[0], search)
    page = replay_page(recorder.record())
    packed = re.search(r'id="packed">(.*?)</script>', page)[1]
    found = json.loads(zlib.decompress(base64.b64decode(packed)))
    assert found == {"2": {"iterations": 500, "actions": search["actions"][:12]}}
    assert 'id="packed"></script>' in replay_page(Recorder(C1).record())


def test_statistics_of_every_move_do_not_make_the_page_too_large():
    _, record = played("everything-c1", 6)
    rng = Rng(3)
    entry = {"iterations": 500, "value": [0.1234, -0.5] * 3, "line": [f"place {i},3 90" for i in range(9)]}
    search = []
    for move in record.moves:
        rows = [{"action": move, "visits": rng.below(400), "value": round(rng.random(), 4)} for _ in range(5)]
        search.append(None if move.startswith("draw") else {**entry, "actions": rows})
    page = replay_page(replace(record, search=search))
    assert len(json.dumps(search)) > 100_000
    assert len(page.encode()) <= MAX_BYTES


def test_a_game_that_was_just_begun_has_a_page():
    data = data_of(replay_page(Recorder(C1).record()))
    assert (len(data["steps"]), data["steps"][0]["n"]) == (1, 1)


def test_a_game_with_own_tiles_needs_its_game(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text(
        'format = 1\nbox = "base"\nstart = "own.A"\n[sets.base_c2c3]\n"own.A" = 5\n'
        '[[tile]]\nid = "own.A"\nedges = "FFFF"\n'
        'fields = [{ halves = ["NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR"] }]\n'
    )
    game = Game(Rules(players=2), TileSet.load(path))
    record = play_game(game, [RandomAgent()] * 2, Rng(1))
    record = record if isinstance(record, Record) else record.record()
    assert data_of(replay_page(record, game))["ids"] == ["own.A"]
    with pytest.raises(RecordError, match="own tiles"):
        replay_page(record)


def test_figures_are_told_by_their_kinds():
    _, record = played("everything-c3")
    kinds = {piece[3] for piece in data_of(replay_page(record))["pieces"] if len(piece) > 2}
    assert kinds == set(FIGURES[:2])
