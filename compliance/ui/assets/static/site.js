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

// While a form autosaves, its submit button waits: the submitted form must carry the saved version,
// or the server would take our own autosave for another person's change.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("form[hx-post].htmx-request")) return;
  event.preventDefault();
  const again = () => setTimeout(() => form.requestSubmit(event.submitter));
  form.addEventListener("htmx:afterRequest", again, { once: true });
});

// A live region says so when it can't be refreshed, instead of silently showing old data; if it has a
// note for it, it also says that the reader is signed out.
function couldNotRenew(event) {
  const live = event.target.closest("[data-live]");
  const ended = [401, 403].includes(event.detail.xhr?.status) && live?.querySelector("[data-live-ended]");
  const note = ended || live?.querySelector("[data-live-note]");
  if (note) note.hidden = false;
}
document.addEventListener("htmx:responseError", couldNotRenew);
document.addEventListener("htmx:sendError", couldNotRenew);

// Signing out clears what was typed in this tab, so that the next person can't read it.
for (const form of document.querySelectorAll("form[data-sign-out]")) {
  form.addEventListener("submit", () => sessionStorage.clear());
}
