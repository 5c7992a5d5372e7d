"""Small JCloisterZone saves made by hand, for the tests that read and check them."""

import json

START = {"tile": "BA/RCr", "x": 0, "y": 0, "rotation": 0}
SPRING = {"tile": "RI/s", "x": 0, "y": 0, "rotation": 0}
TOWER = {"sets": {"basic:1": 1, "tower:1": 1}, "elements": {"small-follower": 7, "farmers": True, "tower": 1}}
ABBOT = {
    "sets": {"basic:2": 1},
    "elements": {"small-follower": 7, "farmers": True, "abbot": 1, "garden": True},
}


def message(kind, **payload):
    return {"type": kind, "payload": payload}


def place(tile, rotation, x, y):
    return message("PLACE_TILE", tileId=tile, rotation=f"R{rotation}", position=[x, y])


def pointer(x, y, feature, location):
    return {"position": [x, y], "feature": feature, "location": location}


def deploy(figure, x, y, feature, location):
    return message("DEPLOY_MEEPLE", pointer=pointer(x, y, feature, location), meepleId=figure)


def floor(x, y, token="TOWER_PIECE"):
    return message("PLACE_TOKEN", token=token, pointer=pointer(x, y, "Tower", "I"))


def capture(figure, x, y, feature, location):
    where = {"featurePointer": pointer(x, y, feature, location), "meepleId": figure}
    return message("CAPTURE_FOLLOWER", pointer=where)


def take_back(figure, x, y, feature):
    where = {"featurePointer": pointer(x, y, feature, "I"), "meepleId": figure}
    return message("RETURN_MEEPLE", pointer=where, source="ABBOT_RETURN")


def ransom(figure):
    return message("PAY_RANSOM", meepleId=figure)


PASS = message("PASS")
COMMIT = message("COMMIT", random=0.25)


def document(*replay, players=("Ann", "Bob"), order=None, end=None, claims=None, start=START, **setup):
    """A save as a dict; `setup` replaces sets, elements and rules."""
    annotations = {} if order is None else {"drawOrder": list(order)}
    if end is not None:
        annotations["endTurn"] = end
    parts = {
        "appVersion": "6.2.0",
        "gameId": "1",
        "name": "",
        "initialRandom": 0.5,
        "created": "2026-01-01T00:00:00.000Z",
        "clock": 0,
        "setup": {
            "sets": {"basic:1": 1},
            "elements": {"small-follower": 7, "farmers": True},
            "rules": {},
            "timer": None,
            "start": [start],
            **setup,
        },
        "players": [{"name": name, "slot": slot} for slot, name in enumerate(players)],
        "replay": list(replay),
        "gameAnnotations": annotations,
    }
    return parts if claims is None else {**parts, "test": {"description": "", "assertions": list(claims)}}


def save(*replay, **options):
    """The text of `document`."""
    return json.dumps(document(*replay, **options))
