"""The page in the browser: what is shown, who may control, threads, Ctrl-C, the end."""

from __future__ import annotations

import base64
import http.client
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from models import block_model, point_model

import pliant as pl


class Page:
    """A page as the server sees one: a WebSocket that takes frames and gives orders."""

    def __init__(self, address: str, token: bool = True) -> None:
        host, rest = address.removeprefix("http://").split("/", 1)
        name, port = host.split(":")
        self.socket = socket.create_connection((name, int(port)), timeout=20)
        query = "?" + rest.removeprefix("#") if token else ""
        key = base64.b64encode(os.urandom(16)).decode()
        head = f"GET /socket{query} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n"
        self.socket.sendall(head.encode())
        self.rest = b""
        while b"\r\n\r\n" not in self.rest:
            self.rest += self.socket.recv(65536)
        answer, self.rest = self.rest.split(b"\r\n\r\n", 1)
        assert b" 101 " in answer.split(b"\r\n")[0]
        kind, scene = self.message()
        assert kind == 2 and scene[:4] == b"PLSC"
        self.scene: dict[str, Any] = json.loads(scene[8 : 8 + struct.unpack("<I", scene[4:8])[0]])

    def take(self, n: int) -> bytes:
        while len(self.rest) < n:
            more = self.socket.recv(65536)
            if not more:
                raise EOFError
            self.rest += more
        out, self.rest = self.rest[:n], self.rest[n:]
        return out

    def message(self) -> tuple[int, bytes]:
        first, length = self.take(2)
        if length >= 126:
            length = int.from_bytes(self.take(2 if length == 126 else 8), "big")
        return first & 15, self.take(length)

    def send(self, text: str) -> None:
        mask, data = b"\1\2\3\4", text.encode()
        self.socket.sendall(bytes([0x81, 0x80 | len(data)]) + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def frame(self, after: float = -1.0) -> dict[str, Any]:
        """The next frame that shows a time beyond `after`."""
        while True:
            kind, data = self.message()
            if kind != 2 or data[:4] != b"PLVW":
                continue
            self.send("ack")
            flags = struct.unpack("<I", data[8:12])[0]
            assert data[160:164] == b"PLFR"
            shown = {"time": struct.unpack("<d", data[168:176])[0], "playing": bool(flags & 1), "replay": bool(flags & 2)}
            if shown["time"] > after:
                return shown

    def text(self) -> dict[str, str]:
        while True:
            kind, data = self.message()
            if kind == 1:
                said: dict[str, str] = json.loads(data)
                return said

    def close(self) -> None:
        self.socket.close()


@pytest.fixture
def data() -> pl.Data:
    return pl.Data(block_model())


def test_own_steps_are_shown_and_keep_their_bits(data: pl.Data, capsys: pytest.CaptureFixture[str]) -> None:
    plain = data.copy()
    with pl.view(data, speed=0, name="my block") as viewer:
        assert capsys.readouterr().out == viewer.address + "\n"
        page = Page(viewer.address)
        assert page.scene["name"] == "my block" and page.scene["deformables"][0]["name"] == "block"
        assert page.frame()["time"] == 0
        for _ in range(10):
            data.step()
            viewer.sync()
            plain.step()
        assert data.hash == plain.hash
        while page.frame()["time"] < 0.1 - 1e-9:
            time.sleep(0.02)
            viewer.sync()
        assert viewer.pages == 1 and "Viewer: http" in repr(viewer)
        assert f'href="{viewer.address}"' in viewer._repr_html_()
        page.close()
    assert viewer.closed and "closed" in repr(viewer) and "closed" in viewer._repr_html_()
    with pytest.raises(pl.InputError, match="closed"):
        viewer.sync()
    viewer.close()
    data.step()


def test_a_client_without_compression_gets_a_sentence(data: pl.Data) -> None:
    with pl.view(data, port=0) as viewer:
        port = int(viewer.address.split(":")[2].split("/")[0])
        for method in ("GET", "HEAD"):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
            connection.putrequest(method, "/", skip_accept_encoding=True)
            connection.endheaders()
            answer = connection.getresponse()
            text = answer.read().decode()
            assert answer.status == 200 and answer.headers["Content-Type"].startswith("text/plain")
            assert ("browser" in text) == (method == "GET") and answer.headers["Content-Encoding"] is None
            connection.close()


def test_the_page_pauses_steps_and_rewinds(data: pl.Data) -> None:
    with pl.view(data, speed=0, quiet=True) as viewer:
        page = Page(viewer.address)
        thread = threading.Thread(target=viewer.run)
        thread.start()
        page.frame(after=0.05)
        page.send("pause")
        while page.frame()["playing"]:
            pass
        page.send("step 3")
        page.send("reset")
        page.send("play")
        page.frame(after=0.02)
        with pytest.raises(RuntimeError, match="another thread"):
            while True:  # between two calls of the other thread the simulation is free for a moment
                data.step()
                viewer.sync()
        viewer_closed = False
        while not viewer_closed:
            try:
                viewer.close()
                viewer_closed = True
            except RuntimeError:  # the other thread is just in it
                pass
        thread.join(20)
        assert not thread.is_alive()
        page.close()


def test_a_thread_of_the_viewer_steps(data: pl.Data) -> None:
    viewer = pl.view(data, speed=0, quiet=True)
    page = Page(viewer.address)
    viewer.start()
    assert viewer.started
    page.frame(after=0.03)
    with pytest.raises(RuntimeError, match="another thread"):
        data.step()
    viewer.stop()
    now = data.time
    assert now > 0.03
    data.step()
    viewer.sync()
    viewer.start()
    page.frame(after=now + 0.03)
    page.close()
    viewer.close()
    before = data.time
    data.step()
    assert data.time > before


def test_only_who_shows_the_token_controls(data: pl.Data) -> None:
    with pl.view(data, paused=True, quiet=True) as viewer:
        guest, owner = Page(viewer.address, token=False), Page(viewer.address)
        viewer.start()
        guest.send("play")
        assert "may only watch" in guest.text()["text"]
        owner.send("play")
        owner.frame(after=0.01)
        guest.frame(after=0.01)


def test_other_threads_run_while_it_waits(data: pl.Data) -> None:
    with pl.view(data, paused=True, quiet=True) as viewer:
        page = Page(viewer.address)
        thread = threading.Thread(target=viewer.sync)
        thread.start()
        time.sleep(0.2)
        assert thread.is_alive()
        page.send("play")
        thread.join(20)
        assert not thread.is_alive()


def test_recordings(tmp_path: Path, data: pl.Data) -> None:
    path = tmp_path / "drop.plrec"
    data.run(0.2, record=path, progress=False)
    for what in (path, str(path), pl.Replay(path)):
        with pl.view(what, quiet=True) as viewer:
            page = Page(viewer.address)
            assert page.scene["name"] == "drop" and viewer.data is None and viewer.note == ""
            assert page.frame(after=0.1)["replay"]
            viewer.sync()
            viewer.start()
            viewer.stop()
    with pytest.raises(pl.InputError, match="shows a recording"):
        pl.view(pl.Replay(path).data)
    with pytest.raises(pl.FileError):
        pl.view(tmp_path / "nothing.plrec")


def test_wrong_arguments(data: pl.Data) -> None:
    cases: list[tuple[dict[str, Any], str]] = [({"port": 70000}, "port"), ({"speed": -1.0}, "speed"), ({"speed": float("nan")}, "speed"), ({"bind": "no.such.host.invalid"}, "not known")]
    for wrong, words in cases:
        with pytest.raises(pl.InputError, match=words):
            pl.view(data, quiet=True, **wrong)
    with pytest.raises(pl.InputError, match="Data, a Replay"):
        pl.view(3)  # type: ignore[arg-type]
    with pl.view(data, quiet=True) as viewer:
        port = int(viewer.address.split(":")[2].split("/")[0])
        with pytest.raises(pl.InputError, match="in use"):
            pl.view(data, port=port, quiet=True)


def test_a_forgotten_viewer_closes_itself() -> None:
    data = pl.Data(point_model())
    viewer = pl.view(data, quiet=True, speed=0)
    host = ("127.0.0.1", int(viewer.address.split(":")[2].split("/")[0]))
    viewer.start()
    del viewer
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(host, timeout=5)
    data.step()
    assert np.isfinite(data.q).all()


PROGRAM = """
import signal, sys, pliant as pl
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
data = pl.Data(pl.load("block"))
viewer = pl.view(data)
if "start" in sys.argv:
    viewer.start()
    sys.exit(0)                # a viewer that still steps
if "fork" in sys.argv:
    import os
    child = os.fork()
    if child == 0:
        viewer.close()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    data.step(); viewer.sync()
    sys.exit(0)
viewer.run()
print("ended", data.time > 0, flush=True)
"""


@pytest.mark.parametrize("how", ["start", "fork"])
def test_the_interpreter_ends_with_an_open_viewer(how: str) -> None:
    # from 3.12 on Python warns of any fork with threads
    done = subprocess.run([sys.executable, "-W", "ignore::DeprecationWarning", "-c", PROGRAM, how], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stderr == "" and done.stdout.startswith("http://127.0.0.1:")


def test_ctrl_c_ends_run() -> None:
    child = subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout
    page = Page(child.stdout.readline().strip())
    page.frame(after=0.01)
    child.send_signal(signal.SIGINT)
    out, error = child.communicate(timeout=60)
    assert (child.returncode, out, error) == (0, "ended True\n", "")
