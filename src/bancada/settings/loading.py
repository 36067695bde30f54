"""Reading the settings: the environment, then `.env`, then `bancada.toml`.

The first two name things (`BANCADA_DATA`, `ANTHROPIC_API_KEY`, …); the file in
the data folder uses the same names in lower case.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, get_args, get_origin

from pydantic import ValidationError

from bancada.domain.errors import SettingsError
from bancada.settings.settings import Settings

_CLIENT_SECRET = re.compile("BANCADA_OIDC_[A-Z0-9_]+_CLIENT_SECRET")


def load_settings(
    *, data: Path | None = None, environment: Mapping[str, str] | None = None, **given: Any
) -> Settings:
    """Read the settings; what is given here (a command's options) counts most."""
    env = _dotenv(Path(".env")) | dict(os.environ if environment is None else environment)
    values: dict[str, Any] = {
        name: _read(alias, name, env[alias]) for alias, name in _aliases().items() if env.get(alias)
    }
    if data is not None:
        values["data"] = data
    folder = Path(values.get("data", Settings.model_fields["data"].default))
    values = _toml(folder / "bancada.toml") | values
    _client_secrets(values.get("oidc"), env)
    smtp = (values.get("notices") or {}).get("smtp")
    if isinstance(smtp, dict) and env.get("BANCADA_SMTP_PASSWORD"):
        smtp["password"] = env["BANCADA_SMTP_PASSWORD"]
    values |= {name: value for name, value in given.items() if value is not None}
    try:
        return Settings(**values)
    except ValidationError as error:
        raise SettingsError(_explained(error)) from error


def unknown_variables(environment: Mapping[str, str] | None = None) -> list[str]:
    """A sentence for each variable that is called as a setting is, and is none."""
    known = [*_aliases(), "BANCADA_SMTP_PASSWORD"]
    env = _dotenv(Path(".env")) | dict(os.environ if environment is None else environment)
    told: list[str] = []
    for name in sorted(env):
        if not name.startswith("BANCADA_") or name in known or _CLIENT_SECRET.fullmatch(name):
            continue
        near = get_close_matches(name, known, n=1)
        meant = f" Did you mean {near[0]}?" if near else ""
        told.append(f"There is no setting called {name}: it is not used.{meant}")
    return told


def _aliases() -> dict[str, str]:
    """The settings by what they are called in the environment."""
    return {field.alias: name for name, field in Settings.model_fields.items() if field.alias}


def _read(alias: str, name: str, text: str) -> Any:
    kind = Settings.model_fields[name].annotation
    if not any(get_origin(one) is list for one in (kind, *get_args(kind))):
        return text
    if text.lstrip().startswith(("[", '"')) and text.rstrip().endswith(("]", '"')):
        raise SettingsError(f"{alias} is a list with commas between its parts (a, b), not JSON.")
    return [part.strip() for part in text.split(",") if part.strip()]


def _client_secrets(providers: Any, env: Mapping[str, str]) -> None:
    """A provider's secret may stand in the environment instead of the file."""
    for name, one in providers.items() if isinstance(providers, dict) else ():
        variable = f"BANCADA_OIDC_{str(name).upper().replace('-', '_')}_CLIENT_SECRET"
        if env.get(variable) and isinstance(one, dict):
            one["client_secret"] = env[variable]


def _dotenv(path: Path) -> dict[str, str]:
    """`NAME=value` lines; quotes around a value are dropped."""
    if not path.is_file():
        return {}
    found: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        name, sign, value = line.strip().removeprefix("export ").partition("=")
        if sign and name and not name.startswith("#"):
            found[name.strip()] = value.strip().strip("\"'")
    return found


def _toml(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        read = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} cannot be read: {error}") from error
    known = set(Settings.model_fields)
    aliases = _aliases()
    values: dict[str, Any] = {}
    for key, value in read.items():
        alias = aliases.get(key.upper(), aliases.get(f"BANCADA_{key.upper()}", key))
        name = key if key in known else alias
        if name not in known:
            raise SettingsError(f"{path}: there is no setting called {key!r}.")
        values[name] = value
    return values


def _explained(error: ValidationError) -> str:
    first = error.errors()[0]
    says = first["msg"].removeprefix("Value error, ")
    if not first["loc"]:
        return f"The settings are wrong: {says}."
    return f"The setting {'.'.join(map(str, first['loc']))} is wrong: {says}."
