"""The replay page in a real browser: what people see and do.

Only with `--chromium PATH`; needs the extra `browser`.
"""

import re
from dataclasses import replace

import pytest
from playwright.sync_api import sync_playwright

from bastide import Game, Rng, Rules
from bastide.agents import RandomAgent, play_steps
from bastide.record import Recorder
from bastide.render.page import replay_page

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

TEXTS = ("h1", "#facts", "#move", "#shared", ".player .hand", ".player .score", "#keys", "#count")
# The ratio of light between a text and what is behind it, by WCAG 2, for each selector.
CONTRASTS = """names => names.map(name => {
  const parts = colour => colour.match(/[\\d.]+/g).map(Number);
  const linear = v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
  const light = colour => { const [r, g, b] = parts(colour).map(linear); return .2126 * r + .7152 * g + .0722 * b; };
  let e = document.querySelector(name);
  const front = light(getComputedStyle(e).color);
  while (parts(getComputedStyle(e).backgroundColor)[3] === 0) e = e.parentElement;
  const back = light(getComputedStyle(e).backgroundColor);
  return (Math.max(front, back) + .05) / (Math.min(front, back) + .05);
})"""
# The least time of a step to the full board: a busy machine does not matter.
STEP_TIME = """() => {
  const times = [];
  for (let i = 0; i < 20; i++) { const t = performance.now(); show(LAST); times.push(performance.now() - t); }
  return Math.min(...times);
}"""


@pytest.fixture(scope="module")
def browser(request):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=request.config.getoption("--chromium"), args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def record():
    game = Game(Rules.preset("everything-c3", players=3))
    recorder = Recorder(game, ["Anna", "Bert", "Cleo <b>"], seed=5)
    rng = Rng(5)
    for _ in play_steps(recorder, [RandomAgent()] * 3, rng):
        pass
    record = recorder.record()
    search = [None] * len(record.moves)
    i = next(i for i, move in enumerate(record.moves) if move.startswith("place"))
    search[i] = {"iterations": 500, "actions": [{"action": record.moves[i], "visits": 400, "value": 0.25}]}
    return replace(record, search=tuple(search))


