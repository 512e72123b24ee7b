"""A bot that plays both games at a table of a Pytlik server:

    python bot.py http://127.0.0.1:8000/t/<table> [name]

It lays the longest chain that it finds, fills every card, and leaves when the match is over. Needs
`pip install websockets`, and nothing of Pytlik. docs/bots.md explains how it works.
"""

import json
import secrets
import sys
import time
from collections import deque
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import connect

# ----------------------------------------------------------------------------------------- Unikat

NEIGHBOUR_OFFSETS = ((1, 0), (-1, 0), (0, 1), (0, -1))
MAX_SEARCH_STEPS = 20_000  # of the search for a chain; then it takes the longest so far


def may_touch(tile, other):
    """May these two touch? They differ in exactly one of four features."""
    return sum(a != b for a, b in zip(tile, other, strict=True)) == 1


def longest_chain(board, hand, starts):
    """The chain found, in the order of laying. `starts` are the places of a first tile, as the
    server sends them; each further tile touches the one before it, and fits all that it touches."""
    laid = {(x, y): tile for x, y, tile in board}
    best, steps = [], MAX_SEARCH_STEPS

    def fits(tile, x, y):
        beside = [laid[x + dx, y + dy] for dx, dy in NEIGHBOUR_OFFSETS if (x + dx, y + dy) in laid]
        return (x, y) not in laid and all(may_touch(tile, other) for other in beside)

    def search(chain, left):
        nonlocal best, steps
        if len(chain) > len(best):
            best = list(chain)
        _, x, y = chain[-1]
        for tile in left:
            for dx, dy in NEIGHBOUR_OFFSETS:
                if steps and fits(tile, x + dx, y + dy):
                    steps -= 1
                    lay(chain, left, tile, x + dx, y + dy)

    def lay(chain, left, tile, x, y):
        laid[x, y] = tile
        search([*chain, [tile, x, y]], [other for other in left if other != tile])
        del laid[x, y]

    for tile in hand:
        for x, y in starts.get(tile, ()):
            lay([], hand, tile, x, y)
    return best


def choose_unikat_action(view):
    can, hand = view["choices"], view["hand"]
    if can["lay"]:
        return {"kind": "lay", "tiles": longest_chain(view["board"], hand, can["lay"])}
    for kind in ("decline", "pass", "ready"):
        if can[kind]:
            return {"kind": kind}

    def count_partners(tile):
        """How many tiles of the hand it could lie beside; one from the bag counts as one."""
        return 1 if tile == "bag" else sum(may_touch(tile, other) for other in hand)

    if can["draw"]:
        return {"kind": "draw", "take": max(can["take"], key=count_partners)}
    if can["swap"]:
        give = min(hand, key=count_partners)
        return {"kind": "swap", "give": give, "take": max(can["take"], key=count_partners)}
    return None  # others are to move


# ----------------------------------------------------------------------------------------- Ubongo


def orientations(piece):
    """A piece, turned and flipped, each with its first cell at (0, 0)."""
    found = set()
    for _ in range(2):
        for _ in range(6):
            piece = sorted((-r, q + r) for q, r in piece)
            found.add(tuple((q - piece[0][0], r - piece[0][1]) for q, r in piece))
        piece = [(r, q) for q, r in piece]
    return found


def solve(area, pieces):
    """The cells of each piece, so that together they cover the area; None, if they can't."""
    if not pieces:
        return {} if not area else None
    q0, r0 = min(area)  # some piece has its first cell here
    for number, piece in pieces.items():
        others = {other: cells for other, cells in pieces.items() if other != number}
        for shape in orientations(piece):
            cells = {(q0 + q, r0 + r) for q, r in shape}
            if cells <= area and (rest := solve(area - cells, others)) is not None:
                return {**rest, number: sorted(cells)}
    return None


def choose_ubongo_action(view):
    if view["choices"]["ready"]:
        return {"kind": "ready"}
    if not view["choices"]["solve"]:
        return None
    me = str(view["seat"])  # keys of JSON objects are texts
    deal, placed = view["deals"][me], view["placed"].get(me, {})
    solution = solve({tuple(cell) for cell in deal["area"]}, deal["pieces"])
    missing = [number for number in solution if number not in placed]
    return {"kind": "place", "piece": int(missing[0]), "cells": solution[missing[0]]}


