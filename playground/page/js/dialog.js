// A plain dialog: title, content, buttons; keeps the focus inside; Esc closes.

import { h, icon } from "./dom.js";

/** Open a dialog. Returns {node, close, fail(words)}. `onSubmit` may be async; true closes. */
export function dialog({ title, mark, content, submit = "Save", cancel = "Cancel", danger = false, onSubmit, name }) {
  const back = document.activeElement;
  const words = h("div", { class: "dialog-error", role: "alert", hidden: true });
  const send = h("button", { class: `button button-${danger ? "danger" : "primary"}`, type: "submit", "data-submit": "" }, submit);
  const form = h(
    "form",
    { class: "dialog-form", novalidate: true },
    h("header", {}, mark, h("h2", {}, title), h("button", { class: "icon-button", type: "button", "aria-label": "Close", onclick: () => close() }, icon("close", 22))),
    h("div", { class: "dialog-body" }, content),
    words,
    onSubmit &&
      h("footer", {}, h("button", { class: "button button-plain", type: "button", onclick: () => close() }, cancel), send),
  );
  const node = h("div", { class: "dialog", role: "dialog", "aria-modal": "true", "aria-label": title, "data-dialog": name ?? title }, form);
  const shade = h("div", { class: "shade", onpointerdown: (event) => event.target === shade && close() }, node);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!onSubmit || send.disabled) return;
    send.disabled = true;
    send.classList.add("busy");
    words.hidden = true;
    try {
      if (await onSubmit()) close();
    } catch (error) {
      fail(error.message);
    } finally {
      send.disabled = false;
      send.classList.remove("busy");
    }
  });
  const keys = (event) => {
    if (event.key === "Escape") {
      event.preventDefault();
      close();
    } else if (event.key === "Tab") {
      const stops = [...form.querySelectorAll("button, input, textarea, select, [tabindex='0']")].filter((node) => !node.disabled && node.offsetParent);
      const at = stops.indexOf(document.activeElement);
      if (event.shiftKey && at <= 0) {
        event.preventDefault();
        stops.at(-1)?.focus();
      } else if (!event.shiftKey && at === stops.length - 1) {
        event.preventDefault();
        stops[0]?.focus();
      }
    }
  };
  form.addEventListener("keydown", keys);
  document.body.append(shade);
  (form.querySelector(".dialog-body input, .dialog-body textarea, .dialog-body .select, [data-submit]") ?? form.querySelector("button")).focus();

  function close() {
    shade.remove();
    back?.isConnected && back.focus({ preventScroll: true });
  }
  function fail(text) {
    words.textContent = text;
    words.hidden = false;
  }
  return { node, close, fail };
}
