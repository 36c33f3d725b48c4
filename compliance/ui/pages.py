"""Page classes: each states its permission, its template, and what its form does.

A `Page` shows something, a `ListPage` a table with filters, and an `ActionPage` handles a form: its
own, or one that another page shows (`shown_on`).
"""

from __future__ import annotations

from contextlib import nullcontext
from datetime import date
from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import register_converter, reverse
from django.utils.functional import cached_property
from django.views import View

from compliance.access.models import Party
from compliance.ui.access import accepted, allows, person_of, require_sight
from compliance.ui.lists import cut, paged

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    import django_filters
    from django.db.models import Model, QuerySet
    from django.http import HttpRequest
    from django.http.response import HttpResponse, HttpResponseBase
    from django_tables2 import Table

    from compliance.access.models import Person
    from compliance.access.permissions import Action


class DayConverter:
    """A calendar day in an address, as `<day:day>`: 2025-07-12."""

    regex = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
    to_python = staticmethod(date.fromisoformat)
    to_url = staticmethod(str)


register_converter(DayConverter, "day")


class Page(View):
    """A page for signed-in users about one subject, or about none.

    `permission` is required on the subject's party, or on any party if there is none. What a user
    may not see looks like something that does not exist.
    """

    template_name: ClassVar[str] = ""
    permission: ClassVar[Action | None] = None

    person: Person
    subject: Any

    def dispatch(self, request: HttpRequest, *args: Any, **address: Any) -> HttpResponseBase:
        """Sign the user in, find the subject, check the permission, and respond."""
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if not hasattr(self, (request.method or "").lower()):
            return self.http_method_not_allowed(request)
        self.person = person_of(request)
        self.subject = self.get_subject()
        self.check_permission()
        return super().dispatch(request, *args, **address)

    def get_subject(self) -> Any:
        """Return what `self.kwargs` names, or raise Http404; override if it names something."""
        return None

    @property
    def party(self) -> Party | None:
        """Return the party on which the permission is required."""
        of = self.subject
        return of if isinstance(of, Party) else getattr(of, "party", None)

    def check_permission(self) -> None:
        """Raise Http404 if the user may not do this."""
        if self.permission is not None:
            require_sight(self.request, self.permission, self.party)

    def allows(self, action: Action) -> bool:
        """Return whether the user may do something else on the same party."""
        return allows(self.request, action, self.party)

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Show the page."""
        return self.show()

    def show(self, *, status: int = 200) -> HttpResponse:
        """Render the template; say why a form was refused that the page no longer shows."""
        context = self.get_context()
        if self._refused is not None and not self._shows_refused:
            _say_errors(self.request, self._refused)
        return render(self.request, self.template_name, context, status=status)

    def get_context(self) -> dict[str, Any]:
        """Return what the template needs."""
        return {}

    _refused: forms.Form | None = None
    _shows_refused = False

    @property
    def refused(self) -> forms.Form | None:
        """Return the form that was just refused, which this page shows instead of an empty one."""
        self._shows_refused = True
        return self._refused

    @refused.setter
    def refused(self, form: forms.Form) -> None:
        self._refused = form

    def form(
        self, form_class: Callable[..., forms.Form], name: str | None = None, **initial: Any
    ) -> forms.Form:
        """Return a form of this page: with its initial values, or as submitted and refused."""
        if self._refused is not None and self.is_refused(name):
            self._shows_refused = True
            return self._refused
        return form_class(prefix=name, initial=initial)

    def is_refused(self, name: str | None) -> bool:
        """Return whether this form of the page was just refused: it is shown in any case."""
        return self._refused is not None and self._refused.prefix == name


class OfParty:
    """A page whose address names a party by its code."""

    kwargs: dict[str, Any]

    def get_subject(self) -> Party:
        """Return the party."""
        return get_object_or_404(Party, code=self.kwargs["code"])


class ListPage(Page):
    """A list that users filter; the filters, the order and the page are in the address.

    Pages follow each other by key (`by`), or are numbered and sortable if there is no key.
    """

    table_class: type[Table]
    filter_class: type[django_filters.FilterSet] | None = None
    by: ClassVar[str | tuple[str, ...] | None] = ("-pk",)

    def get_rows(self) -> QuerySet[Model]:
        """Return all rows that this user may see."""
        raise NotImplementedError

    @cached_property
    def filters(self) -> django_filters.FilterSet | None:
        """Return the filters in the address; None if the list has none."""
        if self.filter_class is None:
            return None
        return self.filter_class(self.request.GET, self.get_rows(), request=self.request)

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Show the list; invalid filters find nothing, and say so."""
        return self.show(status=200 if self.filters is None or self.filters.is_valid() else 422)

    def get_filtered(self) -> QuerySet[Any]:
        """Return the rows that the filters leave; none if a filter is invalid."""
        if self.filters is None:
            return self.get_rows()
        found: QuerySet[Any] = self.filters.queryset
        return self.filters.qs if self.filters.is_valid() else found.none()

    def get_context(self) -> dict[str, Any]:
        """Add the filters and the table."""
        filters, rows = self.filters, self.get_filtered()
        context = super().get_context() | {
            "filters": filters.form if filters is not None else None,
            "filtered": filters is not None
            and any(self.request.GET.get(name) for name in filters.form.fields),
        }
        if self.by is None:
            return context | {"table": paged(self.request, self.get_table(rows))}
        page = cut(self.request, rows, by=self.by)
        return context | {"table": self.get_table(page.rows), "cut": page}

    def get_table(self, rows: Any) -> Table:
        """Return the table of these rows."""
        return self.table_class(rows)


