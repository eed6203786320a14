"""The README's program runs as it stands."""

import re
from pathlib import Path

import pytest

README = Path(__file__).parent.parent / "README.md"


def test_the_python_example_says_where_ana_lives(capsys: pytest.CaptureFixture[str]) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    exec(compile(program, "README.md", "exec"), {})
    assert "Munich" == capsys.readouterr().out.splitlines()[0]
