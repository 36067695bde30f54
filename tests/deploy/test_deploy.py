"""The image, the compose file and the chart say what the program understands, and agree with each other.

Nothing is built or started here: their commands are read by the real command line, their settings by
the real settings. The chart's templates are filled in by a reader of the few forms they use.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer
import typer.main
import yaml

from bancada.cli import cli
from bancada.server.app import create_app
from bancada.settings import Settings, load_settings

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
OTHERS = {"FORWARDED_ALLOW_IPS", "PATH", "PYTHONDONTWRITEBYTECODE", "MPLCONFIGDIR"}
"""What is not for us: uvicorn's, the shell's, Python's, matplotlib's."""
SECRET = "x" * 48


# ---------------------------------------------------------------------------- reading


def instructions() -> list[tuple[str, str]]:
    """The Containerfile's lines: what, and the rest."""
    text = (ROOT / "Containerfile").read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", " ", "\n".join(lines))
    return [
        (a, b.strip()) for a, _, b in (line.partition(" ") for line in joined.splitlines()) if a
    ]


def said(name: str) -> list[str]:
    return [rest for what, rest in instructions() if what == name]


def image_environment() -> dict[str, str]:
    return dict(part.split("=", 1) for rest in said("ENV") for part in shlex.split(rest))


def compose() -> dict[str, Any]:
    return dict(yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8")))


def filled(text: str) -> str:
    """Compose's `${NAME}`, `${NAME:-default}` and `${NAME:?said}` with something in them."""
    return re.sub(
        r"\$\{(\w+)(?::-([^}]*))?(?::\?[^}]*)?\}",
        lambda found: found[2] if found[2] is not None else given(found[1]),
        text,
    )


def given(name: str) -> str:
    return "bancada.example.com" if name == "BANCADA_DOMAIN" else SECRET


def values(**changed: Any) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "chart" / "values.yaml").read_text("utf-8"))
    for path, value in changed.items():
        part, key = path.split("__")
        found[part][key] = value
    return found


def rendered(**changed: Any) -> list[dict[str, Any]]:
    """The chart's objects. Knows `{{ .Values.a.b }}`, `{{ .Release.Name }}` and an `if` around a
    whole file; whatever else a template says fails here."""
    known = values(**changed)

    def looked_up(path: str) -> Any:
        found: Any = {"Values": known, "Release": {"Name": "test"}}
        for part in path.strip(".").split("."):
            found = found[part]
        return found

    objects = []
    for path in sorted((DEPLOY / "chart" / "templates").glob("*.yaml")):
        text = path.read_text("utf-8")
        whole = re.fullmatch(r"\{\{- if ([.\w]+) \}\}\n(.*)\{\{- end \}\}\n", text, re.DOTALL)
        if whole is not None:
            if not looked_up(whole[1]):
                continue
            text = whole[2]
        text = re.sub(r"\{\{ (\.[.\w]+) \}\}", lambda found: str(looked_up(found[1])), text)
        assert "{{" not in text, f"{path.name}: {text[text.index('{{') :][:60]}"
        objects += [one for one in yaml.safe_load_all(text) if one]
    return objects


def kinds(objects: list[dict[str, Any]], kind: str) -> dict[str, dict[str, Any]]:
    return {one["metadata"]["name"]: one for one in objects if one["kind"] == kind}


def understood(arguments: list[str]) -> dict[str, Any]:
    """What the command line makes of these arguments; it ends the test where it would end."""
    command: Any = typer.main.get_command(cli)
    context: Any = typer.Context(command, info_name="bancada")
    while hasattr(command, "resolve_command"):
        _, command, arguments = command.resolve_command(context, arguments)
        context = command.make_context(command.name, list(arguments), parent=context)
        arguments = context.args
    return dict(context.params)


def server_of_chart() -> dict[str, Any]:
    pod = kinds(rendered(), "Deployment")["test-server"]["spec"]["template"]["spec"]
    return dict(pod["containers"][0])


# ---------------------------------------------------------------------------- the program understands