# -------------------------------------------------------------------------------------- the table

CHOOSE = {"unikat": choose_unikat_action, "ubongo": choose_ubongo_action}
NO_SUCH_TABLE = 4404  # the close code for a table that doesn't exist
MAX_MESSAGES, WINDOW_SECONDS = 100, 20  # fewer messages than the server allows in that time


def post(url, body, token=None):
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    try:
        with urlopen(Request(url, json.dumps(body).encode(), headers)) as answer:
            return json.load(answer)
    except HTTPError as error:
        raise OSError(f"{url}: {error.code} {error.read().decode()}") from None


class Player:
    """One connection to the table. Its first update has everything that was missed before."""

    def __init__(self, socket, sent, agree):
        self.socket, self.sent = socket, sent
        self.agree = agree  # agrees to a pause or to its end, which needs everyone
        self.agreed = False  # whether it has agreed already
        self.update = None  # the latest one
        self.act = None  # the request that waits for its answer
        self.done = 0  # the `seq` of an update that shows the last action

    def play(self):
        """Play until the match or the connection ends. Returns whether there's nothing more to
        play."""
        for data in self.socket:
            message = json.loads(data)
            match message["kind"]:
                case "ping":
                    self.send({"kind": "pong", "n": message["n"]})
                case "update":
                    self.update = message
                    if message["view"]["outcome"]:
                        return True
                    self.consider()
                case "done" if self.act and message["id"] == self.act["id"]:
                    self.act, self.done = None, message["seq"]
                    self.consider()
                case "refused" if self.act and message["id"] == self.act["id"]:
                    self.refused(message["reason"])
                case "table_changed":
                    self.table_changed(message["table"], message["yours"])
                case "table_gone":
                    return True
        return False

    def consider(self):
        """Act, unless an answer is pending, or the update that shows the last action."""
        if self.act or not self.update or self.update["seq"] < self.done:
            return
        view, seq, match = (self.update[field] for field in ("view", "seq", "match"))
        if action := CHOOSE[view["game"]](view):
            # The same request always has the same id, so nothing is done twice.
            asked = {"id": f"at-{seq}", "match": match, "seat": view["seat"], "action": action}
            self.act = {"kind": "act", **asked}
            self.send(self.act)

    def table_changed(self, table, yours):
        if table["pausing"] and not set(yours) & set(table["pausing"]) and not self.agreed:
            self.agree()
        self.agreed = bool(table["pausing"])
        if self.act and not table["paused"]:
            self.send(self.act)  # it may have been refused because of a pause

    def refused(self, reason):
        if reason == "paused":
            return  # it's sent again when the pause is over
        print("refused:", reason, file=sys.stderr)
        if reason in ("unavailable", "too_early"):
            time.sleep(1)
            self.send(self.act)
        else:
            self.act = None  # the next update says what has changed meanwhile

    def send(self, message):
        if len(self.sent) == MAX_MESSAGES:
            time.sleep(max(0, self.sent[0] + WINDOW_SECONDS - time.monotonic()))
        self.sent.append(time.monotonic())
        self.socket.send(json.dumps(message))


def main(link, name="Bot"):
    server, _, table = link.rstrip("/").rpartition("/t/")
    token = post(f"{server}/api/tokens", {})["token"]
    seat = {"name": name, "share": secrets.token_hex(16)}
    post(f"{server}/api/tables/{table}/seats", seat, token)
    address = f"{server}/api/tables/{table}/socket".replace("http", "ws", 1)
    headers, sent = {"Authorization": f"Bearer {token}"}, deque(maxlen=MAX_MESSAGES)

    def agree():
        post(f"{server}/api/tables/{table}/pause", {}, token)

    while True:
        try:
            with connect(address, additional_headers=headers, compression=None) as socket:
                if Player(socket, sent, agree).play():
                    return
        except ConnectionClosed as closed:
            if closed.rcvd and closed.rcvd.code == NO_SUCH_TABLE:
                return
        except (OSError, WebSocketException):
            pass  # the server may come back
        time.sleep(1)  # then connect again


if __name__ == "__main__":
    main(*sys.argv[1:])
