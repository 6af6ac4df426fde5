"""The configuration of nginx in deploy/, with small servers in place of the web processes."""

from __future__ import annotations

import gzip
import http.client
import json
import re
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import override_settings

from tests.proxy import KIT, UNPACKED, Proxy
from tests.server import free_port

TABLE = "abcdefghijkl"


class HeaderEcho(BaseHTTPRequestHandler):
    """Answers with the headers that arrived."""

    def answer(self) -> None:
        body = json.dumps({name.lower(): value for name, value in self.headers.items()}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = answer

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def echo_server() -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), HeaderEcho) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    """The proxy of two processes, of which the second is down."""
    with echo_server() as port:
        proxy = Proxy(tmp_path_factory.mktemp("nginx"), [port, free_port()])
        with proxy.running():
            yield proxy


@pytest.fixture(scope="module")
def proxy_alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    """A proxy without any process that answers."""
    proxy = Proxy(tmp_path_factory.mktemp("nginx"), [free_port()])
    with override_settings(STATIC_ROOT=proxy.site / "current" / "staticfiles"):
        call_command("render_restarting")
    with proxy.running():
        yield proxy


class Answer:
    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status, self.headers, self.body = response.status, response.headers, response.read()


def tls(proxy: Proxy) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(proxy.folder / "fullchain.pem"))


def connect(proxy: Proxy) -> http.client.HTTPSConnection:
    return http.client.HTTPSConnection("localhost", proxy.https_port, context=tls(proxy), timeout=20)


def request(proxy: Proxy, path: str, method: str = "GET", **headers: str) -> Answer:
    connection = connect(proxy)
    connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    answer = Answer(connection.getresponse())
    connection.close()
    return answer


def test_configuration_is_valid(tmp_path: Path) -> None:
    proxy = Proxy(tmp_path, [8001, 8002])
    check = subprocess.run(proxy.command("-t"), check=False, capture_output=True, text=True)
    assert check.returncode == 0, check.stderr
    assert re.findall(r"\[(?:emerg|alert|error)\].*", check.stderr) == []


def test_example_of_the_upstream_never_pauses_a_process() -> None:
    servers = re.findall(r"^server (\S+) (.*);$", (KIT / "upstream.conf").read_text(), re.MULTILINE)
    assert servers == [("127.0.0.1:8001", "max_fails=0"), ("127.0.0.1:8002", "max_fails=0")]


def test_site_learns_who_asks(proxy: Proxy) -> None:
    seen = json.loads(request(proxy, "/", X_Forwarded_For="192.0.2.1", X_Request_Id="forged").body)
    assert seen["host"] == f"localhost:{proxy.https_port}"
    assert seen["x-forwarded-proto"] == "https"
    assert re.fullmatch(r"192\.0\.2\.1, (127\.0\.0\.1|::1)", seen["x-forwarded-for"])
    assert re.fullmatch(r"[0-9a-f]{32}", seen["x-request-id"])


def test_sockets_are_passed_on(proxy: Proxy) -> None:
    seen = json.loads(request(proxy, f"/ws/match/{TABLE}/", Connection="Upgrade", Upgrade="websocket").body)
    assert (seen["connection"], seen["upgrade"]) == ("upgrade", "websocket")


def test_process_that_is_down_costs_nobody_a_page(proxy: Proxy) -> None:
    for method in ("GET", "POST"):
        assert {request(proxy, f"/match/{number}/", method).status for number in range(20)} == {200}


def test_http_2_is_offered(proxy: Proxy) -> None:
    context = tls(proxy)
    context.set_alpn_protocols(["h2", "http/1.1"])
    with (
        socket.create_connection(("localhost", proxy.https_port)) as line,
        context.wrap_socket(line, server_hostname="localhost") as secured,
    ):
        assert secured.selected_alpn_protocol() == "h2"


def test_http_leads_to_https(proxy: Proxy) -> None:
    connection = http.client.HTTPConnection("localhost", proxy.http_port, timeout=20)
    connection.request("GET", "/rules/?a=1")
    answer = connection.getresponse()
    assert (answer.status, answer.headers["Location"]) == (301, "https://localhost/rules/?a=1")
    connection.close()


def test_metrics_are_closed(proxy: Proxy) -> None:
    assert request(proxy, "/metrics").status == 403


