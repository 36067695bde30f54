"""The web app's files, the one frame for model-written HTML, and the headers both need."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter, Request, Response
from fastapi.responses import FileResponse, HTMLResponse
from starlette.staticfiles import StaticFiles

STATIC = Path(__file__).parent / "static"

APP_POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "frame-src 'self'",
        "frame-ancestors 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
    )
)

MISSING = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Bancada</title>
<body><h1>Bancada</h1>
<p>The server runs; its page is not built. With Node 20 or newer, run <code>make web</code> in the
repository, then load this page again. The API is described at
<a href="/openapi.json">/openapi.json</a>.</p>
<p lang="pt">O servidor está a correr, mas a página não foi construída. Com Node 20 ou mais recente,
execute <code>make web</code> no repositório e recarregue.</p></body></html>"""

FRAME_MISSING = "<!doctype html><meta charset='utf-8'><title>Bancada</title>"

FRAME_SCRIPTS = ("frame.js", "chart.js", "charts.js")

router = APIRouter(include_in_schema=False)


def frame_policy(request: Request, *, still: bool) -> str:
    """No content, no cookies, no network: our own scripts, inline style, and, unless `still`,
    the inline script of the page that is shown.

    A sandboxed page has no origin of its own, so 'self' would match nothing; the addresses of
    our scripts are spelled out.
    """
    base = str(request.base_url).rstrip("/")
    scripts = " ".join(f"{base}/static/{name}" for name in FRAME_SCRIPTS)
    inline = "" if still else "'unsafe-inline' "
    return (
        f"sandbox allow-scripts; default-src 'none'; script-src {inline}{scripts}; "
        "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'self'"
    )


def wants_html(request: Request) -> bool:
    """A browser that navigates says so first; a program asks for JSON or for anything."""
    return request.headers.get("accept", "").lstrip().startswith("text/html")


def shell(request: Request, status: int = 200) -> Response:
    """The app's page: the same for every address."""
    index = STATIC / "index.html"
    headers = {"Content-Security-Policy": APP_POLICY, "Cache-Control": "no-cache"}
    if not index.is_file():
        return HTMLResponse(MISSING, status, headers=headers)
    return FileResponse(index, status, media_type="text/html", headers=headers)


@router.get("/")
async def home(request: Request) -> Response:
    return shell(request)


@router.get("/frame")
async def frame(request: Request) -> Response:
    """The one page that shows model-written HTML; it is handed over by `postMessage`.

    With `?still` it runs no script but ours: for what may carry a stranger's words.
    """
    headers = {
        "Content-Security-Policy": frame_policy(request, still="still" in request.query_params),
        "Cache-Control": "no-cache",
        "X-Frame-Options": "SAMEORIGIN",
        "X-DNS-Prefetch-Control": "off",
    }
    page = STATIC / "frame.html"
    if not page.is_file():
        return HTMLResponse(FRAME_MISSING, headers=headers)
    return FileResponse(page, media_type="text/html", headers=headers)


def assets() -> list[tuple[str, StaticFiles]]:
    """Folders of the built app that are served as they are."""
    return [
        (f"/{name}", StaticFiles(directory=STATIC / name, check_dir=False))
        for name in ("assets", "static")
    ]
