"""gif_pillow.py GIF_WRITE FOLDER HOUSE: GIF files read by Pillow are the pictures that were written."""
import os
import shutil
import subprocess
import sys

sys.path.insert(0, sys.argv[3])
from report import Report

report = Report("gif_pillow")
try:
    from PIL import Image, ImageChops
except ImportError:
    report.skip("no Pillow (Debian: python3-pil)")

program, folder = sys.argv[1:3]
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
report.check("gif_write", [] if subprocess.run([program, folder], check=False).returncode == 0 else ["it failed"])


def difference(name, frames):
    """The largest difference of a channel in each frame."""
    with Image.open(os.path.join(folder, name + ".gif")) as gif:
        report.check(name + " frames", [] if gif.n_frames == frames else [f"{gif.n_frames} frames"])
        report.check(name + " time", [] if gif.info["duration"] == 100 and gif.info["loop"] == 0 else [str(gif.info)])
        worst = []
        for i in range(frames):
            gif.seek(i)
            with Image.open(os.path.join(folder, f"{name}{i}.png")) as png:
                extrema = ImageChops.difference(gif.convert("RGB"), png.convert("RGB")).getextrema()
            worst.append(max(high for _, high in extrema))
        return worst


noise, gradient = difference("noise", 5), difference("gradient", 5)
report.check("few colours are exact", [] if max(noise) == 0 else [str(noise)])
report.check("many colours are near", [] if 0 < max(gradient) <= 40 else [str(gradient)])
report.end()
