#!/usr/bin/env python3
"""Django's command line for this site."""

from __future__ import annotations

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import InternalError, OperationalError

from domino_site.var import OTHERS_PERMISSIONS

PUBLIC_MASK = 0o022
PUBLIC_COMMANDS = {"collectstatic", "render_restarting"}  # write files for the proxy


def main(arguments: list[str]) -> None:
    """Run a command. What the machine's owner has to mend is told in a sentence, with ``--traceback`` in full."""
    os.umask(PUBLIC_MASK if PUBLIC_COMMANDS.intersection(arguments[1:2]) else OTHERS_PERMISSIONS)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "domino_site.settings")
    try:
        execute_from_command_line(arguments)
    except ImproperlyConfigured as error:
        told(arguments, str(error))
    except (OperationalError, InternalError) as error:
        told(arguments, f"The database cannot be used: {error}")


def told(arguments: list[str], sentence: str) -> None:
    """End with the sentence. Raises what is handled where a traceback is wanted."""
    if "--traceback" in arguments:
        raise  # noqa: PLE0704
    sys.exit(" ".join(sentence.split()))


if __name__ == "__main__":
    main(sys.argv)
