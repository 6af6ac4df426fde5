"""The settings: what they promise about the machine's services."""

from __future__ import annotations

import pytest
from channels.layers import get_channel_layer
from django.db import connection

pytestmark = pytest.mark.stack


@pytest.mark.django_db
def test_the_database_answers():
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 + 1")
        assert cursor.fetchone() == (2,)


async def test_the_layer_carries_a_message_to_a_group():
    layer = get_channel_layer()
    channel = await layer.new_channel()
    await layer.group_add("here", channel)
    await layer.group_send("here", {"type": "note", "version": 3})
    assert await layer.receive(channel) == {"type": "note", "version": 3}
    await layer.group_discard("here", channel)
