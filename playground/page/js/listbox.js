// The list of a select: of strings, people, roles and channels; in messages and in dialogs.

import { avatar, h, icon } from "./dom.js";
import { emojiOf } from "./markdown.js";
import { guildOf, state } from "./store.js";

let numbers = 0;

/** The things that a select offers: [{value, label, description, face, selected}]. */
export function offers(item, channelId) {
  const guild = guildOf(channelId);
  const chosen = new Set((item.default_values ?? []).map((entry) => entry.id));
  if (item.type === 3) {
    return item.options.map((option) => ({
      value: option.value,
      label: option.label,
      description: option.description,
      face: option.emoji ? emojiOf(option.emoji) : null,
      selected: Boolean(option.default),
    }));
  }
  const found = [];
  if (item.type === 5 || item.type === 7) {
    const ids = guild ? Object.keys(guild.members) : [...state.users.keys()];
    for (const id of ids) {
      const user = state.users.get(id);
      if (user) found.push({ value: id, label: user.name, description: user.username, face: avatar(user, 24) });
    }
  }
  if (item.type === 6 || item.type === 7) {
    for (const role of guild?.roles ?? []) {
      const colour = role.color ? `#${role.color.toString(16).padStart(6, "0")}` : "#99aab5";
      found.push({ value: role.id, label: role.name, face: h("i", { class: "role-dot", style: { "--colour": colour } }) });
    }
  }
  if (item.type === 8) {
    for (const channel of state.channels.values()) {
      if (channel.guild_id !== guild?.id || (item.channel_types?.length && !item.channel_types.includes(channel.type))) continue;
      found.push({ value: channel.id, label: channel.name, face: icon(channel.type > 9 ? "thread" : "hash", 18) });
    }
  }
  for (const offer of found) offer.selected = chosen.has(offer.value);
  return found;
}

const WORDS = { 3: "Make a selection", 5: "Select a user", 6: "Select a role", 7: "Select a user or role", 8: "Select a channel" };

/**
 * Draw a select. `onDone(values)` is called when a choice is complete (one of one: at once; several:
 * when the list closes), `onChange(values)` at every change.
 */
