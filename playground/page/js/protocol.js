// What the bot was refused: a strip that says the latest, and a drawer with all of it.

import { h, icon } from "./dom.js";
import { on, state } from "./store.js";

let strip;
let drawer;

/** Make the strip and the drawer. Returns their nodes. */
export function protocol() {
  strip = h("div", { class: "strip", role: "alert", hidden: true, "data-protocol-strip": "" });
  drawer = h("aside", { class: "protocol", hidden: true, "aria-label": "Refused requests", "data-protocol-drawer": "" });
  on("errors", (latest) => {
    if (latest) show(latest);
    if (!drawer.hidden) drawDrawer();
  });
  drawer.addEventListener("keydown", (event) => event.key === "Escape" && toggleDrawer(false));
  return [strip, drawer];
}

function title(error) {
  return `${error.status}${error.code ? ` · ${error.code}` : ""} ${error.message}`;
}

function show(error) {
  strip.hidden = false;
  strip.dataset.code = error.code;
  strip.replaceChildren(
    icon("warn", 18),
    h(
      "div",
      { class: "strip-words" },
      h("b", {}, `Discord would refuse this: ${title(error)}`),
      h("span", {}, error.lines[0] ?? `${error.method} ${error.path}`),
    ),
    h("button", { type: "button", class: "button button-strip", onclick: () => toggleDrawer(true) }, "Details"),
    h("button", { type: "button", class: "icon-button", "aria-label": "Dismiss", "data-strip-dismiss": "", onclick: () => (strip.hidden = true) }, icon("close", 18)),
  );
}

/** Open or close the drawer. */
export function toggleDrawer(open = drawer.hidden) {
  drawer.hidden = !open;
  if (!open) return;
  strip.hidden = true;
  drawDrawer();
  drawer.querySelector("button")?.focus();
}

function drawDrawer() {
  drawer.replaceChildren(
    h(
      "header",
      {},
      h("h2", {}, "Refused requests"),
      h("button", { type: "button", class: "button button-plain", onclick: clear }, "Clear"),
      h("button", { type: "button", class: "icon-button", "aria-label": "Close", onclick: () => toggleDrawer(false) }, icon("close", 22)),
    ),
    h("p", { class: "protocol-note" }, "What the bot asked for and Discord would not take, newest first."),
    state.errors.length ? "" : h("p", { class: "none" }, "Nothing was refused so far."),
    ...[...state.errors].reverse().map((error) =>
      h(
        "section",
        { class: "refusal", "data-code": error.code },
        h("b", {}, title(error)),
        h("code", {}, `${error.method} ${error.path}`),
        h("time", {}, new Date(error.at * 1000).toLocaleTimeString()),
        error.lines.length ? h("ul", {}, error.lines.map((line) => h("li", {}, line))) : null,
        error.body ? h("details", {}, h("summary", {}, "The body"), h("pre", {}, pretty(error.body))) : null,
      ),
    ),
  );
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function clear() {
  state.errors = [];
  strip.hidden = true;
  drawDrawer();
  document.dispatchEvent(new CustomEvent("errors-cleared"));
}
