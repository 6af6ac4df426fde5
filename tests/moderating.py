"""Opening and deciding cases in the admin."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.test import Client

from accounts.admin import open_case_url
from accounts.models import ModerationAct
from games.models import Case


def open_case(client: Client, model: str, *keys: int, area: str = "chat", **fields: Any) -> str:
    """Open a case about rows by hand, and return the address of its page."""
    return client.post(open_case_url(model, *keys), {"area": area} | fields).headers["Location"]


def decide_case(client: Client, page: str, measure: str = "uphold", **fields: Any) -> HttpResponse:
    """Decide the case on a page, or propose a decision, and follow to the next."""
    form = {"measure": measure, "length": "day", "reason": "Because", "sure": "on"} | fields
    return client.post(page, form, follow=True)  # type: ignore[return-value]


def open_and_decide_case(
    client: Client, model: str, *keys: int, measure: str = "uphold", area: str = "chat", **fields: Any
) -> Case:
    """Open a case about rows by hand and decide it."""
    page = open_case(client, model, *keys, area=area, person=fields.pop("person", ""))
    decide_case(client, page, measure, **fields)
    return Case.objects.latest("pk")


def newest_act() -> tuple[Any, ...]:
    """Return the kind, person, target and reason of the newest row in the log."""
    return ModerationAct.objects.order_by("pk").values_list("act", "user", "target", "reason").last()
