"""The texts of refusals that only the API gives."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

INVALID_TOKEN = _("This token is wrong, revoked or expired.")
NO_TOKEN = _("This request needs a token in its Authorization header.")
MISSING_SCOPE = _("The token does not have the permission for this: %(scope)s")
NO_SUCH_GAME = _("There is no such game.")
BODY_IS_NO_JSON = _("The body of this request is not JSON.")
