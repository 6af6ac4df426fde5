"""The form in which an administrator grants rights."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.forms import UserChangeForm
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from infrastructure.second_factors import has_second_factor


class RightsForm(UserChangeForm):  # type: ignore[type-arg]  # only the stubs are generic
    """Grants staff rights only to people with a second factor: a stolen password must not open the admin."""

    def clean_is_staff(self) -> bool:
        is_staff: bool = self.cleaned_data["is_staff"]
        is_new = is_staff and not self.instance.is_staff
        if is_new and settings.STAFF_SECOND_FACTOR and not has_second_factor(self.instance):
            raise ValidationError(_("This person has to turn on two-step login first."), code="second_factor")
        return is_staff
