"""The people of the parties you may see."""

from django.urls import path

from compliance.people import access_change_pages as changes
from compliance.people import api_key_pages as keys
from compliance.people import pages

urlpatterns = [
    path("people/", pages.PartyList.as_view(), name="parties"),
    path("people/<slug:code>/", pages.PeoplePage.as_view(), name="people"),
    path("people/<slug:code>/invite/", changes.InvitePerson.as_view(), name="invite_person"),
    path(
        "people/<slug:code>/invitations/<uuid:uuid>/withdraw/",
        pages.WithdrawInvitation.as_view(),
        name="withdraw_invitation",
    ),
    path(
        "people/<slug:code>/roles/<int:membership>/end/",
        changes.EndRole.as_view(),
        name="end_role",
    ),
    path(
        "people/<slug:code>/roles/<int:membership>/reset-second-factor/",
        changes.ResetSecondFactor.as_view(),
        name="reset_second_factor",
    ),
    path("people/<slug:code>/keys/", keys.KeysPage.as_view(), name="api_keys"),
    path("people/<slug:code>/keys/make/", keys.CreateKey.as_view(), name="make_api_key"),
    path(
        "people/<slug:code>/keys/<uuid:uuid>/revoke/",
        keys.RevokeKey.as_view(),
        name="revoke_api_key",
    ),
    path("parties/register/", pages.RegisterParty.as_view(), name="register_party"),
    path("accounts/", pages.AccountList.as_view(), name="accounts"),
    path("accounts/<uuid:uuid>/", pages.AccountPage.as_view(), name="account_of"),
    path("accounts/<uuid:uuid>/close/", pages.CloseAccount.as_view(), name="close_account"),
    path("accounts/<uuid:uuid>/reopen/", pages.ReopenAccount.as_view(), name="reopen_account"),
    path("access-changes/", changes.ChangeList.as_view(), name="access_changes"),
    path("access-changes/<uuid:uuid>/", changes.ChangePage.as_view(), name="access_change"),
    path(
        "access-changes/<uuid:uuid>/confirm/",
        changes.ConfirmChange.as_view(),
        name="confirm_access_change",
    ),
    path(
        "access-changes/<uuid:uuid>/withdraw/",
        changes.WithdrawChange.as_view(),
        name="withdraw_access_change",
    ),
    path(
        "access-changes/<uuid:uuid>/reverse/",
        changes.ReverseChange.as_view(),
        name="reverse_access_change",
    ),
    path("account/second-factor-reset/", changes.OwnReset.as_view(), name="own_reset"),
]
