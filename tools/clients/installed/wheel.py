"""Sends and receives a message with the installed wheel."""

import os

from parley_client import AuthenticatedClient
from parley_client.api.messages import list_messages, post_message
from parley_client.api.rooms import put_room
from parley_client.models import PostMessageRequest, RoomSettings

amsg, bob = (
    AuthenticatedClient(base_url=os.environ["PARLEY_URL"], token=os.environ[name])
    for name in ("PARLEY_TOKEN", "PARLEY_TOKEN_BOB")
)
assert put_room.sync_detailed("seattle", client=bob, body=RoomSettings()).status_code == 201
posted = post_message.sync_detailed("seattle", client=bob, body=PostMessageRequest(text="from Python"))
assert posted.status_code == 201, posted
received = list_messages.sync_detailed("seattle", client=amsg)
assert "from Python" in str(received.parsed.to_dict()), received
