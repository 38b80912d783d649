"""Pictures: arrays of pixels that show themselves in a notebook."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from pliant._pliant import gif


def png_bytes(pixels: np.ndarray[Any, np.dtype[np.uint8]]) -> bytes:
    """An array (height, width, 3) of uint8 as a PNG file."""
    import struct
    import zlib

    height, width, _ = pixels.shape
    rows = np.zeros((height, 1 + 3 * width), np.uint8)  # a byte in front of each row: no filter
    rows[:, 1:] = pixels.reshape(height, 3 * width)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows.tobytes(), 6)) + chunk(b"IEND", b"")


class Picture(np.ndarray[Any, np.dtype[np.uint8]]):
    """A picture: an array (height, width, 3) of uint8, rows from the top. A notebook shows it."""

    def _repr_png_(self) -> bytes | None:
        if self.ndim != 3 or self.shape[2] != 3 or self.dtype != np.uint8:
            return None  # a part of a picture, or numbers made of one
        return png_bytes(np.ascontiguousarray(self))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a PNG file."""
        data = self._repr_png_()
        if data is None:
            raise ValueError("only a whole picture of bytes (height, width, 3) can be saved")
        with open(path, "wb") as file:
            file.write(data)


def save_gif(path: str | os.PathLike[str], pictures: Sequence[np.ndarray[Any, np.dtype[np.uint8]]], seconds: float = 0.04) -> None:
    """Pictures of one size as a GIF that repeats forever; seconds: how long each is shown."""
    if not pictures:
        raise ValueError("a GIF needs at least one picture")
    height, width = pictures[0].shape[:2]
    gif(path, [np.ascontiguousarray(p, np.uint8).tobytes() for p in pictures], width, height, seconds)
