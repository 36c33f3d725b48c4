"""Pages of notifications: the list, choices, failed emails and the calendar."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any
from uuid import UUID

import django_tables2 as tables
from django import forms
from django.conf import settings
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.html import format_html
from django.views.decorators.http import require_safe

from compliance import clock
from compliance.access.permissions import Action
from compliance.access.scope import memberships_of, visible_parties, within
from compliance.notifications.due_dates import due_dates
from compliance.notifications.kinds import Way
from compliance.notifications.mail import give_up, send_again
from compliance.notifications.models import NoticeMail
from compliance.notifications.reads import (
    calendar_at,
    calendar_of,
    kinds_for,
    mails_astray,
    notices_of,
    ways_of,
)
from compliance.notifications.writes import (
    choose_ways,
    make_calendar,
    note_read,
    revoke_calendar,
    take_calendars_turn,
)
from compliance.ui.access import asked
from compliance.ui.pages import ActionPage, ListPage, Page
from compliance.ui.tables import (
    ActionColumn,
    ListTable,
    RowAction,
    WhenColumn,
    show_state,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.db.models import QuerySet
    from django.http import HttpRequest
    from django.utils.safestring import SafeString

    from compliance.notifications.kinds import NoticeKind
    from compliance.notifications.models import Notice


TOO_OFTEN = "Too many requests for this calendar. Have your program ask every few minutes.\n"


class DueTable(ListTable):
    """Due dates, next first."""

    on = tables.TemplateColumn(template_name="notices/due_on.html", verbose_name="Last day")
    says = tables.Column(verbose_name="What", linkify=lambda record: record.link)
    caption = "Next first"

    class Meta:
        empty_text = "Nothing is due."


class CalendarPage(Page):
    """Due dates, and the address of the user's own calendar."""

    template_name = "notices/calendar.html"

    def get_context(self) -> dict[str, Any]:
        return {
            "dates": DueTable(due_dates(self.person, asked(self.request).memberships)),
            "today": clock.today(),
            "feed": calendar_of(self.person),
        }


class CreateCalendar(ActionPage):
    """Create an address and show it once; it replaces the previous one."""

    returns_to = ("calendar",)

    def act(self, data: dict[str, Any]) -> str:
        return make_calendar(by=self.person)

    def respond(self, result: str) -> HttpResponse:
        address = f"{settings.SITE_URL}{reverse('calendar_feed', args=[result])}"
        return render(self.request, "notices/calendar_made.html", {"address": address})


class RevokeCalendar(ActionPage):
    """Revoke the address."""

    returns_to = ("calendar",)
    success_message = "The address no longer works."

    def act(self, data: dict[str, Any]) -> None:
        revoke_calendar(by=self.person)


@require_safe
def feed(_: HttpRequest, secret: str) -> HttpResponse:
    """Serve the calendar to a program that knows the address.

    Respond with 404 once the address is revoked, the account closed or the last role ended.
    """
    # Few processes ever write a calendar, and all of them load the URLs.
    from compliance.notifications.calendar import calendar_of as write_calendar

    calendar = calendar_at(secret)
    memberships = memberships_of(calendar.person) if calendar is not None else []
    if calendar is None or not memberships:
        raise Http404
    if wait := take_calendars_turn(calendar):
        answer = HttpResponse(TOO_OFTEN, content_type="text/plain; charset=utf-8", status=429)
        answer["Retry-After"] = str(ceil(wait))
        return answer
    with within(visible_parties(memberships)):
        dates = due_dates(calendar.person, memberships)
    answer = HttpResponse(
        write_calendar(dates, at=clock.now()), content_type="text/calendar; charset=utf-8"
    )
    answer["Content-Disposition"] = 'inline; filename="due-dates.ics"'
    answer["Cache-Control"] = "private, max-age=300"
    answer["X-Robots-Tag"] = "noindex"
    return answer


def fix_buttons(mail: NoticeMail) -> list[RowAction]:
    """Return the buttons of a failed email."""
    if mail.state != NoticeMail.State.FAILED:
        return []
    address, to, fields = reverse("mend_notice_mail"), f"to {mail.person}", {"mail": mail.uuid}
    return [
        RowAction(url=address, button="Send again", hint=to, hidden=fields),
        RowAction(url=address, button="Give up", hint=to, hidden=fields | {"give_up": 1}),
    ]


class MailTable(ListTable):
    """Emails that were not sent, newest first."""

    person = tables.Column(verbose_name="To")
    made = WhenColumn(verbose_name="Since")
    state = tables.Column()
    fix = ActionColumn(fix_buttons)
    caption = "Newest first"

    def render_state(self, record: NoticeMail) -> SafeString:
        kind = "failing" if record.state == NoticeMail.State.FAILED else "waiting"
        return format_html("{} {}", show_state(kind, record.get_state_display()), record.reason)


