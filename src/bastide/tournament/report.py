"""The results of a tournament: as plain JSON values, as a table, and as a page with charts."""

import base64
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib.util import find_spec
from typing import Any

import numpy as np

from bastide.tally import wilson_interval
from bastide.tournament.journal import Journal, identity
from bastide.tournament.match import GameResult, places, shares
from bastide.tournament.ratings import fit, openskill
from bastide.tournament.run import counted, n_games, verdict

__all__ = ["chart", "page", "plots", "report", "table"]


def report(journal: Journal, with_openskill: bool = False) -> dict[str, Any]:
    """Return what a journal says, as plain JSON values.

    `entrants` are in the order of their ratings; "elo" and its 95 percent "interval" are of the Bradley-Terry
    model; "superiority" has the likelihood that the entrant of a row is better than that of a column, and
    "better_than_next" that of an entrant and the one after it. Everything but "seconds" is a function of the games.
    Errors: RecordError; BastideError without the extra that is asked for.
    """
    plan = journal.plan
    n = len(plan.entrants)
    sums = [_Sums() for _ in range(n)]
    wins = [[0.0] * n for _ in range(n)]
    meetings = [[0] * n for _ in range(n)]
    first_seat, played = 0.0, 0
    for game in counted(journal):
        played += 1
        first_seat += shares(game)[0]
        _add(game, sums, wins, meetings)
    facts: dict[str, Any] = {
        **identity(),
        "fingerprint": plan.game.fingerprint,
        "plan": plan.document(),
        "games": played,
        "planned": n_games(plan),
        "reproducible": plan.is_reproducible,
        "first_seat_share": first_seat / played if played else None,
        "first_seat_interval": list(wilson_interval(first_seat / played, played)) if played else None,
    }
    ratings = fit(n, counted(journal), plan.seats) if played else None
    skills = openskill(n, counted(journal)) if with_openskill else None
    order = sorted(range(n), key=lambda i: -ratings.elo[i]) if ratings is not None else list(range(n))
    facts["entrants"] = []
    for place, i in enumerate(order):
        entry = {"name": plan.names[i], "agent": plan.entrants[i], **sums[i].facts()}
        if ratings is not None:
            entry["elo"], entry["interval"] = float(ratings.elo[i]), list(ratings.interval(i))
            after = order[place + 1] if place + 1 < n else None
            entry["better_than_next"] = None if after is None else ratings.superiority(i, after)
        if skills is not None:
            entry["openskill"] = {"mu": skills[i][0], "sigma": skills[i][1]}
        facts["entrants"].append(entry)
    facts["won_against"] = [[wins[i][j] / meetings[i][j] if meetings[i][j] else None for j in order] for i in order]
    facts["superiority"] = [
        [None if i == j or ratings is None else ratings.superiority(i, j) for j in order] for i in order
    ]
    facts["meetings"] = [[meetings[i][j] for j in order] for i in order]
    facts["faults"] = sum(each.faults for each in sums)
    found = verdict(journal)
    if plan.sprt is not None and found is not None:
        bounds = {"llr": found.llr, "lower": found.lower, "upper": found.upper}
        facts["sprt"] = {**plan.sprt.document(), "pairs": found.pairs, **bounds, "accepted": found.accepted}
    return facts


class _Sums:
    """The results of one entrant."""

    def __init__(self) -> None:
        self.games = self.faults = self.points = self.margin = self.decisions = 0
        self.share = self.seconds = 0.0
        self.kinds: dict[str, int] = {}
        self.places: dict[int, int] = {}

    def facts(self) -> dict[str, Any]:
        n = self.games
        return {
            "games": n,
            "won": self.share,
            "share": self.share / n if n else None,
            "mean_score": self.points / n if n else None,
            "mean_margin": self.margin / n if n else None,
            "places": {str(place + 1): count for place, count in sorted(self.places.items())},
            "faults": dict(sorted(self.kinds.items())),
            "seconds": {"decision": self.seconds / self.decisions if self.decisions else None, "all": self.seconds},
        }


