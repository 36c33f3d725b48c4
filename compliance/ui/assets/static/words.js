// Copies what is selected in the text of a document into the form below it. Without this script,
// the words can be pasted.
"use strict";

{
  const text = document.querySelector("[data-words]");
  const words = document.querySelector("#id_words");
  const first = document.querySelector("#id_first");
  const count = document.querySelector("[data-words-count]");
  // The server counts characters; a browser counts some of them as two.
  const characters = (end) => Array.from(text.value.slice(0, end)).length;
  const units = (end) => Array.from(text.value).slice(0, end).join("").length;

  const copy = () => {
    const { selectionStart: begin, selectionEnd: end } = text;
    if (begin === end) return;
    words.value = text.value.slice(begin, end);
    first.value = characters(begin);
    count.textContent = `${Array.from(words.value).length} characters selected`;
  };
  // Browsers move no caret in a read-only field, so it is made writable and every change is stopped.
  text.readOnly = false;
  text.inputMode = "none";
  text.setAttribute("aria-readonly", "true");
  text.addEventListener("beforeinput", (event) => event.preventDefault());
  for (const event of ["select", "keyup", "mouseup", "touchend"]) text.addEventListener(event, copy);
  document.addEventListener("selectionchange", () => {
    if (document.activeElement === text) copy();
  });
  words.addEventListener("input", () => {
    first.value = "";
  });

  if (text.dataset.first) {
    text.setSelectionRange(units(Number(text.dataset.first)), units(Number(text.dataset.end)));
    const share = Number(text.dataset.first) / Math.max(1, text.value.length);
    text.scrollTop = Math.max(0, text.scrollHeight * share - text.clientHeight / 2);
  }
}
