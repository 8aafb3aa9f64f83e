"""Meets what the wire does (cmd/chat/wire_test.go) with the client of openapi-generator."""

import os

import openapi_client as api

ROOM = "everything"


def shows(answer, *texts):
    """Checks that an answer contains some texts."""
    for text in texts:
        assert text in answer.to_json(), f"{text} is missing: {answer}"


def refused(call, status, text):
    """Checks the status of an error, that it was decoded, and its contents."""
    try:
        answer = call()
    except api.ApiException as error:
        assert error.status == status, error
        assert error.data is not None and text in error.data.to_json(), f"{text} is missing: {error}"
        return
    raise AssertionError(f"{answer} is no {status}")


configuration = api.Configuration(host=os.environ["PARLEY_URL"], access_token=os.environ["PARLEY_TOKEN"])
configuration.retries = False  # urllib3 would wait for Retry-After and try again
client = api.ApiClient(configuration)
messages, rooms = api.MessagesApi(client), api.RoomsApi(client)
shows(messages.post_message(ROOM, api.PostMessageRequest(text="from Python")), "from Python")
shows(messages.list_messages(ROOM), "from Python", "quotes", "replies to all", "tea?", "edited", "deletedAt")
changes = api.ChangesApi(client).list_changes(ROOM, limit=200)
shows(changes, "message.created", "member.changed", "room.changed", "pins.changed")
shows(api.ActivityApi(client).list_audit(ROOM), "room.created", "room.sailed")
refused(lambda: rooms.get_room("limited"), 429, "rate-limited")
refused(lambda: rooms.get_room("throttled"), 429, "Too Many Requests")
refused(lambda: rooms.get_room("novel"), 404, "of-a-later-version")
refused(lambda: messages.list_messages(ROOM, cursor="nonsense"), 400, "bad-cursor")
print("openapi-generator python: ok")
