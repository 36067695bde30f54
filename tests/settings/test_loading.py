"""Settings in the wrong form: one sentence, and nothing is ignored in silence."""

from __future__ import annotations

from pathlib import Path

import pytest

from bancada.domain.errors import SettingsError
from bancada.settings import load_settings, unknown_variables


def refusal(folder: Path, **environment: str) -> str:
    with pytest.raises(SettingsError) as refused:
        load_settings(data=folder, environment=environment)
    return str(refused.value)


def test_a_list_has_commas(tmp_path: Path) -> None:
    env = {"BANCADA_EGRESS_PRIVATE": "10.0.0.5:8080, [fd00::1]:443,"}
    settings = load_settings(data=tmp_path, environment=env)
    assert settings.egress_private == ["10.0.0.5:8080", "[fd00::1]:443"]


def test_a_list_written_as_json_is_refused_and_not_ignored(tmp_path: Path) -> None:
    said = refusal(tmp_path, BANCADA_EGRESS_PRIVATE='["10.0.0.5:8080"]')
    assert said == (
        "BANCADA_EGRESS_PRIVATE is a list with commas between its parts (a, b), not JSON."
    )


@pytest.mark.parametrize("wrong", ["10.0.0.5", "localhost:80", "10.0.0.5:x", "http://10.0.0.5:80"])
def test_what_can_never_match_an_address_is_refused(tmp_path: Path, wrong: str) -> None:
    said = refusal(tmp_path, BANCADA_EGRESS_PRIVATE=wrong)
    assert f"{wrong!r} is not an address with its port, such as 10.0.0.5:8080" in said


def test_a_number_that_is_none_is_said_with_its_setting(tmp_path: Path) -> None:
    assert refusal(tmp_path, BANCADA_PORT="abc").startswith("The setting port is wrong:")


def test_a_variable_that_is_no_setting_is_told_with_what_was_meant() -> None:
    told = unknown_variables(
        {
            "BANCADA_LOCAL_PASSWORD": "false",
            "BANCADA_PORT": "1",
            "BANCADA_OIDC_CASA_CLIENT_SECRET": "x",
            "PATH": "/bin",
        }
    )
    assert told == [
        "There is no setting called BANCADA_LOCAL_PASSWORD: it is not used. "
        "Did you mean BANCADA_LOCAL_PASSWORDS?"
    ]
