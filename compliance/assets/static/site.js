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

// A part that renews itself says when it could not, instead of silently showing old news.
function couldNotRenew(event) {
  const note = event.target.closest("[data-live]")?.querySelector("[data-live-note]");
  if (note) note.hidden = false;
}
document.addEventListener("htmx:responseError", couldNotRenew);
document.addEventListener("htmx:sendError", couldNotRenew);
