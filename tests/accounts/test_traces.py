"""Moderators see how many people share an address or device, and nothing else."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.contrib.auth.models import Group
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts import personal_data, traces
from accounts.models import Trace, User
from accounts.services import delete_person
from accounts.traces import SharedTraces
from games.models import Case
from tests.accounts.conftest import PASSWORD, logged_in_user
from tests.games.tables import person

HOME, AWAY = "203.0.113.7", "198.51.100.1"
NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)


def visit(user: User, address: str = HOME, device: str = "") -> Client:
    """Open a page as a person, with the cookie of a device that was there before, if one is given."""
    client = Client(REMOTE_ADDR=address)
    client.force_login(user)
    if device:
        client.cookies[traces.DEVICE_COOKIE] = device
    client.get("/")
    return client


def device_of(client: Client) -> str:
    return client.cookies[traces.DEVICE_COOKIE].value


@pytest.mark.stack
def test_counts_people_of_the_same_address_or_device() -> None:
    ann, ben, gail, far = person("Ann"), person("Ben"), person("Gail", is_guest=True), person("Far")
    device = device_of(visit(ann))
    visit(ben, AWAY, device)
    visit(gail, HOME)
    visit(far, AWAY)
    assert traces.shared_traces(ann.pk) == [
        SharedTraces(Trace.Kind.ADDRESS, 0, 1, False),
        SharedTraces(Trace.Kind.DEVICE, 1, 0, False),
    ]
    assert traces.shared_traces(far.pk) == [SharedTraces(Trace.Kind.ADDRESS, 1, 0, False)]


def test_browser_of_two_people_is_one_device(client: Client, masha: User) -> None:
    client.post("/accounts/guest/", {"name": "Gail", "colour": "green"})
    gail = logged_in_user(client)
    client.post("/accounts/login/", {"login": "masha", "password": PASSWORD})
    assert logged_in_user(client) == masha != gail
    assert SharedTraces(Trace.Kind.DEVICE, 0, 1, False) in traces.shared_traces(masha.pk)


def test_crowded_address_counts_nobody() -> None:
    ann, ben = person("Ann"), person("Ben")
    visit(ann, AWAY)
    visit(ben, AWAY)
    for number in range(traces.MAX_SHARERS):
        visit(person(f"Pupil {number}"))
    visit(ann)
    shared = traces.shared_traces(ann.pk)
    assert shared == [SharedTraces(Trace.Kind.ADDRESS, 11, 0, False)], (
        "ten others are counted, and the one from elsewhere"
    )
    visit(person("Pupil 11"))
    assert traces.shared_traces(ann.pk) == [SharedTraces(Trace.Kind.ADDRESS, 1, 0, True)]


@pytest.mark.stack
def test_visit_is_stored_once_a_day() -> None:
    ann = person("Ann")
    with time_machine.travel(NOW, tick=False) as clock:
        client = visit(ann)
        clock.shift(timedelta(hours=11))
        with CaptureQueriesContext(connection) as queries:
            client.get("/rules/")  # the lobby reads traces to share its lists among addresses
        assert not [query for query in queries if "accounts_trace" in query["sql"]]
        assert set(Trace.objects.values_list("seen_at", flat=True)) == {NOW}
        clock.shift(timedelta(hours=1))
        client.get("/")
    assert [(row.kind, row.seen_at) for row in Trace.objects.order_by("kind")] == [
        ("address", NOW + timedelta(hours=12)),
        ("device", NOW + timedelta(hours=12)),
    ]


def test_visitors_have_no_traces(client: Client) -> None:
    client.get("/")
    assert traces.DEVICE_COOKIE not in client.cookies
    assert not Trace.objects.exists()


def test_malformed_device_number_is_replaced() -> None:
    assert device_of(visit(person("Ann"), device="x" * 5000)) != "x" * 5000


def test_rows_and_download_contain_no_address_or_device() -> None:
    ann = person("Ann")
    device = device_of(visit(ann))
    stored = str(list(Trace.objects.values()))
    assert HOME not in stored
    assert device not in stored
    marks = Trace.objects.values_list("mark", flat=True)
    handed = str(personal_data.export_person(ann)["traces"])
    assert all(mark not in handed for mark in marks)
    delete_person(user=ann)
    assert not Trace.objects.exists()


@pytest.mark.stack
def test_person_deleted_during_the_request_has_no_traces() -> None:
    ann = person("Ann")
    request = Client().get("/").wsgi_request
    delete_person(user=User.objects.get(pk=ann.pk))
    traces.record_visit(request, HttpResponse(), ann.pk)
    assert not Trace.objects.exists()


@pytest.mark.parametrize(("role", "is_named"), [("Chat moderators", False), ("Match moderators", True)])
def test_case_page_shows_numbers_and_accounts_to_those_who_decide_all_cases(
    client: Client, role: str, is_named: bool
) -> None:
    ann, ben, chris = person("Ann"), person("Ben"), person("Chris", is_staff=True)
    chris.groups.add(Group.objects.get(name=role))
    device = device_of(visit(ann))
    visit(ben, HOME, device)
    visit(person("Gail", is_guest=True), HOME)
    client.force_login(chris)
    case = Case.objects.create(suspect=ann, area="accounts")
    page = client.get(reverse("admin:games_case_change", args=[case.pk])).text
    text = " ".join(page.split())
    assert "Same network address as <b>1 account, 1 guest</b>" in text
    assert "Same device as <b>1 account</b>" in text
    assert ("Ben" in page) is is_named
    for secret in (HOME, device, "Gail", *Trace.objects.values_list("mark", flat=True)):
        assert secret not in page
