"""Sign-in, the user's password, second factors and sessions. There is no registration."""

from allauth.account import views as account
from allauth.socialaccount import views as social
from django.urls import include, path, re_path

from compliance.people import account_pages, devices

urlpatterns = [
    path("", account_pages.OwnAccount.as_view(), name="account"),
    path("sign-in/", account.login, name="account_login"),
    # Emails of django-allauth to addresses without an account link here; there is no registration.
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
    path("single-sign-on/canceled/", social.login_cancelled, name="socialaccount_login_cancelled"),
    path("single-sign-on/error/", social.login_error, name="socialaccount_login_error"),
    path("single-sign-on/", include("allauth.socialaccount.providers.openid_connect.urls")),
    path("sessions/", account_pages.SessionList.as_view(), name="usersessions_list"),
    path("devices/", devices.DevicesPage.as_view(), name="devices"),
    path("devices/forget/", devices.ForgetDevice.as_view(), name="forget_device"),
    path("invitation/<str:secret>/", account_pages.accept, name="accept_invitation"),
]
