// The list above the composer: commands, choices, people.

import { h } from "./dom.js";

/** Make a picker. Items: {key, label, description, face, data}; `onPick(item)`. */
export function picker(onPick) {
  const id = "picker";
  const node = h("div", { class: "picker", id, role: "listbox", tabindex: "0", "aria-label": "Suggestions", hidden: true, "data-picker": "", onkeydown: keys });
  let items = [];
  let active = 0;

  // An idle list only shows: nothing in it is chosen before somebody moves into it.
  function show(next, { title, note, idle = false } = {}) {
    items = next;
    active = idle ? -1 : 0;
    node.hidden = false;
    node.replaceChildren(
      title ? h("div", { class: "picker-title" }, title) : "",
      ...items.map((item, index) =>
        h(
          "div",
          {
            class: `picker-item${index === active ? " active" : ""}`,
            id: `${id}-${index}`,
            role: "option",
            "aria-selected": String(index === active),
            "data-pick": item.key,
            onpointermove: () => !idle && index !== active && mark(index),
            // Before the input loses the focus.
            onpointerdown: (event) => event.preventDefault(),
            onclick: () => onPick(items[index]),
          },
          item.face,
          h("span", { class: "picker-words" }, h("b", {}, item.label, item.options?.length ? h("span", { class: "picker-options" }, item.options.join("  ")) : null), item.description && h("small", {}, item.description)),
          item.side && h("span", { class: "picker-side" }, item.side),
        ),
      ),
      note ? h("div", { class: "picker-note" }, note) : "",
    );
    if (!items.length && !note) node.hidden = true;
  }

  // Where the list itself has the focus, after scrolling in it, it is gone through like from the input.
  function keys(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) move(step);
    else if (event.key === "Enter" && items[active]) onPick(items[active]);
    else return;
    event.preventDefault();
  }

  function move(step) {
    if (!items.length) return;
    const from = active < 0 && step < 0 ? 0 : active;
    mark((from + step + items.length) % items.length);
  }

  function mark(index) {
    active = index;
    node.querySelectorAll(".picker-item").forEach((item, at) => {
      item.classList.toggle("active", at === active);
      item.setAttribute("aria-selected", String(at === active));
      if (at === active) item.scrollIntoView({ block: "nearest" });
    });
  }

  return {
    node,
    show,
    hide: () => {
      node.hidden = true;
      items = [];
    },
    get open() {
      return !node.hidden && items.length > 0;
    },
    move,
    /** Go to the first item whose label begins so. */
    seek(letter) {
      const at = items.findIndex((item) => item.label.toLowerCase().startsWith(letter.toLowerCase()));
      if (at >= 0) mark(at);
    },
    get first() {
      return items[0];
    },
    get current() {
      return items[active];
    },
  };
}
