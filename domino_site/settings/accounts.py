"""Passwords, accounts (django-allauth), second factors, and the rate limits of logins and mails."""

from __future__ import annotations

from domino_site.settings.environment import PRODUCTION, env

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["accounts.login.adapter.Backend"]
PASSWORD_HASHERS = ["accounts.login.hashing.Argon2Hasher"]
# How many passwords a process hashes at once (19 MiB each), and how long one waits for its turn.
PASSWORDS_AT_ONCE = env.int("PASSWORDS_AT_ONCE", default=2)
PASSWORD_WAIT_SECONDS = env.float("PASSWORD_WAIT_SECONDS", default=10)
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_REDIRECT_URL = "lobby"
LOGIN_URL = "account_login"
CSRF_FAILURE_VIEW = "accounts.outdated_forms.csrf_failure"
SESSION_COOKIE_AGE = 30 * 24 * 3600

ACCOUNT_ADAPTER = "accounts.login.adapter.Adapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*", "password2*"]
ACCOUNT_USERNAME_VALIDATORS = "accounts.names.rules.username_validators"
ACCOUNT_PRESERVE_USERNAME_CASING = False
ACCOUNT_USER_DISPLAY = str
# No page reveals whether an address is registered, not even the sign-up: it counts once it is confirmed.
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_EMAIL_NOTIFICATIONS = ACCOUNT_REAUTHENTICATION_REQUIRED = ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_MAX_EMAIL_ADDRESSES = 3
# The site's own views decide: a guest may log in and sign up.
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False
ACCOUNT_RATE_LIMITS = {
    # A class of 60 behind one address comes in at once.
    "guest": "60/m/ip,100/10m/ip,200/h/ip",
    "signup": "60/m/ip,200/h/ip",
    "login": "120/m/ip",
    # Wrong passwords and codes, as ``accounts.login.attempts`` counts them: allauth's own count locks out the owner.
    "login_failed": None,
    "tries_of_an_address": "60/m/ip",
    "tries_from_a_network": "5/5m/key,15/h/key",
    "tries_of_strangers": "60/h/key",
    "tries_of_a_device": "5/5m/key",
    # Mail to one address, no matter who asks for it. Links that were sent stay valid.
    "reset_password": "20/m/ip,100/h/ip,5/h/key,10/d/key",
    "confirm_email": "1/3m/key,5/h/key,10/d/key",
    "manage_email": "10/m/user,60/d/user",
}
ACCOUNT_FORMS = {
    "login": "accounts.forms.LoginForm",
    "signup": "accounts.forms.SignupForm",
    "add_email": "accounts.forms.AddEmailForm",
    "change_password": "accounts.forms.ChangePasswordForm",
    "set_password": "accounts.forms.SetPasswordForm",
    "reset_password": "accounts.forms.ResetPasswordForm",
    "reset_password_from_key": "accounts.forms.ResetPasswordKeyForm",
    "reauthenticate": "accounts.forms.ReauthenticateForm",
}
MFA_ADAPTER = "accounts.login.second_factors.MFAAdapter"
MFA_FORMS = {
    "authenticate": "accounts.forms.CodeForm",
    "reauthenticate": "accounts.forms.ReauthenticateCodeForm",
    "activate_totp": "accounts.forms.ActivateTOTPForm",
}
MFA_TOTP_ISSUER = "Dominoes online"
# The clocks of phones differ, and typing takes time: the code before and the one after count as well.
MFA_TOTP_TOLERANCE = 1
# Whether the administration opens only to accounts with two-step log-in.
STAFF_SECOND_FACTOR = env.bool("STAFF_SECOND_FACTOR", default=PRODUCTION)
