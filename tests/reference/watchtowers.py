"""Watchtowers (rules.md section 6)."""

from .board import around


def score_bonuses(game, closed):
    """W2: every follower of a closed road or city that stands on a watchtower tile scores that watchtower.

    W3: all of it is computed and paid before a feature is scored or a figure returns. Castles are not among
    the closed features (C7). Farmers, monks, abbots and tower figures stand in no road or city.
    """
    bonuses = []
    for feature in closed:
        if feature.kind not in ("road", "city"):
            continue
        for figure in game.standing:
            watchtower = game.map.cells[figure.x, figure.y].tile.watchtower
            if figure.segment in feature.segments and watchtower:
                bonuses.append((figure.owner, bonus(game, figure.x, figure.y, watchtower)))
    for player, points in bonuses:
        game.award(player, points, "watchtower")


def bonus(game, x, y, watchtower):
    """W4: the watchtower's points times what it counts on its tile and the 8 around it."""
    area = [cell for cell in [(x, y), *around(x, y)] if cell in game.map.cells]
    count = {
        "meeple": followers,
        "pennant": pennants,
        "road": road_tiles,
        "monastery": monastery_tiles,
        "city": city_tiles,
    }[watchtower["subject"]]
    return watchtower["points"] * count(game, area)


def followers(game, area):
    """Followers of any kind with one of their cells in the area; prisoners are not on the board."""
    return sum(any(cell in area for cell in figure.cells) for figure in game.standing)


def city_segments(game, cell):
    """City segments of a tile without those of castles."""
    castles = game.castle_segments()
    segments = enumerate(game.map.cells[cell].segments)
    return [s for i, s in segments if s.kind == "city" and (*cell, i) not in castles]


def pennants(game, area):
    """Pennants printed on the tiles, not those of a city turned castle."""
    return sum(segment.pennants for cell in area for segment in city_segments(game, cell))


def city_tiles(game, area):
    """Tiles with a city segment; a castle is not one."""
    return sum(bool(city_segments(game, cell)) for cell in area)


def road_tiles(game, area):
    """Tiles with a road segment; a bridge is one."""
    return sum(any(s.kind == "road" for s in game.map.cells[cell].segments) for cell in area)


def monastery_tiles(game, area):
    """Tiles with a monastery (no gardens)."""
    return sum(any(s.kind == "monastery" for s in game.map.cells[cell].segments) for cell in area)
