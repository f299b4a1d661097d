// The list above the composer: commands, choices, people.

import { h } from "./dom.js";

/** Make a picker. Items: {key, label, description, face, data}; `onPick(item)`. */
export function picker(onPick) {
  const id = "picker";
  const node = h("div", { class: "picker", id, role: "listbox", tabindex: "0", "aria-label": "Suggestions", hidden: true, "data-picker": "", onkeydown: keys });
  let items = [];
  let active = 0;

  function show(next, { title, note, keep = false } = {}) {
    items = next;
    active = keep ? Math.min(active, Math.max(items.length - 1, 0)) : 0;
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
            onpointermove: () => index !== active && mark(index),
            // Before the input loses the focus.
            onpointerdown: (event) => event.preventDefault(),
            onclick: () => onPick(items[index]),
          },
          item.face,
          h("span", { class: "picker-words" }, h("b", {}, item.label), item.description && h("small", {}, item.description)),
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
    if (step) mark((active + step + items.length) % items.length);
    else if (event.key === "Enter") onPick(items[active]);
    else return;
    event.preventDefault();
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
    move: (step) => items.length && mark((active + step + items.length) % items.length),
    pick: () => items[active] && onPick(items[active]),
    get current() {
      return items[active];
    },
  };
}