def test_every_command_is_one_that_the_program_knows() -> None:
    assert yaml.safe_load(said("ENTRYPOINT")[0]) == ["bancada"]
    understood(yaml.safe_load(said("CMD")[0]))
    for name in ("server-1", "server-2"):
        params = understood(compose()["services"][name]["command"])
        assert (params["host"], params["port"]) == ("0.0.0.0", 8321)
    params = understood(server_of_chart()["args"])
    assert (params["host"], params["port"]) == ("0.0.0.0", values()["server"]["port"])
    with pytest.raises(Exception, match="No such option"):
        understood(["serve", "--no-such-option"])


def environments() -> dict[str, dict[str, str]]:
    of_compose = compose()["services"]["server-1"]["environment"]
    of_chart = {one["name"]: one.get("value", SECRET) for one in server_of_chart()["env"]}
    of_chart["BANCADA_DATABASE_URL"] = "postgresql://a:b@c/d"
    return {
        "image": image_environment(),
        "compose": {name: filled(value) for name, value in of_compose.items()},
        "chart": of_chart,
    }


@pytest.mark.parametrize("where", ["image", "compose", "chart"])
def test_every_setting_is_one_that_the_program_reads(where: str, tmp_path: Path) -> None:
    environment = environments()[where]
    known = {field.alias for field in Settings.model_fields.values() if field.alias}
    assert set(environment) - OTHERS <= known
    settings = load_settings(data=tmp_path, environment=environment)
    if where != "image":
        assert settings.url.startswith("postgresql://")
        assert settings.public_url == "https://bancada.example.com"
        assert "bancada.example.com" in settings.allowed_hosts
        assert settings.secret_key
        assert settings.jwt_secret


def test_nothing_secret_stands_in_the_files() -> None:
    for path in (DEPLOY / "compose.yaml", DEPLOY / "env.example", DEPLOY / "chart" / "values.yaml"):
        for line in path.read_text("utf-8").splitlines():
            name, _, value = line.partition("=" if path.suffix == ".example" else ": ")
            if re.search(r"(?i)password|secret_key|jwt_secret|api_key", name):
                assert value.strip() in ("", "bancada") or value.strip().startswith("${"), line
    asked = set(re.findall(r"\$\{(\w+):\?", (DEPLOY / "compose.yaml").read_text("utf-8")))
    example = (DEPLOY / "env.example").read_text("utf-8")
    assert asked <= set(re.findall(r"^(\w+)=", example, re.MULTILINE))


# ---------------------------------------------------------------------------- they agree


def test_ports_folders_and_people_agree() -> None:
    image = image_environment()
    port, folder = image["BANCADA_PORT"], image["BANCADA_DATA"]
    assert said("EXPOSE") == [port]
    assert said("VOLUME") == [folder]
    (user,) = said("USER")
    assert "--uid 10001" in " ".join(said("RUN"))
    for name in ("server-1", "server-2"):
        service = compose()["services"][name]
        assert service["user"] == user == "10001:10001"
        assert service["volumes"] == [f"{name}:{folder}"]
        assert service["read_only"] is True
        assert f"127.0.0.1:{port}/ready" in str(service["healthcheck"]["test"])
    assert f"127.0.0.1:{port}/health" in said("HEALTHCHECK")[0]
    proxy = compose()["services"]["proxy"]["environment"]
    assert proxy["BANCADA_SERVERS"] == f"server-1:{port} server-2:{port}"
    server = server_of_chart()
    assert str(server["ports"][0]["containerPort"]) == port
    assert {one["mountPath"] for one in server["volumeMounts"]} == {folder, "/tmp"}
    pod = kinds(rendered(), "Deployment")["test-server"]["spec"]["template"]["spec"]
    assert pod["securityContext"]["runAsUser"] == 10001
    assert server["securityContext"]["readOnlyRootFilesystem"] is True


