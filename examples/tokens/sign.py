"""Prints a token for a user and their name. In your server, call sign for a user whom it has signed in."""

import os
import sys
import time
from pathlib import Path

import jwt  # PyJWT[crypto]

KEY = Path(os.environ.get("KEY", "private.pem")).read_text()
KEY_ID = os.environ["KEY_ID"]
ISSUER = os.environ.get("ISSUER", "urn:parley:local")


def sign(user: str, name: str) -> str:
    """Signs a token of an hour. It is issued a minute ago, in case this clock is ahead."""
    issued = int(time.time()) - 60
    claims = {"iss": ISSUER, "aud": "parley", "sub": user, "username": name, "iat": issued, "exp": issued + 3600}
    return jwt.encode(claims, KEY, algorithm="RS256", headers={"kid": KEY_ID})


if __name__ == "__main__":
    print(sign(*sys.argv[1:3]))