@pytest.fixture(scope="module")
def path(record, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "game.html"
    path.write_text(replay_page(record), encoding="utf-8")
    return path


@pytest.fixture
def open_page(browser, path):
    """Open the page; it must neither print errors nor ask for anything."""
    contexts, faults = [], []

    def call(width=1280, height=900, scheme="light", touch=False, at=""):
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, has_touch=touch, is_mobile=touch
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
        page.on("request", lambda request: faults.append(request.url) if not request.url.startswith("file:") else None)
        page.goto(f"{path.as_uri()}{at}")
        return page

    yield call
    for context in contexts:
        context.close()
    assert faults == []


def scores(page):
    return [int(text) for text in page.locator("#players .score").all_inner_texts()]


def shown(page):
    """Return how many tiles can be seen."""
    return page.locator("#ground > *").evaluate_all("all => all.filter(use => use.style.display !== 'none').length")


def test_it_opens_at_the_end_with_the_final_scores(open_page, record):
    page = open_page()
    assert scores(page) == list(record.scores)
    assert page.locator("h1").inner_text() == "Anna – Bert – Cleo <b>"
    assert page.locator("#count").inner_text() == f"{len(record.moves)} / {len(record.moves)}"


def test_scores_tiles_and_figures_are_those_of_the_record_at_many_plies(open_page, record):
    page = open_page()
    n = len(record.moves)
    wanted = {0, 1, 2, 3, n // 4, n // 2, n - 2, n - 1, n}
    for ply, state in enumerate(record.states()):
        if ply not in wanted:
            continue
        page.locator("#step").fill(str(ply))
        assert scores(page) == list(state.scores)
        assert shown(page) == len(state.board)
        drawn = page.locator("#pieces use").evaluate_all(
            "all => all.filter(use => /^#bs-(meeple|abbot|maiden|farmer)\\d$/.test(use.getAttribute('href'))).length"
        )
        assert drawn == len(state.figures)
        hands = page.locator("#players .hand").all_inner_texts()
        for seat, text in enumerate(hands):
            assert re.match(rf"{state.supply[seat]['meeple']} meeples?\b", text)
        assert (
            page.locator("#shared")
            .inner_text()
            .startswith(f"{state.tiles_left} tile{'s' * (state.tiles_left != 1)} left")
        )
        if ply:
            assert record.moves[ply - 1] in page.locator("#move").inner_text()
        left = page.locator("#left figure").evaluate_all(
            "all => all.reduce((n, f) => n + Number(f.lastChild.textContent), 0)"
        )
        assert left == sum(state._left())


def test_keys_step_and_jump(open_page, record):
    page = open_page(at="#10")
    count = page.locator("#count")
    n = len(record.moves)
    for key, at in [
        ("ArrowRight", 11),
        ("ArrowRight", 12),
        ("ArrowLeft", 11),
        ("End", n),
        ("ArrowRight", n),
        ("Home", 0),
        ("ArrowLeft", 0),
    ]:
        page.keyboard.press(key)
        assert count.inner_text() == f"{at} / {n}"
    page.keyboard.press("PageDown")
    turns = [step.get("t") for step in page.evaluate("G.steps")]
    k = int(count.inner_text().split()[0])
    assert k > 0
    assert turns[k] != turns[k + 1]


def test_the_buttons_have_names_and_work(open_page, record):
    page = open_page()
    for name, at in [("To the start", 0), ("A step on", 1), ("A step on", 2), ("A step back", 1), ("To the end", None)]:
        page.get_by_role("button", name=name, exact=True).click()
        assert page.locator("#count").inner_text().startswith(f"{len(record.moves) if at is None else at} /")
    assert page.locator("button").evaluate_all("all => all.every(b => b.ariaLabel || b.textContent.trim())")


def test_space_plays_and_pauses(open_page):
    page = open_page(at="#0")
    page.locator("#speed").select_option("10")
    page.locator("#board").focus()
    page.keyboard.press("Space")
    page.wait_for_function("() => now >= 3")
    page.keyboard.press("Space")
    stopped = page.evaluate("now")
    page.wait_for_timeout(400)
    assert page.evaluate("now") == stopped
    assert page.locator("#play").get_attribute("aria-label") == "Play"


def test_a_feature_under_the_pointer_tells_its_tiles_owner_and_worth(open_page, record):
    page = open_page()
    ply, state = next(
        (ply, state.copy())
        for ply, state in enumerate(record.states())
        if ply > 40 and any(f.kind == "city" and f.figures and len(f.tiles) > 1 for f in state.features())
    )
    page.locator("#step").fill(str(ply))
    city = next(f for f in state.features() if f.kind == "city" and f.figures and len(f.tiles) > 1)
    x, y, name = city.segments[0]
    i = next(i for i, tile in enumerate(state.board) if (tile.x, tile.y) == (x, y))
    core_type, q, *_ = state._tiles()[i]
    segment = page.evaluate("i => G.tiles[i][3]", i) + state.game._spots[core_type][q].index(name)
    page.evaluate("light(null)")
    area = page.locator(f'#hits [data-s="{segment}"]')
    point = area.evaluate(  # a point of the area that nothing else covers
        """path => { const box = path.getBoundingClientRect();
           for (let i = 1; i < 20; i++) for (let j = 1; j < 20; j++) {
             const x = box.left + box.width * i / 20, y = box.top + box.height * j / 20;
             if (document.elementFromPoint(x, y) === path) return [x, y]; } }"""
    )
    page.mouse.move(*point)
    text = page.locator("#feature").inner_text()
    assert f"{len(city.tiles)} tile" in text
    assert f"worth {city.points}" in text
    owners = {figure.owner for figure in city.figures}
    if len(owners) == 1:
        assert f"({owners.pop()}) owns it" in text
    assert page.locator("#hits .on").count() == len(city.segments)
    page.mouse.move(5, 5)
    assert page.locator("#feature").inner_text() == ""


def test_a_tap_tells_of_a_feature_on_a_phone(open_page):
    page = open_page(390, 844, touch=True)
    page.locator("#board").scroll_into_view_if_needed()
    point = page.evaluate(
        """() => { for (const path of document.querySelectorAll("#hits path")) {
           const box = path.getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + box.height / 2;
           if (document.elementFromPoint(x, y) === path) return [x, y]; } }"""
    )
    page.touchscreen.tap(*point)
    assert "worth" in page.locator("#feature").inner_text()


def test_the_view_zooms_pans_and_comes_back(open_page):
    page = open_page()
    board = page.locator("#board")
    first = board.get_attribute("viewBox")

    def view():
        return [float(n) for n in board.get_attribute("viewBox").split()]

    box = board.bounding_box()
    page.mouse.move(box["x"] + 300, box["y"] + 200)
    page.mouse.wheel(0, -300)
    page.wait_for_function("first => board.getAttribute('viewBox') !== first", arg=first)
    zoomed = view()
    assert zoomed[2] < float(first.split()[2])
    page.mouse.down()
    page.mouse.move(box["x"] + 360, box["y"] + 240, steps=4)
    page.mouse.up()
    panned = view()
    assert panned[0] < zoomed[0]
    assert panned[1] < zoomed[1]
    assert panned[2:] == zoomed[2:]
    page.keyboard.press("0")
    assert board.get_attribute("viewBox") == first
    page.get_by_role("button", name="Zoom in").click()
    assert view()[2] < float(first.split()[2])


def test_a_move_of_the_list_is_gone_to(open_page):
    page = open_page()
    page.locator("#moves button").nth(19).click()
    assert page.locator("#count").inner_text().startswith("20 /")
    assert page.locator('#moves [aria-current="step"]').count() == 1
    assert page.locator("#moves button").nth(19).get_attribute("aria-current") == "step"


def test_the_tile_placed_last_has_a_frame_and_a_move_elsewhere_one_of_dashes(open_page, record):
    page = open_page()
    for ply, state in enumerate(record.states()):
        cell = re.search(r"(-?\d+),(-?\d+)", record.moves[ply - 1]) if ply else None
        if not cell or (int(cell[1]), int(cell[2])) == (state.board[-1].x, state.board[-1].y):
            continue
        page.locator("#step").fill(str(ply))
        names = ("x", "y", "stroke-dasharray")
        frames = [
            " ".join(frame.get_attribute(name) for name in names)
            for frame in page.locator('#marks rect[stroke="#ffd84d"]').all()
        ]
        last = state.board[-1]
        assert frames == [
            f"{100 * last.x + 1.5:g} {100 * last.y + 1.5:g} none",
            f"{100 * int(cell[1]) + 1.5:g} {100 * int(cell[2]) + 1.5:g} 9 5",
        ]
        return
    raise AssertionError("no such move")


def test_the_chart_leads_to_a_step(open_page, record):
    page = open_page()
    box = page.locator("#chart").bounding_box()
    page.mouse.click(box["x"] + box["width"] * (44 + 265) / 600, box["y"] + box["height"] / 2)
    assert abs(page.evaluate("now") - len(record.moves) / 2) <= 2


def test_search_statistics_are_shown_where_there_are_some(open_page, record):
    page = open_page()
    i = next(i for i, entry in enumerate(record.search) if entry)
    page.locator("#step").fill(str(i + 1))
    text = page.locator("#search").inner_text()
    assert "iterations" in text
    assert "400" in text
    page.keyboard.press("ArrowRight")
    assert "No search" in page.locator("#search").inner_text()


def test_owners_colours_can_be_switched_off(open_page):
    page = open_page(at="#80")
    assert page.locator("#over path, #below path").count() > 0
    page.keyboard.press("o")
    assert page.locator("#over path, #below path").count() == 0
    assert page.get_by_role("button", name="Colour features by owner").get_attribute("aria-pressed") == "false"


@pytest.mark.parametrize("width", [320, 390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_sticks_out_and_text_can_be_read(open_page, width, scheme):
    page = open_page(width, 800, scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("#board").bounding_box()["height"] > 250
    ratios = page.evaluate(CONTRASTS, [*TEXTS])
    assert min(ratios) >= 4.5
    sizes = page.locator("#controls button, #zoom button").evaluate_all(
        "all => all.flatMap(b => [b.getBoundingClientRect().width, b.getBoundingClientRect().height])"
    )
    assert min(sizes) >= 36


def test_a_step_is_drawn_in_a_blink(open_page, record):
    page = open_page()
    milliseconds = page.evaluate(STEP_TIME)
    assert milliseconds < 100