class ActionPage(Page):
    """A form that does something: `act` calls the service, then the user sees the result.

    A refused form is shown again with status 422: by `shown_on`, the page that has the form, or by
    this page itself if it has a template. A button without fields has neither; if its service
    refuses, the reason is a message.
    """

    form_class: ClassVar[type[forms.Form]] = forms.Form
    form_name: ClassVar[str | None] = None
    post_permission: ClassVar[Action | None] = None
    """Required to act, if `permission` only shows the page."""
    shown_on: ClassVar[type[Page] | None] = None
    returns_to: ClassVar[tuple[str, ...]] = ()
    """The page that has the form: its route, and which arguments of this address it takes."""
    kept_as: ClassVar[str] = ""
    success_message: ClassVar[str] = ""
    success_url: ClassVar[str] = ""

    def check_permission(self) -> None:
        """Raise Http404 if the user may not see the form, or not submit it."""
        super().check_permission()
        if self.request.method == "POST" and self.post_permission is not None:
            require_sight(self.request, self.post_permission, self.party)

    def act(self, data: dict[str, Any]) -> Any:
        """Call the service with the cleaned data."""
        raise NotImplementedError

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Show the form; return to the page that has it, where a user signed in again meanwhile."""
        return self.show() if self.template_name else redirect(self.get_page_url())

    def post(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Do it, or show what is wrong with the form."""
        form = self.get_form(request.POST, request.FILES)
        result = accepted(form, self._do)
        if form.errors:
            return self.show_refused(form)
        if message := self.get_success_message(result):
            # By this name, the browser deletes the copy that it kept of the form.
            messages.success(request, message, extra_tags=self.kept_as or form.prefix or "")
        return self.respond(result)

    def _do(self, data: dict[str, Any]) -> Any:
        with self.doing():
            return self.act(data)

    def doing(self) -> AbstractContextManager[None]:
        """Return what surrounds `act`; nothing by default."""
        return nullcontext()

    def respond(self, result: Any) -> HttpResponse:
        """Send the user on after success."""
        return redirect(self.get_success_url(result))

    def get_form(self, data: Any = None, files: Any = None) -> forms.Form:
        """Return the form, empty or with what was submitted.

        `form_name` may contain arguments of the address: a page may have one form for each row.
        """
        prefix = self.form_name and self.form_name.format(**self.kwargs)
        return self.form_class(data, files, prefix=prefix)

    def get_context(self) -> dict[str, Any]:
        """Add the form, for an action that has its own page."""
        return super().get_context() | {"form": self.refused or self.get_form()}

    def get_success_message(self, result: Any) -> str:
        """Return what the user reads after success."""
        return self.success_message.format(subject=self.subject, result=result)

    def get_success_url(self, result: Any) -> str:
        """Return where the user goes after success; by default, to the page of the form."""
        return self.success_url or self.get_page_url()

    def get_page_url(self) -> str:
        """Return the page that has the form, as `redirect` takes it."""
        route, *names = self.returns_to
        return reverse(route, args=[self.kwargs[name] for name in names])

    def show_refused(self, form: forms.Form) -> HttpResponse:
        """Show the form with its errors where the user filled it in."""
        if self.template_name:
            self.refused = form
            return self.show(status=422)
        if self.shown_on is None:
            _say_errors(self.request, form)
            return redirect(self.get_page_url())
        page = self.shown_on()
        page.setup(self.request, *self.args, **self.kwargs)
        page.person, page.refused = self.person, form
        page.subject = self.get_shown_subject()
        return page.show(status=422)

    def get_shown_subject(self) -> Any:
        """Return the subject of the page that has the form, as it is in the database now."""
        if self.subject is not None:
            self.subject.refresh_from_db()
        return self.subject


class FormPage(ActionPage):
    """A page with one form and a button."""

    template_name = "form.html"
    title: ClassVar[str]
    button: ClassVar[str]

    def get_context(self) -> dict[str, Any]:
        """Add the title and the label of the button."""
        return super().get_context() | {"title": self.title, "button": self.button}


def _say_errors(request: HttpRequest, form: forms.Form) -> None:
    for name, errors in form.errors.items():
        label = f"{form[name].label}: " if name in form.fields else ""
        messages.error(request, label + " ".join(map(str, errors)))
