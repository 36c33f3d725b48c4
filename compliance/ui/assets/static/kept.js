// What was typed stays in this tab until the server has taken it, though the session or the
// connection is lost meanwhile; and a form is sent once. Every form can be sent without it.
"use strict";

{
  const all = (selector) => Array.from(document.querySelectorAll(selector));

  // A form is sent once, however often its button is pressed.
  for (const form of all("form[data-once]")) {
    form.addEventListener("submit", (event) => {
      if (form.dataset.sent) event.preventDefault();
      form.dataset.sent = "yes";
    });
  }
  window.addEventListener("pageshow", () => {
    for (const form of all("form[data-sent]")) delete form.dataset.sent;
  });

  const TYPED = "textarea, select, input:not([type=hidden], [type=checkbox], [type=radio], [type=file])";
  const typed = (form) => Array.from(form.elements).filter((field) => field.name && field.matches(TYPED));
  const written = (field) =>
    field.matches("select") ? field.querySelector("[selected]")?.value ?? "" : field.defaultValue;
  const status = (says) => {
    const note = document.createElement("p");
    note.className = "as-of";
    note.setAttribute("role", "status");
    note.textContent = says;
    return note;
  };
  const keep = (form) => {
    const said = typed(form).map((field) => [field.name, { was: written(field), now: field.value }]);
    sessionStorage.setItem(`draft:${form.dataset.keep}`, JSON.stringify(Object.fromEntries(said)));
  };

  for (const mark of all("[data-kept]")) sessionStorage.removeItem(`draft:${mark.dataset.kept}`);
  for (const form of all("form[data-keep]")) {
    const draft = JSON.parse(sessionStorage.getItem(`draft:${form.dataset.keep}`) ?? "{}");
    let back = false;
    for (const field of typed(form)) {
      const { was, now } = draft[field.name] ?? {};
      if (now === undefined || now === was || now === field.value) continue;
      back = true;
      // If another person changed the text, keep theirs and show what was typed next to it.
      if (field.value === was || !field.value) {
        field.value = now;
      } else {
        field.before(status(`It was changed meanwhile. You wrote: ${now}`));
      }
    }
    if (back) {
      form.prepend(status("What you wrote here before is back."));
      const fold = form.closest("details");
      if (fold) fold.open = true;
    }
    form.addEventListener("input", () => keep(form));
  }

  // A form that saves itself: what was saved is what it begins with from now on.
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    const form = detail.elt;
    if (!form.matches("form[data-keep]") || !detail.successful) return;
    if (!detail.xhr.responseText.includes(`data-kept="${form.dataset.keep}"`)) return;
    for (const field of typed(form)) {
      const sent = detail.requestConfig.parameters[field.name];
      if (sent === undefined) continue;
      if (field.matches("select")) {
        for (const option of field.options) option.toggleAttribute("selected", option.value === sent);
      } else {
        field.defaultValue = sent;
      }
    }
    keep(form);
  });
}
