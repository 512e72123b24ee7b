"""Chat and reactions at a table."""

from tests.server.live_server import LiveServer, server_test


@server_test
async def test_reactions_chat_and_muting(live_server: LiveServer) -> None:
    table, (ola, max_) = await live_server.create_table(agreement={"chat": True})
    await ola.send(kind="react", reaction="clap")
    line = await max_.wait_for("line")
    assert (line["seat"], line["reaction"], line["text"]) == (0, "clap", None)
    await max_.send(kind="chat", text="  Ahoj\u202e,\0 Olo!\n")
    line = await ola.wait_for("line")
    while line["text"] is None:
        line = await ola.wait_for("line")
    assert (line["seat"], line["text"]) == (1, "Ahoj, Olo!")
    await ola.ask("PUT", f"/api/tables/{table}/seats/1/muted", {"muted": True})
    await max_.send(kind="chat", text="Hm?")
    assert (await max_.wait_for("refused"))["reason"] == "muted"
    await ola.ask("PUT", f"/api/tables/{table}/agreement", {"chat": False})
    await ola.send(kind="chat", text="Hm.")
    assert (await ola.wait_for("refused"))["reason"] == "no_chat"
    for bad in ("", "x" * 281):
        await ola.send(kind="chat", text=bad)
        assert (await ola.wait_for("refused"))["reason"] == "bad_request"
