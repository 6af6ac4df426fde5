"""Permissions of each role."""

from __future__ import annotations

from django.contrib.auth.models import Group


def test_moderators_have_all_permissions() -> None:
    def rights(name: str) -> set[str]:
        return set(Group.objects.get(name=name).permissions.values_list("codename", flat=True))

    acts = {"mute", "rename", "pause", "suspend", "close", "lift", "stop_match", "void_match"}
    acts |= {"settle_match", "take_ratings_back", "empty_seat", "hide_message"}
    acts |= {"decide_case", "decide_appeal", "propose_decision"}
    views = {"user", "ratingpoints", "sanction", "moderationact", "match", "seat", "matchevent", "message"}
    assert rights("Match moderators") >= acts | {f"view_{model}" for model in views}
    assert {right for right in rights("Match moderators") if not right.startswith("view_")} == acts
    assert {right for right in rights("Trainees") if not right.startswith("view_")} == {"propose_decision"}
    assert rights("Trainees") < rights("Chat moderators") < rights("Match moderators") < rights("Administrators")
