// The bot's dialogs (modals): drawn from their components, checked by the server, submitted.

import { avatar, h } from "./dom.js";
import { dialog } from "./dialog.js";
import { listbox } from "./listbox.js";
import { markdown } from "./markdown.js";
import { ask } from "./net.js";
import { state } from "./store.js";

let numbers = 0;

/** Open the modal that an interaction was answered with. */
export function openModal(modal, interactionId) {
  const inputs = new Map();
  const fields = modal.components.map((item) => field(item, inputs));
  const opened = dialog({
    title: modal.title,
    name: modal.custom_id,
    mark: avatar({ ...state.bot, bot: true }, 24),
    content: [
      ...fields,
      h("p", { class: "dialog-note" }, `This form will be submitted to ${state.bot.name}. Do not share passwords or other sensitive information.`),
    ],
    submit: "Submit",
    onSubmit: async () => {
      const values = {};
      for (const [id, input] of inputs) {
        input.say("");
        values[id] = await input.read();
      }
      try {
        if (await submit(interactionId, values)) return true;
      } catch (error) {
        const input = inputs.get(error.field);
        if (!input) throw error;
        input.say(error.message);
        input.focus();
        return false;
      }
      throw new Error("Something went wrong. Try again.");
    },
  });
  opened.node.dataset.modal = modal.custom_id;
}

function field(item, inputs) {
  if (item.type === 10) return h("div", { class: "words" }, markdown(item.content));
  if (item.type === 1) return h("div", {}, item.components.map((child) => labelled(child, child.label, null, inputs)));
  if (item.type === 18) return labelled(item.component, item.label, item.description, inputs);
  return null;
}

function labelled(item, label, description, inputs) {
  const id = `input-${(numbers += 1)}`;
  const error = h("div", { class: "field-error", role: "alert", id: `${id}-error` });
  const { node, read, focus } = INPUTS[item.type](item, id, label);
  const needed = item.required !== false && item.type !== 23;
  const group = item.type === 21 || item.type === 22;
  const root = h(
    group ? "fieldset" : "div",
    { class: "field", "data-field": item.custom_id, "data-component-type": item.type },
    h(group ? "legend" : "label", group ? { class: "field-label" } : { class: "field-label", for: id }, label, needed && h("span", { class: "needed", "aria-label": "required" }, " *")),
    description && h("div", { class: "field-note" }, description),
    node,
    error,
  );
  inputs.set(item.custom_id, {
    read,
    focus,
    say: (words) => {
      error.textContent = words;
      root.classList.toggle("wrong", Boolean(words));
    },
  });
  return root;
}

const select = (item, id, label) => {
  const node = listbox(item, { id, label });
  return { node, read: () => node.values(), focus: () => node.querySelector("button").focus() };
};

const INPUTS = {
  4: textInput,
  3: select,
  5: select,
  6: select,
  7: select,
  8: select,
  19: (item, id) => {
    const node = h("input", { type: "file", id, multiple: (item.max_values ?? 1) > 1, "data-custom-id": item.custom_id });
    return { node, read: () => Promise.all([...node.files].map(readFile)), focus: () => node.focus() };
  },
  21: (item, id) => choices(item, id, "radio"),
  22: (item, id) => choices(item, id, "checkbox"),
  23: (item, id) => {
    const node = h("input", { type: "checkbox", id, checked: Boolean(item.default), "data-custom-id": item.custom_id });
    return { node: h("label", { class: "choice" }, node, h("span", {}, "Yes")), read: () => node.checked, focus: () => node.focus() };
  },
};

function textInput(item, id) {
  const most = item.max_length ?? 4000;
  const node = h(item.style === 2 ? "textarea" : "input", {
    id,
    class: "text-input",
    value: item.value ?? "",
    placeholder: item.placeholder,
    maxlength: most,
    rows: item.style === 2 ? 4 : undefined,
    autocomplete: "off",
    "data-custom-id": item.custom_id,
  });
  const left = h("span", { class: "left", "aria-hidden": "true" });
  const count = () => {
    left.textContent = item.style === 2 || most <= 400 ? String(most - [...node.value].length) : "";
  };
  node.addEventListener("input", count);
  count();
  return { node: h("div", { class: "text-field" }, node, left), read: () => node.value, focus: () => node.focus() };
}

function choices(item, id, type) {
  const boxes = item.options.map((option, index) => {
    const box = h("input", { type, name: id, id: index ? `${id}-${index}` : id, checked: Boolean(option.default), "data-value": option.value });
    box.wanted = option.value;
    return h("label", { class: "choice" }, box, h("span", {}, option.label, option.description && h("small", {}, option.description)));
  });
  const node = h("div", { class: "choices", "data-custom-id": item.custom_id }, boxes);
  const picked = () => [...node.querySelectorAll("input")].filter((box) => box.checked).map((box) => box.wanted);
  return {
    node,
    read: () => (type === "radio" ? (picked()[0] ?? null) : picked()),
    focus: () => node.querySelector("input").focus(),
  };
}

/** Read a file for the server. */
export async function readFile(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return { filename: file.name, content_type: file.type, data: btoa(text) };
}

/** Submit a dialog. Rejects with Refused; true when the bot answered. */
async function submit(id, values) {
  const found = await ask("submit", { interaction: id, values });
  return found.kind !== "failed";
}
