"""What features are worth and who gets it (B7-B13, G7-G9): closed features in step 3, the final scoring."""

from collections import Counter

from .figures import send_home, standing_in


def points(game, feature):
    """What a feature would pay its majority now: its closed value if closed, else the final one (B11)."""
    if feature.kind == "city":
        return city_points(game, feature)
    if feature.kind == "road":
        return road_points(game, feature)
    if feature.kind == "field":
        return field_points(game, feature)
    return 9 - feature.open_edges  # monastery, garden: 1 + placed neighbours, so 9 when closed (B8, B11, B13)


def city_points(game, feature):
    """B7, B11: 2 per tile and pennant when closed (small: option), else 1. A castle pays nothing (G8)."""
    if is_castle(game, feature):
        return 0
    pennants = sum(game.map.segment(ref).pennants for ref in feature.segments)
    each = 2 if feature.closed else 1
    if feature.closed and len(feature.cells) == 2:
        each = game.options.small_city_points
    return each * (len(feature.cells) + pennants)


def road_points(game, feature):
    """B7, B11: 1 per tile. G7: a bridge is 3 if closed and 1 if open, the road under it 1 more."""
    bridges = {(x, y) for x, y, i in feature.segments if game.map.segment((x, y, i)).bridge}
    plain = {(x, y) for x, y, i in feature.segments if not game.map.segment((x, y, i)).bridge}
    return len(plain) + len(bridges) * (3 if feature.closed else 1)


def field_points(game, feature):
    """B12: 3 per different closed city touching the field; G9: a castle is such a city."""
    cities = {}
    for x, y, i in feature.segments:
        for j in game.map.cells[x, y].segments[i].cities:
            city = game.map.feature((x, y, j))
            cities[city.segments] = city
    return 3 * sum(city.closed for city in cities.values())


def is_castle(game, feature):
    """True for a city turned castle (G8)."""
    return bool(feature.segments & game.castle_segments())


def majority(followers):
    """B9: the players with most followers; nobody if there are none."""
    count = Counter(figure.owner for figure in followers)
    return [player for player in sorted(count) if count[player] == max(count.values())]


def score(game, feature):
    """Pay a feature to its majority (B9)."""
    for player in majority(standing_in(game, feature)):
        game.award(player, points(game, feature), feature.kind)


def closed_features(game):
    """Occupied features that this turn closed. Fields score at the end only (B12), castles never (G8)."""
    return [
        feature
        for feature in game.map.all_features()
        if feature.kind != "field" and feature.closed and not is_castle(game, feature) and standing_in(game, feature)
    ]


def score_closed(game, features):
    """C1: the closed features are scored, then their figures return (B9, B10)."""
    for feature in features:
        score(game, feature)
    for feature in features:
        for figure in standing_in(game, feature):
            send_home(game, figure)


def score_final(game):
    """B11, B12: every feature that still holds followers is scored."""
    for feature in game.map.all_features():
        score(game, feature)


def returns(scores):
    """Zero-sum results (section 0): k winners of n share 1, the others share -1."""
    n = len(scores)
    winners = [score == max(scores) for score in scores]
    k = sum(winners)
    if n == 1 or k == n:
        return [0.0] * n
    return [1 / k if won else -1 / (n - k) for won in winners]