def _add(game: GameResult, sums: list[_Sums], wins: list[list[float]], meetings: list[list[int]]) -> None:
    place, share = places(game), shares(game)
    for seat, i in enumerate(game.lineup):
        mine = sums[i]
        mine.games += 1
        mine.share += share[seat]
        mine.points += game.scores[seat]
        mine.margin += game.scores[seat] - max(score for k, score in enumerate(game.scores) if k != seat)
        mine.places[place[seat]] = mine.places.get(place[seat], 0) + 1
        mine.decisions += game.decisions[seat]
        mine.seconds += game.seconds[seat]
        if game.fault_seat == seat and game.fault is not None:
            mine.faults += 1
            mine.kinds[game.fault] = mine.kinds.get(game.fault, 0) + 1
        for other, j in enumerate(game.lineup):
            if i != j:
                meetings[i][j] += 1
                wins[i][j] += 1.0 if place[seat] < place[other] else 0.5 if place[seat] == place[other] else 0.0


# -- for people


def table(facts: Mapping[str, Any]) -> str:
    """Return a report as text."""
    entrants = facts["entrants"]
    width = max(4, *(len(entry["name"]) for entry in entrants))
    width = min(width, 40)
    with_skill = "openskill" in entrants[0]
    head = f"{'':>3}  {'name':{width}}{'Elo':>8}{'95 %':>8}{'better':>9}{'games':>8}{'won':>8}{'score':>8}"
    head += f"{'margin':>8}{'faults':>8}" + ("      openskill" if with_skill else "")
    lines = [_title(facts), "", head]
    for rank, entry in enumerate(entrants, 1):
        if entry["games"]:
            half = (entry["interval"][1] - entry["interval"][0]) / 2
            better = "" if entry["better_than_next"] is None else f"{entry['better_than_next']:.1%}"
            cells = f"{entry['elo']:>+8.0f}{'±' + format(half, '.0f'):>8}{better:>9}{entry['games']:>8}"
            cells += f"{entry['share']:>8.1%}{entry['mean_score']:>8.1f}{entry['mean_margin']:>+8.1f}"
            cells += f"{sum(entry['faults'].values()):>8}"
            if with_skill:
                cells += "{mu:>9.2f} ±{sigma:.2f}".format(**entry["openskill"])
        else:
            cells = f"{'-':>8}"
        lines.append(f"{rank:>3}  {entry['name'][:width]:{width}}{cells}")
    if len(entrants) > 2 and facts["games"]:
        lines += ["", "games won against", *_cross(facts, width)]
    return "\n".join([*lines, "", *_notes(facts)])


def _title(facts: Mapping[str, Any]) -> str:
    plan = facts["plan"]
    boxes = "+".join(plan["rules"]["boxes"])
    what = f"{plan['tournament']} of {len(plan['entrants'])}, {boxes} for {plan['rules']['players']}"
    return f"{what}: {facts['games']:,} of {facts['planned']:,} games, seed {plan['seed']}"


def _cross(facts: Mapping[str, Any], width: int) -> Iterator[str]:
    n = len(facts["entrants"])
    yield f"{'':{width + 5}}" + "".join(f"{k + 1:>8}" for k in range(n))
    for k, (entry, row) in enumerate(zip(facts["entrants"], facts["won_against"], strict=True)):
        cells = "".join(f"{'' if share is None else format(share, '.1%'):>8}" for share in row)
        yield f"{k + 1:>3}  {entry['name'][:width]:{width}}{cells}".rstrip()


def _notes(facts: Mapping[str, Any]) -> Iterator[str]:
    if facts["games"]:
        low, high = facts["first_seat_interval"]
        yield f"first seat wins {facts['first_seat_share']:.1%} of the games (95 percent: {low:.1%} to {high:.1%})"
    for entry in facts["entrants"]:
        if entry["faults"]:
            kinds = ", ".join(f"{n} by {kind}" for kind, n in entry["faults"].items())
            yield f"{entry['name']} failed in {sum(entry['faults'].values())} games: {kinds}"
    if "sprt" in facts:
        test = facts["sprt"]
        said = f"accepted {test[test['accepted']]:g} Elo" if test["accepted"] else "not decided"
        bounds = f"llr {test['llr']:.2f} of {test['lower']:.2f} .. {test['upper']:.2f}"
        yield f"SPRT of {test['elo0']:g} against {test['elo1']:g} Elo: {said} after {test['pairs']} pairs, {bounds}"
    if not facts["reproducible"]:
        yield "not reproducible: clocks had a say in it"


def plots(journal: Journal) -> list[bytes]:
    """Draw scores and shares of the win by seat, as SVG documents; none without games or the extra "plot"."""
    scores = [game.scores for game in counted(journal)]
    if not scores or find_spec("matplotlib") is None:
        return []
    from bastide.render.plots import saved, scores_plot, seats_plot

    games = {"All games": np.array(scores, np.int64)}
    return [saved(scores_plot(games)), saved(seats_plot(games))]


