"""A bot in plain Python that plays Unikat: python bot.py http://127.0.0.1:8000 <table>"""

import json
import random
import sys
from urllib.request import Request, urlopen

from websockets.sync.client import connect

server, table = sys.argv[1:]
headers = {"Content-Type": "application/json"}


def post(path, body):
    with urlopen(Request(server + path, json.dumps(body).encode(), headers)) as answer:
        return json.load(answer)


def choose(view):
    """Any legal action, from the choices that the server sends; None if it is not our turn."""
    can = view["choices"]
    if can["lay"]:
        tile, cells = random.choice(list(can["lay"].items()))
        return {"kind": "lay", "tiles": [[tile, *random.choice(cells)]]}
    if can["draw"]:
        return {"kind": "draw", "take": random.choice(can["take"])}
    for kind in ("decline", "pass", "ready"):
        if can[kind]:
            return {"kind": kind}
    if can["swap"]:
        return {"kind": "swap", "give": view["hand"][0], "take": random.choice(can["take"])}
    return None


headers["Authorization"] = "Bearer " + post("/api/tokens", {})["token"]
seat = post(f"/api/tables/{table}/seats", {"name": "Bot", "share": str(random.random())})["seat"]
address = server.replace("http", "ws", 1) + f"/api/tables/{table}/socket"
with connect(address, additional_headers=headers, compression=None) as socket:
    for data in socket:
        message = json.loads(data)
        if message["kind"] == "ping":
            socket.send(json.dumps({"kind": "pong", "n": message["n"]}))
        if message["kind"] == "update" and message["view"]["outcome"]:
            break
        if message["kind"] == "update" and (action := choose(message["view"])):
            # An id that is the same whenever the same is asked: so nothing is done twice.
            act = {"kind": "act", "id": f"at-{message['seq']}", "seat": seat, "action": action}
            socket.send(json.dumps({**act, "match": message["match"]}))
