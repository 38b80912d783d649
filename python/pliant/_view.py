"""The page in the browser: a live simulation, or a recording."""

from __future__ import annotations

import html
import math
import os
import time as clock
from typing import Any

from pliant import _pliant
from pliant._data import Data, _time
from pliant._pliant import InputError, Replay


class Viewer(_pliant.Viewer):
    """A page in the browser that shows a simulation or a recording; pliant.view makes one.

    Who steps? You, with sync() after each step; or run(), which does both; or start(), after which a thread of the viewer steps
    until stop(). The page's play, pause, rewind, hands and sliders work in all three. Pages that show the address's token may
    control; others may watch.
    """

    def run(self, until: float | None = None) -> None:
        """Steps, by the clock and the page's buttons, until a time (s; None: forever). Ctrl-C ends it.

        Of a recording, which plays by itself: waits.
        """
        data: Data | None = self.data
        end = _time(until, math.inf)
        half = 0.5 * data.options.dt if data is not None else 0.0
        try:
            while data is None and not self.closed:
                clock.sleep(0.1)
            while data is not None and not self.closed and data.time < end - half:
                data.step()
                self.sync()
        except KeyboardInterrupt:
            pass
        except InputError:
            if not self.closed:  # else by another thread
                raise

    def __enter__(self) -> Viewer:
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return "<Viewer: closed>" if self.closed else f"<Viewer: {self.address}>"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        if self.closed:
            return "<p>This viewer was closed.</p>"
        address = html.escape(self.address)
        return f'<p>Pliant shows this at <a href="{address}" target="_blank" rel="noopener">{address}</a></p>'


def view(
    what: Data | Replay | str | os.PathLike[str],
    *,
    name: str | None = None,
    bind: str = "127.0.0.1",
    port: int = 0,
    paused: bool = False,
    speed: float = 1.0,
    browser: bool = False,
    quiet: bool = False,
) -> Viewer:
    """Shows a simulation or a recording as a page in the browser and prints its address; returns at once.

    what: a Data, or a recording: its path or a Replay. name: what the page calls it.
    bind: the address to serve at; "127.0.0.1": this machine alone, "0.0.0.0": everyone. port: 0: any that is free.
    paused: wait for the page's play button. speed: simulated seconds per second; 0: as fast as possible.
    browser: open the page in the default browser. quiet: do not print the address, which Viewer.address has.

        viewer = pl.view(data)
        while data.time < 10:
            data.step()
            viewer.sync()
    """
    if isinstance(what, Replay):
        what = what.path
    if isinstance(what, (str, os.PathLike)):
        name = name if name is not None else os.path.splitext(os.path.basename(os.fspath(what)))[0]
    elif not isinstance(what, Data):
        raise InputError(f"view shows a Data, a Replay or the path of a recording, got {what!r}")
    elif what.is_replay:
        raise InputError("this Data shows a recording: give view the Replay, or its path")
    viewer = Viewer(what, name=name or "simulation", bind=bind, port=port, paused=paused, speed=speed)
    if not quiet:
        print(viewer.address, flush=True)
    if browser:
        import webbrowser

        webbrowser.open(viewer.address)
    return viewer
