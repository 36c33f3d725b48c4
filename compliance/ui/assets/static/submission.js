// Sends a round log in pieces, each under its own SHA-256, and goes on where it was when the
// connection was lost. Without it the form sends the file as a whole.
"use strict";

const form = document.querySelector("form[data-begin], form[data-go-on]");
const sending = form?.querySelector("[data-sending]");
const bar = sending?.querySelector("progress");
const says = sending?.querySelector("[data-sending-says]");
const failed = form?.querySelector("[data-sending-failed]");

class Refused extends Error {}

const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

// What the server answers; its sentence where it refuses. What does not answer is asked again.
async function ask(address, { body, headers = {} } = {}) {
  for (let wait = 1; ; wait = Math.min(wait * 2, 30)) {
    let answer;
    try {
      answer = await fetch(address, {
        method: body === undefined ? "GET" : "POST",
        headers: { "X-CSRFToken": form.elements.csrfmiddlewaretoken.value, ...headers },
        body,
        redirect: "error",
      });
    } catch {
      answer = null;
    }
    if (answer && answer.status < 500) {
      const body = await answer.json().catch(() => ({}));
      if (answer.ok) return body;
      throw new Refused(body.error ?? "You are signed out. Sign in to continue.");
    }
    const why = answer?.status === 507
      ? "The system's disk is full. The part already sent is kept. Tell an administrator."
      : "The connection was lost.";
    says.textContent = `${why} Trying again in ${wait} s.`;
    await pause(wait);
  }
}

async function digestOf(piece) {
  const digest = await crypto.subtle.digest("SHA-256", piece);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function send(file, begun) {
  if (begun.size !== file.size) {
    throw new Refused(`This is not the same file: ${begun.name} has ${begun.size} bytes.`);
  }
  const pieces = Math.ceil(file.size / begun.piece);
  for (let number = 0; number < pieces; number += 1) {
    const piece = await file.slice(number * begun.piece, (number + 1) * begun.piece).arrayBuffer();
    const digest = await digestOf(piece);
    const taken = begun.pieces[number];
    if (taken !== undefined && taken !== digest) {
      throw new Refused(`This is not the same file: piece ${number} arrived with another content.`);
    }
    if (taken === undefined) {
      await ask(`${begun.send}${number}/`, {
        body: piece,
        headers: { "Content-Type": "application/octet-stream", "Piece-SHA256": digest },
      });
    }
    bar.value = (number + 1) / pieces;
    says.textContent = `${Math.floor((100 * (number + 1)) / pieces)} % sent`;
  }
  await ask(begun.finish, { body: new URLSearchParams() });
  window.location.assign(begun.page);
}

async function begin(file) {
  if (form.dataset.goOn) return ask(form.dataset.goOn);
  const about = new FormData(form);
  about.delete("file");
  about.set("name", file.name);
  about.set("size", file.size);
  return ask(form.dataset.begin, { body: new URLSearchParams(about) });
}

form?.addEventListener("submit", async (event) => {
  const file = form.elements.file.files[0];
  if (!file || !window.crypto?.subtle) return; // the form itself says what is missing
  event.preventDefault();
  const button = form.querySelector("button[type=submit]");
  button.disabled = true;
  failed.hidden = true;
  sending.hidden = false;
  try {
    await send(file, await begin(file));
  } catch (error) {
    failed.querySelector("p").textContent =
      error instanceof Refused ? error.message : `The file could not be read: ${error.message}`;
    failed.hidden = false;
    sending.hidden = true;
    button.disabled = false;
  }
});