def test_the_proxy_is_told_all_it_asks_for() -> None:
    asked = set(re.findall(r"\{\$(\w+)\}", (DEPLOY / "Caddyfile").read_text("utf-8")))
    proxy = compose()["services"]["proxy"]
    assert asked == set(proxy["environment"])
    # Health is asked for under the servers' own names: they must answer to them.
    hosts = environments()["compose"]["BANCADA_ALLOWED_HOSTS"].split(",")
    assert {"server-1", "server-2"} <= set(hosts)
    assert (DEPLOY / "Caddyfile").read_text("utf-8").count("flush_interval -1") == 1


def test_probes_ask_for_routes_that_exist(tmp_path: Path) -> None:
    app = create_app(load_settings(data=tmp_path, environment={}))
    routes = set(app.openapi()["paths"])
    server = server_of_chart()
    asked = {
        server[probe]["httpGet"]["path"]
        for probe in ("startupProbe", "livenessProbe", "readinessProbe")
    }
    asked |= set(re.findall(r"8321(/\w+)", str(compose()) + " ".join(said("HEALTHCHECK"))))
    asked |= set(re.findall(r"health_uri (\S+)", (DEPLOY / "Caddyfile").read_text("utf-8")))
    assert asked == {"/health", "/ready"}
    assert asked <= routes


def test_what_the_image_copies_is_here() -> None:
    for rest in said("COPY"):
        if rest.startswith("--from"):
            continue
        *sources, _ = rest.split()
        base = ROOT
        for source in sources:
            assert (base / source).exists(), source


def test_the_charts_objects_find_each_other() -> None:
    objects = rendered()
    pods = {
        name: one["spec"]["template"]
        for kind in ("Deployment", "StatefulSet")
        for name, one in kinds(objects, kind).items()
    }
    labels = {name: pod["metadata"]["labels"] for name, pod in pods.items()}
    ports = {
        name: {port["name"] for part in pod["spec"]["containers"] for port in part["ports"]}
        for name, pod in pods.items()
    }
    for kind in ("Deployment", "StatefulSet"):
        for name, one in kinds(objects, kind).items():
            assert one["spec"]["selector"]["matchLabels"].items() <= labels[name].items()
    for name, service in kinds(objects, "Service").items():
        assert service["spec"]["selector"].items() <= labels[name].items()
        assert {port["targetPort"] for port in service["spec"]["ports"]} <= ports[name]
    (policy,) = kinds(objects, "NetworkPolicy").values()
    allowed = policy["spec"]["ingress"][0]["from"][0]["podSelector"]["matchLabels"]
    assert allowed.items() <= labels["test-proxy"].items()
    assert policy["spec"]["podSelector"]["matchLabels"].items() <= labels["test-server"].items()
    caddy = kinds(objects, "ConfigMap")["test-proxy"]["data"]["Caddyfile"]
    assert "reverse_proxy test-server:8321" in caddy
    claims = set(kinds(objects, "PersistentVolumeClaim"))
    for pod in pods.values():
        for volume in pod["spec"].get("volumes", ()):
            if "persistentVolumeClaim" in volume:
                assert volume["persistentVolumeClaim"]["claimName"] in claims
    assert kinds(objects, "Deployment")["test-server"]["spec"]["replicas"] == 2


def test_parts_of_the_chart_can_be_left_out() -> None:
    left = rendered(postgres__enabled=False, proxy__enabled=False)
    assert {one["metadata"]["name"] for one in left} == {"test-server"}
    assert {one["kind"] for one in left} == {"Deployment", "Service", "PodDisruptionBudget"}


def test_the_keys_of_the_secret_are_those_that_are_documented() -> None:
    text = "".join(path.read_text("utf-8") for path in (DEPLOY / "chart" / "templates").iterdir())
    asked = set(re.findall(r"key: ([a-z-]+)", text))
    told = (DEPLOY / "chart" / "values.yaml").read_text("utf-8")
    assert asked == {
        "database-url",
        "jwt-secret",
        "secret-key",
        "anthropic-api-key",
        "postgres-password",
    }
    assert all(key in told for key in asked)
