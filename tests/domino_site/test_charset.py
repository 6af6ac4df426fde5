"""What claims another charset than UTF-8 is read as UTF-8, codecs that are none of texts included."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.typing import Scope
from channels.testing import HttpCommunicator

from domino_site.asgi import application
from domino_site.charset import Utf8Only

PARTS = b'--x\r\nContent-Disposition: form-data; name="text"\r\n\r\n\xff\r\n--x--\r\n'
ODD = ("utf-16", "hex", "undefined", "idna", "unicode_escape")


@pytest.mark.django_db
@pytest.mark.parametrize("charset", [*(f"charset={name}" for name in ODD), "CHARSET*=utf-8''hex"])
@pytest.mark.parametrize(
    ("kind", "body"),
    [("application/x-www-form-urlencoded", b"text=%ff"), ("multipart/form-data; boundary=x", PARTS)],
)
async def test_a_form_without_a_token_is_refused_whatever_its_charset(kind: str, body: bytes, charset: str) -> None:
    cookie = b"csrftoken=" + b"a" * 32
    headers = [(b"host", b"localhost"), (b"cookie", cookie), (b"content-type", f"{kind}; {charset}".encode())]
    answer = await HttpCommunicator(application, "POST", "/accounts/login/", body, headers).get_response(timeout=10)
    assert answer["status"] == 403


async def test_nothing_else_is_taken_from_a_request() -> None:
    passed: dict[str, Any] = {}

    async def site(scope: Scope, receive: object, send: object) -> None:
        passed.update(scope)

    kind = b'multipart/form-data; boundary="x"; charset=utf-16; other=1'
    scope: Any = {"type": "http", "path": "/", "headers": [(b"content-type", kind), (b"x", b"; charset=hex")]}
    await Utf8Only(site)(scope, None, None)
    kept = [(b"content-type", b'multipart/form-data; boundary="x"; other=1'), (b"x", b"; charset=hex")]
    assert passed == scope | {"headers": kept}
