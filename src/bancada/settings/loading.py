"""Reading the settings: the environment, then `.env`, then `bancada.toml`.

The first two name things (`BANCADA_DATA`, `ANTHROPIC_API_KEY`, …); the file in
the data folder uses the same names in lower case.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args, get_origin

from pydantic import ValidationError

from bancada.domain.errors import SettingsError
from bancada.settings.settings import Settings


def load_settings(
    *, data: Path | None = None, environment: Mapping[str, str] | None = None, **given: Any
) -> Settings:
    """Read the settings; what is given here (a command's options) counts most."""
    env = _dotenv(Path(".env")) | dict(os.environ if environment is None else environment)
    aliases = {field.alias: name for name, field in Settings.model_fields.items() if field.alias}
    values: dict[str, Any] = {
        name: _read(name, env[alias]) for alias, name in aliases.items() if env.get(alias)
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


def _read(name: str, text: str) -> Any:
    kind = Settings.model_fields[name].annotation
    is_list = any(get_origin(one) is list for one in (kind, *get_args(kind)))
    return [part.strip() for part in text.split(",")] if is_list else text


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
    aliases = {f.alias: n for n, f in Settings.model_fields.items() if f.alias}
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
