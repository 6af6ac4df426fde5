"""Lists of the administration answer odd filters and odd choices of rows without a server error."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import Model
from django.http import HttpRequest
from django.test import Client
from django.urls import reverse
from prometheus_client import REGISTRY

from accounts.models import User
from tests.games import tables
from tests.games.tables import person

pytestmark = pytest.mark.stack

OF_NUMBERS = ("exact=x", "range=1", "in=x", "gt=99999999999999999999", "isnull=x")
OF_MOMENTS = ("year=0", "year=99999", "year__gt=99999999999", "month=99", "date=x", "range=1", "gte=x")
OF_TEXTS = ("regex=(", "iregex=[", "range=1", "length=x")


@pytest.fixture
def client() -> Client:
    tables.running_table([person("Ann"), person("Ben")])
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.create_superuser("root", name="Root"))
    return client


def list_address(model: type[Model]) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


def odd_lists() -> Iterator[str]:
    """Yield lists filtered by one field of each kind that the list lets be asked for."""
    for model, pages in admin.site._registry.items():
        request, fields = HttpRequest(), model._meta.fields
        allowed = [field for field in fields if pages.lookup_allowed(f"{field.name}__exact", "x", request)]
        for kind, field in {field.get_internal_type(): field for field in allowed}.items():
            lookups = OF_MOMENTS if "Date" in kind else OF_TEXTS if "Char" in kind or "Text" in kind else OF_NUMBERS
            yield from (f"{list_address(model)}?{field.name}__{lookup}" for lookup in lookups)


def outages_counted() -> float:
    return REGISTRY.get_sample_value("dominoes_outages_total", {"of": "database"}) or 0.0


@pytest.mark.django_db(transaction=True)  # PostgreSQL ends a transaction in which a query failed
def test_no_filter_of_a_list_is_a_server_error_or_an_outage(client: Client) -> None:
    before = outages_counted()
    failed = {page: status for page in odd_lists() if (status := client.get(page).status_code) >= 500}
    assert failed == {}
    assert outages_counted() == before


def test_rows_that_do_not_exist_are_no_server_error(client: Client) -> None:
    statuses = {}
    for model in admin.site._registry:
        for action in ("open_case", "delete_selected"):
            form = {"action": action, ACTION_CHECKBOX_NAME: "abc"}
            statuses[f"{model.__name__} {action}"] = client.post(list_address(model), form).status_code
    assert {page: status for page, status in statuses.items() if status >= 500} == {}
