"""What each role may do, also where the groups were made by an earlier version."""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, Permission
from django.db import connection

from tests.games import tables

pytestmark = [pytest.mark.django_db, pytest.mark.stack]


def test_moderators_may_view_everything_of_ours_and_do_every_act() -> None:
    def rights(name: str) -> set[str]:
        return set(Group.objects.get(name=name).permissions.values_list("codename", flat=True))

    acts = {"mute", "rename", "pause", "suspend", "close", "lift", "stop_match", "void_match"}
    acts |= {"settle_match", "take_ratings_back", "empty_seat", "hide_message"}
    acts |= {"decide_case", "decide_appeal", "propose_decision"}
    views = {"user", "rating", "sanction", "moderationact", "match", "seat", "matchevent", "message"}
    assert rights("Match moderators") >= acts | {f"view_{model}" for model in views}
    assert {right for right in rights("Match moderators") if not right.startswith("view_")} == acts
    assert {right for right in rights("Trainees") if not right.startswith("view_")} == {"propose_decision"}
    assert rights("Trainees") < rights("Chat moderators") < rights("Match moderators") < rights("Administrators")


def test_the_former_groups_keep_their_members_under_the_new_names() -> None:
    migration = import_module("games.migrations.0035_roles")
    editor = SimpleNamespace(connection=connection)
    ann, ben = tables.person("Ann"), tables.person("Ben")
    former = Group.objects.get(name="Match moderators")
    former.name = "Moderators"
    former.save()
    former.user_set.add(ann)
    Group.objects.create(name="Helpers").user_set.add(ben)
    migration.name_roles(apps, editor)
    assert list(ann.groups.values_list("pk", "name")) == [(former.pk, "Match moderators")]
    assert list(ben.groups.values_list("name", flat=True)) == ["Chat moderators"]
    assert not Group.objects.filter(name__in=["Helpers", "Moderators"]).exists()


def test_trainees_who_could_hide_a_message_propose_it() -> None:
    trainees = Group.objects.get(name="Trainees")
    trainees.permissions.add(Permission.objects.get(codename="hide_message"))
    before = import_module("games.migrations.0046_trainees")
    before.take_hiding(apps, SimpleNamespace(connection=connection))
    assert not trainees.permissions.filter(codename="hide_message").exists()
