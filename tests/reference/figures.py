"""Figures on the board, deploying them on the placed tile (B6, B13, G8) and taking them home."""

from functools import partial


class Figure:
    """A figure on the board.

    `spot` is the text of docs/actions.md. `segment` is the (x, y, i) it stands on; None on a tower and for a
    maiden, who stand in no feature (T9, H8, G9). A farmer on a barn keeps a segment of its field (G12).
    """

    def __init__(self, owner, kind, x, y, spot, segment=None):
        self.owner, self.kind, self.x, self.y, self.spot, self.segment = owner, kind, x, y, spot, segment
        self.cells = ((x, y),)  # two for a maiden, four for a farmer on a barn (W4)

    @property
    def name(self):
        """The figure as game.figures() lists it."""
        return self.owner, self.kind, self.x, self.y, self.spot

    @property
    def supply_kind(self):
        """What it is in a supply: a maiden is a standard meeple."""
        return "meeple" if self.kind == "maiden" else self.kind

    @property
    def on_tower(self):
        """True on top of a tower."""
        return self.spot == "tower"

    @property
    def on_barn(self):
        """True for a farmer on a barn."""
        return self.spot == "barn"


def standing_in(game, feature):
    """The followers in a feature."""
    return [f for f in game.standing if f.segment in feature.segments]


def count_on(game, kind):
    """How many followers of all players stand on segments of a kind: knights (G10), farmers (G12)."""
    return sum(f.segment is not None and game.map.segment(f.segment).kind == kind for f in game.standing)


def put(game, owner, kind, x, y, spot, segment=None):
    """Move a figure from its owner's supply to the board."""
    supply_kind = "meeple" if kind == "maiden" else kind
    assert game.supply[owner][supply_kind] > 0
    game.supply[owner][supply_kind] -= 1
    figure = Figure(owner, kind, x, y, spot, segment)
    game.standing.append(figure)
    return figure


def send_home(game, figure):
    """Move a figure from the board to its owner's supply."""
    game.standing.remove(figure)
    game.supply[figure.owner][figure.supply_kind] += 1


def may_stand(game, kind, segment_kind):
    """Which figure can be deployed on which kind of segment: B6, B13, option farmers (B12)."""
    if segment_kind in ("city", "road"):
        return kind == "meeple"
    if segment_kind == "field":
        return kind == "meeple" and game.options.farmers
    if segment_kind == "monastery":
        return True
    if segment_kind == "garden":
        return kind == "abbot"
    return False  # R3: no figure on the river


def deploy_actions(game):
    """B6: one figure on a segment of the tile just placed whose feature holds no follower of anyone."""
    player = game.current_player
    actions = {}
    x, y = game.placed_cell
    for i, segment in enumerate(game.map.cells[x, y].segments):
        ref = (x, y, i)
        if segment.kind == "river" or ref in game.castle_segments():  # R3, G8
            continue
        if standing_in(game, game.map.feature(ref)):
            continue
        for kind in ("meeple", "abbot"):
            text = f"deploy {kind} {x},{y} {segment.text}"
            if game.supply[player][kind] > 0 and may_stand(game, kind, segment.kind) and text not in actions:
                actions[text] = partial(put, game, player, kind, x, y, segment.text, ref)
    return actions


def take_back_abbot_actions(game):
    """B13: instead of another figure action, the own abbot leaves its garden or monastery and scores."""
    actions = {}
    for figure in game.standing:
        if figure.owner == game.current_player and figure.kind == "abbot":
            text = f"take back abbot {figure.x},{figure.y} {figure.spot}"
            actions[text] = partial(take_back_abbot, game, figure)
    return actions


def take_back_abbot(game, figure):
    """It scores 1 + neighbours, now, and is off the board before step 3 (B13)."""
    game.award(figure.owner, 1 + game.map.neighbours_placed(figure.x, figure.y), figure.spot)
    send_home(game, figure)
