"""What the pages say is there."""

from __future__ import annotations

import re

import pytest
from models import ROOT, block_model

import pliant as pl


@pytest.mark.parametrize("page", ["python.md", "from_mujoco.md", "from_drake.md"])
def test_names_on_the_pages_exist(page: str) -> None:
    text = (ROOT / "docs" / page).read_text()
    code = "\n".join(re.findall(r"```python\n(.*?)```", text, re.S) + re.findall(r"`([^`\n]+)`", text))
    data = pl.Data(block_model())
    data.step()
    owners: dict[str, object] = {"pl": pl, "data": data, "model": data.model, "spec": pl.Spec()}
    seen = set(re.findall(r"(?<![\w.\"/])(pl|data|model|spec)\.(\w+)", code))
    assert len(seen) > 15
    missing = [f"{owner}.{name}" for owner, name in seen if not hasattr(owners[owner], name) and name not in ("yaml",)]
    assert missing == []


def test_links_on_the_pages_lead_somewhere() -> None:
    for page in ["python.md", "from_mujoco.md", "from_drake.md"]:
        for target in re.findall(r"\]\(([^)#]+)\)", (ROOT / "docs" / page).read_text()):
            assert (ROOT / "docs" / target).exists(), f"{page}: {target}"
