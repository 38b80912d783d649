"""Recordings, tables, series, surfaces, pictures, runs."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest

import pliant as pl


def test_a_recording_is_replayed_and_continued(block: pl.Model, tmp_path: Path) -> None:
    path = tmp_path / "run.plrec"
    data = pl.Data(block)
    hashes, positions = [], []
    with pl.Recording(path, block) as recording:
        for _ in range(6):
            recording.write(data)
            hashes.append(data.hash)
            positions.append(data.q.copy())
            data.step()
    assert recording.closed
    with pytest.raises(pl.InputError, match="closed"):
        recording.write(data)
    replay = pl.Replay(path)
    assert len(replay) == replay.info.nframe == 6 and replay.info.closed
    assert replay.times == pytest.approx(0.01 * np.arange(6))
    shown = replay[3]
    assert isinstance(shown, pl.Data) and shown.is_replay and shown is replay.data
    assert np.array_equal(shown.q, positions[3])
    assert np.array_equal(replay.seek(-1).q, positions[5])
    assert replay.nearest(0.021) == 2
    assert shown["block"].com.shape == (3,)
    with pytest.raises(pl.InputError):
        shown.step()
    with pytest.raises(pl.InputError):
        shown.reset()
    with pytest.raises(pl.InputError):
        shown.copy()
    with pytest.raises(pl.InputError):
        pl.Data(replay.model)
    with pytest.raises(ValueError):
        shown.q[0] = 1
    with pytest.raises(AttributeError):
        _ = shown.energy
    with pytest.raises(IndexError):
        replay[6]
    again = pl.Data(block)
    replay.seek(3)
    replay.restore(again)
    assert again.hash == hashes[3]
    again.step()
    assert again.hash == hashes[4]
    del replay
    assert np.isfinite(shown.q).all()  # it keeps the recording
    with pl.Recording(tmp_path / "b.plrec", block) as other:
        other.write(again)
    with pl.Recording.resume(tmp_path / "b.plrec", again) as other:
        again.step()
        other.write(again)
    assert len(pl.Replay(tmp_path / "b.plrec")) == 2


def test_files_of_other_kinds_are_not_overwritten(block: pl.Model, tmp_path: Path) -> None:
    precious = tmp_path / "notes.txt"
    precious.write_text("do not lose this")
    with pytest.raises(pl.Error):
        pl.Recording(precious, block)
    with pytest.raises(pl.Error):
        pl.Csv(precious, block, "time")
    with pytest.raises(pl.Error):
        pl.Data(block).save_state(precious)
    assert precious.read_text() == "do not lose this"
    with pytest.raises(pl.FileError):
        pl.Replay(tmp_path / "nowhere.plrec")
    with pytest.raises(pl.Error):
        pl.Replay(precious)


def test_tables_series_and_surfaces(block: pl.Model, tmp_path: Path) -> None:
    data = pl.Data(block)
    with pl.Csv(tmp_path / "z.csv", block, "time, block.com.z") as table, pl.Csv(tmp_path / "points.csv") as points:
        with pl.Series(tmp_path / "series", block) as series:
            for _ in range(20):
                data.step()
                table.write(data)
                points.write(data)
            series.write(data)
    rows = list(csv.reader(io.StringIO((tmp_path / "z.csv").read_text())))
    assert rows[0] == ["time [s]", "block.com.z [m]"]
    assert float(rows[-1][1]) == data["block"].com[2]
    assert len((tmp_path / "points.csv").read_text().splitlines()) > 10
    assert (tmp_path / "series" / "series.pvd").exists()
    for name in ["a.obj", "a.ply"]:
        pl.save_surface(data, tmp_path / name)
        assert pl.mesh.load(tmp_path / name).check().nvert > 20
    with pytest.raises(pl.InputError):
        pl.save_surface(data, tmp_path / "a.xyz")


def test_states_as_files(block: pl.Model, pendulum: pl.Model, tmp_path: Path) -> None:
    data = pl.Data(block)
    data.step(3)
    data.save_state(tmp_path / "a.state")
    other = pl.Data(block)
    other.load_state(tmp_path / "a.state")
    assert other.hash == data.hash
    with pytest.raises(pl.Mismatch):
        pl.Data(pendulum).load_state(tmp_path / "a.state")


def test_pictures(block: pl.Model, tmp_path: Path) -> None:
    data = pl.Data(block)
    data.step(20)
    picture = data.picture(width=160, colour="von_mises", path=tmp_path / "a.png", samples=1)
    assert isinstance(picture, pl.Picture)
    assert picture.shape == (100, 160, 3) and picture.dtype == np.uint8
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 50
    png = picture._repr_png_()
    assert png is not None and png[:8] == b"\x89PNG\r\n\x1a\n" == (tmp_path / "a.png").read_bytes()[:8]
    assert picture[0]._repr_png_() is None
    turned = data.picture(width=160, azimuth=30, zoom=2, samples=1)
    assert not np.array_equal(turned, data.picture(width=160, samples=1))
    with pytest.raises(pl.InputError, match="one of body"):
        data.picture(colour="red")
    with pytest.raises(pl.InputError, match="16 to 16384"):
        data.picture(width=4)
    with pytest.raises(pl.InputError, match="did you mean 'azimuth'"):
        data.picture(azimut=3)


def test_gifs(block: pl.Model, tmp_path: Path) -> None:
    data = pl.Data(block)
    pictures = []
    for _ in range(3):
        data.step(5)
        pictures.append(data.picture(width=80, samples=1))
    pl.save_gif(tmp_path / "a.gif", pictures)
    assert (tmp_path / "a.gif").read_bytes()[:6] == b"GIF89a"
    with pytest.raises(pl.InputError, match="another size"):
        pl.save_gif(tmp_path / "b.gif", [*pictures, data.picture(width=96, samples=1)])
    assert not (tmp_path / "b.gif").exists()


def test_runs(block: pl.Model, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = pl.Data(block)
    seen: list[float] = []
    data.run(until=0.2, record=tmp_path / "r.plrec", rate=50, each=lambda d: seen.append(d.time), progress=True)
    assert data.time == pytest.approx(0.2) and len(seen) == 20
    assert len(pl.Replay(tmp_path / "r.plrec")) == 11
    data.run()
    assert data.time == pytest.approx(block.options.duration)