export function listbox(item, { id, label, disabled = false, busy = false, onDone, onChange } = {}, channelId = state.channel) {
  const most = item.max_values ?? 1;
  const least = item.min_values ?? 1;
  const all = offers(item, channelId);
  const before = all.filter((offer) => offer.selected).map((offer) => offer.value);
  let chosen = [...before];
  let filter = "";
  let active = 0;
  let list = null;
  const name = label ?? item.placeholder ?? WORDS[item.type];
  const listId = `list-${(numbers += 1)}`;

  const face = h("span", { class: "select-face" });
  const control = h(
    "button",
    {
      class: `select${busy ? " busy" : ""}`,
      type: "button",
      disabled,
      role: "combobox",
      "aria-haspopup": "listbox",
      "aria-expanded": "false",
      "aria-controls": listId,
      "aria-label": name,
      id,
      "data-custom-id": item.custom_id,
      onclick: () => (list ? close() : open()),
      onkeydown: keys,
    },
    face,
    busy ? h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")) : icon("down"),
  );
  const root = h("div", { class: "select-root" }, control);
  drawFace();

  function drawFace() {
    const picked = chosen.map((value) => all.find((offer) => offer.value === value)).filter(Boolean);
    face.replaceChildren();
    if (!picked.length) face.append(h("span", { class: "placeholder" }, item.placeholder ?? WORDS[item.type]));
    else if (most === 1) face.append(...[picked[0].face?.cloneNode(true), h("span", {}, picked[0].label)].filter(Boolean));
    else face.append(...picked.map((offer) => h("span", { class: "chosen" }, offer.label)));
  }

  function shown() {
    const wanted = filter.toLowerCase();
    return all.filter((offer) => !wanted || `${offer.label} ${offer.description ?? ""}`.toLowerCase().includes(wanted));
  }

  function open() {
    active = Math.max(0, all.findIndex((offer) => chosen.includes(offer.value)));
    list = h("div", { class: "listbox", role: "listbox", id: listId, "aria-label": name, "aria-multiselectable": most > 1 ? "true" : undefined });
    root.append(list);
    control.setAttribute("aria-expanded", "true");
    drawList();
    const room = innerHeight - control.getBoundingClientRect().bottom;
    list.classList.toggle("up", room < 260 && control.getBoundingClientRect().top > room);
    document.addEventListener("pointerdown", outside, true);
  }

  function drawList() {
    const visible = shown();
    active = Math.min(active, Math.max(visible.length - 1, 0));
    list.replaceChildren(
      item.type === 3
        ? ""
        : h("input", {
            class: "listbox-search",
            placeholder: "Search",
            value: filter,
            "aria-label": "Search",
            oninput: (event) => {
              filter = event.target.value;
              active = 0;
              drawList();
              list.querySelector("input")?.focus();
            },
            onkeydown: keys,
          }),
      ...visible.map((offer, index) =>
        h(
          "div",
          {
            class: `option${index === active ? " active" : ""}`,
            role: "option",
            "aria-selected": String(chosen.includes(offer.value)),
            "data-value": offer.value,
            onpointermove: () => index !== active && mark(index),
            onclick: () => choose(offer),
          },
          offer.face && h("span", { class: "option-face" }, offer.face.cloneNode(true)),
          h("span", { class: "option-words" }, h("span", {}, offer.label), offer.description && h("small", {}, offer.description)),
          most > 1
            ? h("span", { class: `box${chosen.includes(offer.value) ? " on" : ""}` }, icon("check", 16))
            : chosen.includes(offer.value) && h("span", { class: "tick" }, icon("check", 16)),
        ),
      ),
      visible.length ? "" : h("div", { class: "none" }, "No results"),
    );
    if (most > 1 && least > 0) list.append(h("div", { class: "listbox-hint" }, `Pick ${least === most ? most : `${least} to ${most}`}`));
  }

  function mark(index) {
    active = index;
    list.querySelectorAll(".option").forEach((node, at) => node.classList.toggle("active", at === active));
    list.querySelectorAll(".option")[active]?.scrollIntoView({ block: "nearest" });
  }

  function choose(offer) {
    if (most === 1) {
      chosen = chosen.includes(offer.value) && least === 0 ? [] : [offer.value];
      close();
      return;
    }
    if (chosen.includes(offer.value)) chosen = chosen.filter((value) => value !== offer.value);
    else if (chosen.length < most) chosen = [...chosen, offer.value];
    drawFace();
    drawList();
    onChange?.(chosen);
    if (item.type === 3) control.focus();
  }

  function close(cancel = false) {
    if (!list) return;
    list.remove();
    list = null;
    filter = "";
    control.setAttribute("aria-expanded", "false");
    document.removeEventListener("pointerdown", outside, true);
    if (cancel) chosen = [...before];
    drawFace();
    onChange?.(chosen);
    const same = chosen.length === before.length && chosen.every((value) => before.includes(value));
    if (!cancel && !same && chosen.length >= least) onDone?.(chosen);
    if (cancel) control.focus();
  }

  function outside(event) {
    if (!root.contains(event.target)) close();
  }

  function keys(event) {
    if (!list) {
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        open();
      }
      return;
    }
    const visible = shown();
    const moves = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key in moves) {
      event.preventDefault();
      mark((active + moves[event.key] + visible.length) % visible.length);
    } else if (event.key === "Enter" || (event.key === " " && event.target === control)) {
      event.preventDefault();
      if (visible[active]) choose(visible[active]);
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      close(most === 1);
      control.focus();
    } else if (event.key === "Tab") {
      close();
    }
  }

  root.values = () => chosen;
  return root;
}