def page(facts: Mapping[str, Any], pictures: Sequence[bytes] = ()) -> str:
    """Return a report as an HTML page of its own, which needs no network; `pictures` in SVG, such as `plots` draws."""
    rows = "".join(_html_row(rank, entry) for rank, entry in enumerate(facts["entrants"], 1))
    head = "".join(
        f"<th>{name}</th>"
        for name in ("", "name", "Elo", "95 %", "better than next", "games", "won", "score", "margin", "faults")
    )
    cross = ""
    if len(facts["entrants"]) > 2 and facts["games"]:
        numbers = "".join(f"<th>{k}</th>" for k in range(1, len(facts["entrants"]) + 1))
        lines = "".join(
            f"<tr><td>{k}</td><td>{escape(entry['name'])}</td>"
            + "".join(f"<td>{'' if share is None else format(share, '.1%')}</td>" for share in row)
            + "</tr>"
            for k, (entry, row) in enumerate(zip(facts["entrants"], facts["won_against"], strict=True), 1)
        )
        cross = f"<h2>Games won against</h2><table><tr><th></th><th></th>{numbers}</tr>{lines}</table>"
    notes = "".join(f"<p>{escape(note)}</p>" for note in _notes(facts))
    title = escape(_title(facts))
    images = "".join(
        f'<img alt="" src="data:image/svg+xml;base64,{base64.b64encode(picture).decode()}">' for picture in pictures
    )
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head><body>'
        f"<h1>{title}</h1>{chart(facts)}<table><tr>{head}</tr>{rows}</table>{cross}{images}{notes}</body></html>\n"
    )


def _html_row(rank: int, entry: Mapping[str, Any]) -> str:
    cells = [str(rank), escape(entry["name"])]
    if entry["games"]:
        low, high = entry["interval"]
        better = "" if entry["better_than_next"] is None else f"{entry['better_than_next']:.1%}"
        cells += [f"{entry['elo']:+.0f}", f"{low:+.0f} to {high:+.0f}", better, f"{entry['games']:,}"]
        cells += [f"{entry['share']:.1%}", f"{entry['mean_score']:.1f}", f"{entry['mean_margin']:+.1f}"]
        cells.append(str(sum(entry["faults"].values())))
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def chart(facts: Mapping[str, Any]) -> str:
    """Return the ratings with their intervals as an SVG picture, empty where there are none."""
    rated = [entry for entry in facts["entrants"] if entry["games"]]
    if not rated:
        return ""
    low = min(entry["interval"][0] for entry in rated)
    high = max(entry["interval"][1] for entry in rated)
    left, right, step = 230, 690, 26
    scale = (right - left) / (high - low or 1)
    tick = next(size for size in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000) if (high - low) / size <= 8)
    bottom = step * len(rated) + 8
    parts = []
    for value in range(int(-(-low // tick)) * tick, int(high // tick) * tick + 1, tick):
        x = left + (value - low) * scale
        parts.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="4" y2="{bottom}"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{value:+d}</text>')
    for k, entry in enumerate(rated):
        y = step * k + 20
        x, a, b = (left + (value - low) * scale for value in (entry["elo"], *entry["interval"]))
        name = entry["name"] if len(entry["name"]) <= 32 else entry["name"][:31] + "…"
        parts.append(f'<text x="{left - 12}" y="{y + 4}" text-anchor="end">{escape(name)}</text>')
        parts.append(f'<line class="bar" x1="{a:.1f}" x2="{b:.1f}" y1="{y}" y2="{y}"/>')
        parts.append(f'<circle cx="{x:.1f}" cy="{y}" r="5"/>')
    return f'<svg viewBox="0 0 720 {bottom + 24}" role="img" aria-label="Ratings in Elo">{"".join(parts)}</svg>'


_STYLE = (
    "body{font:15px system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222;background:#fff}"
    "h1{font-size:1.3em}h2{font-size:1.1em}table{border-collapse:collapse;display:block;overflow-x:auto}"
    "td,th{padding:.25em .7em;text-align:right;border-bottom:1px solid #8884}td:nth-child(2),th:nth-child(2)"
    "{text-align:left}img{max-width:100%}svg{width:100%;font-size:13px;fill:currentColor}.grid{stroke:#8884}"
    ".bar{stroke:#0072b2;stroke-width:3}circle{fill:#0072b2}"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}.bar{stroke:#56b4e9}circle{fill:#56b4e9}}"
)
