// The queue: single keys. Everything it does can be done without it.
"use strict";

const KEYS_OFF = "queue-keys-off";
const LIST = "queue-list";
const find = (selector) => document.querySelector(selector);
const all = (selector) => Array.from(document.querySelectorAll(selector));
const stored = (key) => JSON.parse(sessionStorage.getItem(key) ?? "{}");

// The list one comes from, so that one goes on from issue to issue.
const rows = all(".usa-table--compact tbody tr").filter((row) => row.querySelector("a[href]"));
const link = (row) => row.querySelector("a[href]");
const onIssue = find("[data-issue]");
// In the queue, the list and an issue are side by side.
const beside = Boolean(onIssue && find("[data-queue]"));
if (rows.length && (!onIssue || beside) && find("#id_q")) {
  const items = rows.map((row) => link(row).dataset.page ?? link(row).pathname);
  sessionStorage.setItem(LIST, JSON.stringify({ address: location.pathname + location.search, items }));
}
const back = find("[data-list]");
if (back && stored(LIST).address) back.href = stored(LIST).address;

const current = () => rows.findIndex((row) => row.contains(document.activeElement));
const chosen = () => find("[name=issue]:checked, [name=every]:checked");

function move(by) {
  const steps = all("[data-step] > summary");
  if (steps.includes(document.activeElement)) {
    steps[steps.indexOf(document.activeElement) + by]?.focus();
  } else if (onIssue && !beside) {
    const items = stored(LIST).items ?? [];
    const place = items.findIndex((item) => location.pathname.startsWith(item));
    const next = items[place + by];
    if (place >= 0 && next) location.assign(next);
  } else {
    const at = current();
    const next = at < 0 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1);
    if (rows.length) link(rows[next]).focus();
  }
}

// Claims or decides those that are chosen, or else the one that one stands on.
function many(act) {
  const button = find(`button[name=act][value=${act}]`);
  if (!button) return;
  if (!chosen()) choose();
  button.click();
}

function choose() {
  const box = rows[current()]?.querySelector("[name=issue]");
  if (box) box.checked = !box.checked;
}

function write(field) {
  if (!field) return;
  const fold = field.closest("details");
  if (fold) fold.open = true;
  field.focus();
}

const keys = find("[data-keys]");
let cameFrom = document.body;
function help(open) {
  if (!keys) return;
  if (open) cameFrom = document.activeElement;
  keys.classList.toggle("keys--over", open);
  keys.open = open;
  if (open) keys.querySelector("summary").focus();
  else if (cameFrom === document.body) document.activeElement.blur();
  else cameFrom.focus();
}

const does = {
  j: () => move(1),
  k: () => move(-1),
  x: choose,
  c: () => (onIssue && !chosen() ? find("[data-claim]")?.click() : many("claim")),
  d: () => (onIssue && !chosen() ? find("[data-step] > summary")?.focus() : many("decide")),
  n: () => write(find("[data-note] textarea")),
  g: () => stored(LIST).address && location.assign(stored(LIST).address),
  "/": () => write(find("#id_q")),
  "?": () => help(!keys?.open),
};

const off = () => localStorage.getItem(KEYS_OFF) === "yes";
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && keys?.classList.contains("keys--over")) help(false);
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (event.target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]")) return;
  const act = does[event.key];
  if (!act || off()) return;
  event.preventDefault();
  act();
});

// Who uses speech, or types by mistake, turns single keys off (WCAG 2.1.4).
const turn = find("[data-keys-switch]");
if (turn) {
  const box = turn.querySelector("input");
  turn.hidden = false;
  box.checked = !off();
  box.addEventListener("change", () => localStorage.setItem(KEYS_OFF, box.checked ? "no" : "yes"));
}
