"""URL patterns under ``/accounts/``. Ours come first and replace those of allauth."""

from __future__ import annotations

from django.urls import include, path, re_path

from accounts import unsubscribing, views
from accounts.footer import set_theme
from accounts.login import views as login_views
from accounts.push import views as push_views
from accounts.sanctions import appeal_views
from accounts.tokens import views as token_views

urlpatterns = [
    path("guest/", views.guest_page, name="guest"),
    path("guest/upgrade/", login_views.SignupView.as_view(), name="guest-upgrade"),
    path("settings/", views.settings_page, name="settings"),
    path("looks/", views.save_looks, name="looks"),
    path("blocks/", views.blocks_page, name="blocks"),
    path("blocks/<key:person_id>/lift/", views.unblock, name="unblock"),
    path("follows/", views.follows_page, name="follows"),
    path("follows/<key:person_id>/end/", views.unfollow, name="unfollow"),
    path("tokens/", token_views.tokens_page, name="tokens"),
    path("tokens/<key:token_id>/revoke/", token_views.revoke, name="token-revoke"),
    path("bots/", token_views.create_bot, name="bots"),
    path("bots/<key:bot_id>/token/", token_views.renew_bot_token, name="bot-token"),
    path("bots/<key:bot_id>/delete/", token_views.delete_bot, name="bot-delete"),
    path("notices/<key:notice_id>/", views.dismiss_notice, name="notice-dismiss"),
    path("mails/<str:token>/", unsubscribing.unsubscribe, name="mails-end"),
    path("push/", push_views.subscribe, name="push"),
    path("push/end/", push_views.unsubscribe, name="push-end"),
    path("data/", views.delete_account, name="account-delete"),
    path("data/export/", views.data_export, name="data-export"),
    path("sanctions/", appeal_views.sanctions_page, name="sanctions"),
    path("sanctions/<key:sanction_id>/appeal/", appeal_views.appeal, name="appeal"),
    path("suspended/", views.suspension_page, name="suspended"),
    path("theme/", set_theme, name="set-theme"),
    path("login/", login_views.LoginView.as_view(), name="account_login"),
    path("signup/", login_views.SignupView.as_view(), name="account_signup"),
    path("logout/", login_views.LogoutView.as_view(), name="account_logout"),
    path("confirm-email/<str:key>/", login_views.ConfirmEmailView.as_view(), name="account_confirm_email"),
    path("2fa/totp/activate/", login_views.ActivateTOTPView.as_view(), name="mfa_activate_totp"),
    re_path(
        r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        login_views.PasswordResetFromKeyView.as_view(),
        name="account_reset_password_from_key",
    ),
    path("", include("allauth.urls")),
]
