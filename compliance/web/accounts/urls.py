"""Signing in, one's own password, second factors and sessions. Nobody registers here."""

from allauth.account import views as account
from allauth.socialaccount import views as social
from allauth.usersessions import views as sessions
from django.urls import include, path, re_path

from compliance.web.accounts import invitations, own

urlpatterns = [
    path("", own.own_account, name="account"),
    path("sign-in/", account.login, name="account_login"),
    # What django-allauth's mails to addresses without an account lead to; nobody registers.
    path("sign-in/", account.login, name="account_signup"),
    path("sign-out/", account.logout, name="account_logout"),
    path("inactive/", account.account_inactive, name="account_inactive"),
    path("confirm/", account.reauthenticate, name="account_reauthenticate"),
    path("password/", account.password_change, name="account_change_password"),
    path("password/reset/", account.password_reset, name="account_reset_password"),
    path("password/reset/sent/", account.password_reset_done, name="account_reset_password_done"),
    re_path(
        r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        account.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path(
        "password/reset/key/done/",
        account.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
    path("second-factor/", include("allauth.mfa.urls")),
    path("single-sign-on/cancelled/", social.login_cancelled, name="socialaccount_login_cancelled"),
    path("single-sign-on/error/", social.login_error, name="socialaccount_login_error"),
    path("single-sign-on/", include("allauth.socialaccount.providers.openid_connect.urls")),
    path("sessions/", sessions.list_usersessions, name="usersessions_list"),
    path("invitation/<str:secret>/", invitations.accept, name="accept_invitation"),
]