def test_static_files_come_from_the_current_release_then_from_the_previous_one(proxy: Proxy) -> None:
    text = b"a { color: red }" * 100
    for release in ("current", "previous"):
        folder = proxy.site / release / "staticfiles" / "pages"
        folder.mkdir(parents=True)
        (folder / f"{release}.0123456789ab.css").write_bytes(text)
        (folder / f"{release}.0123456789ab.css.gz").write_bytes(gzip.compress(text))
    for release in ("current", "previous"):
        answer = request(proxy, f"/static/pages/{release}.0123456789ab.css", Accept_Encoding="gzip")
        assert gzip.decompress(answer.body) == text
        assert answer.headers["Content-Type"] == "text/css; charset=utf-8"
        assert answer.headers["Cache-Control"] == "max-age=315360000, public, immutable"
        assert answer.headers["Vary"] == "Accept-Encoding"
        assert request(proxy, f"/static/pages/{release}.0123456789ab.css").body == text
    assert "x-request-id" in json.loads(request(proxy, "/static/pages/other.css").body)


def test_brotli_needs_only_its_module_and_its_file(tmp_path: Path) -> None:
    name = "lib/nginx/modules/ngx_http_brotli_static_module.so"
    modules = [path for path in (Path("/usr") / name, UNPACKED / "usr" / name) if path.exists()]
    if not modules:
        pytest.skip("libnginx-mod-http-brotli-static is missing: run make setup-tests.")
    proxy = Proxy(tmp_path, [free_port()])
    shutil.copy(KIT / "brotli.conf", proxy.folder / "dominoes")
    if not list(Path("/etc/nginx/modules-enabled").glob("*brotli-static*")):
        proxy.configuration.write_text(f"load_module {modules[0]};\n{proxy.configuration.read_text()}")
    folder = proxy.site / "current" / "staticfiles"
    folder.mkdir(parents=True)
    for suffix in ("", ".br", ".gz"):
        (folder / f"site.css{suffix}").write_text(f"as {suffix}")
    with proxy.running():
        answer = request(proxy, "/static/site.css", Accept_Encoding="gzip, br")
        assert (answer.body, answer.headers["Content-Encoding"]) == (b"as .br", "br")
        assert answer.headers["Vary"] == "Accept-Encoding"
        assert request(proxy, "/static/site.css", Accept_Encoding="gzip").body == b"as .gz"
        assert request(proxy, "/static/site.css").body == b"as "


def test_log_has_no_address_of_a_table(proxy: Proxy) -> None:
    answer = request(proxy, f"/match/{TABLE}/?as=player", Referer=f"{proxy.url}/match/{TABLE}/review/")
    request_id = json.loads(answer.body)["x-request-id"]
    deadline = time.monotonic() + 10
    # nginx writes the line after its answer.
    while request_id not in (log := (proxy.folder / "access.log").read_text()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert " GET /match 200 " in log
    assert TABLE not in log


def test_page_while_no_process_answers_speaks_the_language_of_its_reader(proxy_alone: Proxy) -> None:
    expected = {language: f'<html lang="{language}"' for language, _name in settings.LANGUAGES}
    assert len(expected) == 6
    for language, start in expected.items():
        for headers in ({"Accept_Language": f"{language},en;q=0.5"}, {"Cookie": f"__Host-django_language={language}"}):
            answer = request(proxy_alone, "/match/", "POST", **headers)
            assert (answer.status, answer.headers["Retry-After"]) == (502, "3")
            assert start in answer.body.decode()
            assert '<meta http-equiv="refresh"' in answer.body.decode()
    assert expected["en"] in request(proxy_alone, "/", Accept_Language="de").body.decode()
    (proxy_alone.site / "current" / "staticfiles" / "restarting" / "pl.html").unlink()
    answer = request(proxy_alone, "/", Accept_Language="pl")
    assert (answer.status, expected["en"] in answer.body.decode()) == (502, True)


def test_floods_get_429(tmp_path: Path) -> None:
    """The requests are sent together, so that a busy machine does not slow them down to the allowed rate."""
    proxy = Proxy(tmp_path, [free_port()])
    head = b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n"
    with (
        proxy.running(),
        socket.create_connection(("localhost", proxy.https_port)) as line,
        tls(proxy).wrap_socket(line, server_hostname="localhost") as secured,
    ):
        secured.sendall((head + b"\r\n") * 599 + head + b"Connection: close\r\n\r\n")
        statuses = re.findall(rb"^HTTP/1.1 (\d+)", secured.makefile("rb").read(), re.MULTILINE)
    assert len(statuses) == 600
    assert set(statuses) == {b"403", b"429"}
    assert statuses[0] == b"403"