class MailList(ListPage):
    """Failed emails, and those over an hour late: to whom, since when, and why."""

    permission = Action.SEE_OPERATIONS
    template_name = "notices/mails.html"

    def get_rows(self) -> QuerySet[NoticeMail]:
        return mails_astray().select_related("person")

    def get_table(self, rows: Any) -> MailTable:
        return MailTable(rows, exclude=() if self.allows(Action.RETRY_EMAIL) else ("fix",))


class MailForm(forms.Form):
    """A failed email, and whether to leave it unsent."""

    mail = forms.UUIDField()
    give_up = forms.BooleanField(required=False)


class FixMail(ActionPage):
    """Retry a failed email, or leave it unsent."""

    permission = Action.RETRY_EMAIL
    form_class = MailForm
    success_message = "{result}"
    returns_to = ("notice_mails",)

    def act(self, data: dict[str, Any]) -> str:
        """Retry it or give up; return what the user reads."""
        if data["give_up"]:
            give_up(mail=data["mail"], by=self.person)
            return "It stays unsent."
        send_again(mail=data["mail"], by=self.person)
        return "It will be sent again."


def read_button(notice: Notice) -> list[RowAction]:
    """Return the button of an unread notification."""
    if notice.seen:
        return []
    fields = {"notice": notice.uuid}
    address = reverse("read_notices")
    return [RowAction(url=address, button="Mark as read", hint=notice.says, hidden=fields)]


class NoticeTable(ListTable):
    """Notifications, newest first."""

    says = tables.Column(
        verbose_name="What",
        linkify=lambda record: f"{reverse('open_notice')}?notice={record.uuid}",
    )
    at = WhenColumn(verbose_name="When")
    seen = tables.Column(verbose_name="State", empty_values=())
    mark = ActionColumn(read_button)
    caption = "Newest first"

    def render_seen(self, record: Notice) -> SafeString:
        return show_state("waiting", "Read") if record.seen else show_state("attention", "New")


class NoticeList(ListPage):
    """The user's notifications, newest first."""

    template_name = "notices/notices.html"
    table_class = NoticeTable

    def get_rows(self) -> QuerySet[Notice]:
        notices = notices_of(self.person, asked(self.request).memberships)
        return notices.filter(seen=None) if "new" in self.request.GET else notices

    def get_context(self) -> dict[str, Any]:
        return super().get_context() | {"only_new": "new" in self.request.GET}


class OpenNotice(Page):
    """Marks a notification as read, and redirects to its subject."""

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        try:
            uuid = UUID(request.GET.get("notice", ""))
        except ValueError as unreadable:
            raise Http404 from unreadable
        notice = notices_of(self.person, asked(request).memberships).filter(uuid=uuid).first()
        if notice is None:
            raise Http404
        if notice.seen is None:
            note_read(by=self.person, only=uuid)
        return redirect(notice.link)


class NoticeForm(forms.Form):
    """The notification to mark as read; all if there is none."""

    notice = forms.UUIDField(required=False)


class ReadNotices(ActionPage):
    """Mark everything as read, or one notification."""

    form_class = NoticeForm
    success_message = "{result}"
    returns_to = ("notices",)

    def act(self, data: dict[str, Any]) -> str:
        """Mark as read; return what the user reads."""
        count = note_read(by=self.person, only=data["notice"])
        return "" if data["notice"] else f"Marked as read: {count}."


class WaysForm(forms.Form):
    """One choice for each kind of notification the user may receive."""

    def __init__(
        self, kinds: list[NoticeKind], chosen: Mapping[str, Way], data: Any = None
    ) -> None:
        super().__init__(data)
        for kind in kinds:
            self.fields[kind.name] = forms.TypedChoiceField(
                label=kind.label,
                choices=Way.choices,
                coerce=Way,
                initial=chosen.get(kind.name, kind.usual),
            )


class ChooseNotices(ActionPage):
    """Choose how to be notified of each kind."""

    template_name = "notices/choices.html"
    success_message = "Your choices are saved. They apply from now on."
    returns_to = ("notice_choices",)

    def get_form(self, data: Any = None, files: Any = None) -> forms.Form:
        kinds = kinds_for(asked(self.request).memberships)
        return WaysForm(kinds, ways_of(self.person), data)

    def act(self, data: dict[str, Any]) -> None:
        choose_ways(ways=data, by=self.person)


def new_notices(request: HttpRequest) -> dict[str, Any]:
    """Count unread notifications; a context processor."""
    return {"new_notices": SimpleLazyObject(lambda: _unread(request))}


def _unread(request: HttpRequest) -> int:
    """Count the user's unread notifications with one query."""
    who = asked(request)
    if who.person is None:
        return 0
    with within(who.parties):  # error pages are rendered outside the request's own access scope
        return notices_of(who.person, who.memberships).filter(seen=None).count()
