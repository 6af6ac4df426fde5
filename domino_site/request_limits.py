"""Settings that limit requests: their size and time, and how many one address or account may send."""

from __future__ import annotations

import environ

from infrastructure.limit_settings import places, rates

env = environ.Env()

# The largest body of a request, and of one that uploads a record.
FORM_BYTES = env.int("FORM_BYTES", default=65_536)
BODY_BYTES = env.int("BODY_BYTES", default=1_100_000)
UPLOAD_PATHS = frozenset({"/review/import/"})
# How long a browser may take for the headers of a request, and for its body. The largest one needs 150 kbit/s.
HEADER_SECONDS = env.float("HEADER_SECONDS", default=10)
BODY_SECONDS = env.float("BODY_SECONDS", default=60)

# What one address, and one account behind it, may ask of each process: at once, and in the long run.
RATES = {
    name: rates(env(f"{name.upper()}_RATE", default=default))
    for name, default in {
        "pages": "300+20/s address, 60+4/s account",
        "forms": "200+10/s address, 40+3/s account",
        # New sockets, and what browsers send over them; each socket alone may send 20 frames at once, 5 a second.
        "sockets": "150+5/s address, 20+1/s account",
        "frames": "600+100/s address, 400+60/s visitors, 60+10/s account",
        "tables": "100+20/m address, 10+6/m account",
        "invitations": "60+20/m address, 10+5/m account",
        # Of an address only those of guests: they do not keep the accounts there from reporting.
        "reports": "30+30/h address, 10+10/h account",
        # What costs the processor most: analyses, bots in branches, uploaded records, pictures beside links.
        "opinions": "60+10/m address, 10+4/m account",
        "branches": "120+60/m address, 60+30/m account",
        "imports": "60+12/m address, 20+6/m account",
        "cards": "60+20/m address",
        # Downloads of all matches of a person.
        "exports": "20+4/m address, 10+2/m account",
    }.items()
}
# How many may be open, or waiting, at a time.
PLACES = {
    name: places(env(f"{name.upper()}_PLACES", default=default))
    for name, default in {
        # Pages that are worked on; more wait for their turn. Each one more at work delays every move by some 8 ms.
        "pages": "1 address",
        "sockets": "300 address, 200 visitors, 20 account",
        # Bodies larger than FORM_BYTES, from the headers of their request to its answer.
        "bodies": "4 address",
        # Of the ten that may wait for everybody, and of what is read one at a time.
        "opinions": "5 address, 2 account",
        "branches": "5 address, 2 account",
        "imports": "4 address, 1 account",
        "cards": "5 address",
        "exports": "4 address, 1 account",
    }.items()
}
