// What pages do beyond plain HTML. Everything can be read, and every form sent, without it.
"use strict";

// A refused form: the list of what is wrong is read out and reached first.
document.querySelector("[data-error-summary]")?.focus();

// A menu of the navigation closes on Escape, and when one has gone elsewhere.
const menus = () => document.querySelectorAll(".site-menu[open]");
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of menus()) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});
for (const gone of ["click", "focusin"]) {
  document.addEventListener(gone, (event) => {
    for (const menu of menus()) if (!menu.contains(event.target)) menu.open = false;
  });
}

// A form that saves itself while one types is sent by its button once that is through: sent before,
// it would not know what it has saved, and take that for somebody else's.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("form[hx-post].htmx-request")) return;
  event.preventDefault();
  const again = () => setTimeout(() => form.requestSubmit(event.submitter));
  form.addEventListener("htmx:afterRequest", again, { once: true });
});

// A part that renews itself says when it could not, instead of silently showing old news; and, where
// it has a word for it, that whoever reads it is signed out.
function couldNotRenew(event) {
  const live = event.target.closest("[data-live]");
  const ended = [401, 403].includes(event.detail.xhr?.status) && live?.querySelector("[data-live-ended]");
  const note = ended || live?.querySelector("[data-live-note]");
  if (note) note.hidden = false;
}
document.addEventListener("htmx:responseError", couldNotRenew);
document.addEventListener("htmx:sendError", couldNotRenew);

// Who signs out leaves nothing of what was typed in this tab to whoever sits down next.
for (const form of document.querySelectorAll("form[data-sign-out]")) {
  form.addEventListener("submit", () => sessionStorage.clear());
}
