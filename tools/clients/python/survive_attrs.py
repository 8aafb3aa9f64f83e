"""Meets what the wire does (cmd/chat/wire_test.go) with the client of openapi-python-client."""

import os

from parley_client import AuthenticatedClient
from parley_client.api.activity import list_audit
from parley_client.api.changes import list_changes
from parley_client.api.messages import list_messages, post_message
from parley_client.api.rooms import get_room
from parley_client.models import PostMessageRequest

ROOM = "everything"


def shows(answer, *texts):
    """Checks that an answer was decoded and contains some texts."""
    assert answer.status_code in (200, 201), answer
    for text in texts:
        assert text in str(answer.parsed.to_dict()), f"{text} is missing: {answer.parsed}"


def refused(answer, status, text):
    """Checks the status of an error, that it was decoded, and its contents."""
    assert answer.status_code == status, answer
    assert answer.parsed is not None and text in str(answer.parsed.to_dict()), f"{text} is missing: {answer}"


client = AuthenticatedClient(base_url=os.environ["PARLEY_URL"], token=os.environ["PARLEY_TOKEN"])
posted = post_message.sync_detailed(ROOM, client=client, body=PostMessageRequest(text="from Python"))
shows(posted, "from Python")
messages = list_messages.sync_detailed(ROOM, client=client)
shows(messages, "from Python", "quotes", "replies to all", "tea?", "edited", "deletedAt")
changes = list_changes.sync_detailed(ROOM, client=client, limit=200)
shows(changes, "message.created", "member.changed", "room.changed", "pins.changed", "tide.changed")
shows(list_audit.sync_detailed(ROOM, client=client), "room.created", "room.sailed")
refused(get_room.sync_detailed("limited", client=client), 429, "rate-limited")
refused(get_room.sync_detailed("throttled", client=client), 429, "Too Many Requests")
refused(get_room.sync_detailed("novel", client=client), 404, "of-a-later-version")
refused(list_messages.sync_detailed(ROOM, client=client, cursor="nonsense"), 400, "bad-cursor")
print("openapi-python-client: ok")
