// Components of messages: layout, media, buttons, selects.

import { h, icon, ownUrl } from "./dom.js";
import { showPicture } from "./lightbox.js";
import { press } from "./interact.js";
import { listbox } from "./listbox.js";
import { emojiOf, markdown, spoiler } from "./markdown.js";
import { state } from "./store.js";

const STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link", 6: "premium" };
export const SELECTS = new Set([3, 5, 6, 7, 8]);

/** Draw all components of a message. */
export function components(message) {
  return message.components.map((item) => draw(item, message));
}

function draw(item, message) {
  const make = KINDS[item.type];
  const node = make ? make(item, message) : h("div", { class: "unknown" }, `component ${item.type}`);
  node.dataset.componentType = item.type;
  if (item.id !== undefined) node.dataset.componentId = item.id;
  return node;
}

const KINDS = {
  1: (item, message) =>
    h("div", { class: "row" }, item.components.map((child) => (SELECTS.has(child.type) ? selectControl(child, message) : draw(child, message)))),
  2: button,
  9: (item, message) =>
    h(
      "div",
      { class: "section" },
      h("div", { class: "section-words" }, item.components.map((child) => draw(child, message))),
      h("div", { class: "section-side" }, draw(item.accessory, message)),
    ),
  10: (item) => h("div", { class: "words" }, markdown(item.content)),
  11: (item) => h("div", { class: "thumbnail" }, media(item.media, item.description, item.spoiler)),
  12: (item) =>
    h(
      "div",
      { class: `gallery gallery-${Math.min(item.items.length, 10)}` },
      item.items.map((entry) => media(entry.media, entry.description, entry.spoiler)),
    ),
  13: (item) => fileCard({ url: item.file.url, filename: item.name ?? "file", size: item.size, spoiler: item.spoiler }),
  14: (item) => h("hr", { class: `separator spacing-${item.spacing ?? 1}${item.divider === false ? " no-line" : ""}` }),
  17: (item, message) => {
    const accent = item.accent_color ?? null;
    const box = h(
      "div",
      {
        class: `container${accent === null ? "" : " accented"}`,
        style: accent === null ? {} : { "--accent": `#${accent.toString(16).padStart(6, "0")}` },
      },
      item.components.map((child) => draw(child, message)),
    );
    if (!item.spoiler) return box;
    const veil = spoiler(box);
    veil.classList.add("spoiler-block");
    return veil;
  },
};

function button(item, message) {
  const pending = state.pending.get(message.id);
  const face = [
    item.emoji && emojiOf(item.emoji),
    item.label && h("span", { class: "label" }, item.label),
    item.style === 5 && icon("link", 16),
  ];
  const kind = `button button-${STYLES[item.style] ?? "secondary"}`;
  if (item.style === 5) {
    if (item.disabled) return h("button", { class: kind, disabled: true, type: "button" }, face);
    return h("a", { class: kind, href: safeLink(item.url), target: "_blank", rel: "noopener noreferrer" }, face);
  }
  const busy = pending === item.custom_id;
  return h(
    "button",
    {
      class: kind + (busy ? " busy" : ""),
      type: "button",
      disabled: Boolean(item.disabled) || (pending !== undefined && !busy),
      "aria-busy": busy ? "true" : undefined,
      "aria-label": item.label ? undefined : item.emoji?.name,
      "data-custom-id": item.custom_id,
      onclick: () => !busy && press(message, item.custom_id),
    },
    h("span", { class: "face" }, face),
    busy && h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")),
  );
}

/** A select in a message: it acts as soon as the picking is done. */
function selectControl(item, message) {
  const busy = state.pending.get(message.id) === item.custom_id;
  const blocked = state.pending.has(message.id) || item.disabled;
  const node = listbox(item, { disabled: Boolean(blocked), busy, onDone: (values) => press(message, item.custom_id, values) }, message.channel_id);
  node.dataset.componentType = item.type;
  return node;
}

function safeLink(url) {
  return /^(https?|discord):\/\//.test(url ?? "") ? url : "#";
}

/** A picture with its alt text within reach. */
export function media(item, description, hidden) {
  const url = ownUrl(item.proxy_url ?? item.url);
  if (!url || (item.content_type && !item.content_type.startsWith("image/"))) {
    return h("a", { class: "elsewhere", href: safeLink(item.url), target: "_blank", rel: "noopener noreferrer" }, icon("link", 16), " A picture from elsewhere");
  }
  const shown = h(
    "button",
    { class: "picture", type: "button", "aria-label": `Open the picture${description ? `: ${description}` : ""}`, onclick: () => showPicture(url, description) },
    h("img", {
      src: url,
      alt: description ?? "",
      width: item.width,
      height: item.height,
      style: item.width ? { "aspect-ratio": `${item.width} / ${item.height}` } : {},
      draggable: "false",
    }),
  );
  const node = h("div", { class: "media", style: item.width ? { "--ratio": `${item.width} / ${item.height}`, "--width": `${item.width}px` } : {} }, shown);
  if (description) node.append(...altBadge(description));
  if (!hidden) return node;
  const veil = spoiler(node);
  veil.classList.add("spoiler-media");
  return veil;
}

let alts = 0;

function altBadge(description) {
  const id = `alt-${(alts += 1)}`;
  const bubble = h("div", { class: "alt-text", id, hidden: true }, h("b", {}, "Alt text"), h("p", {}, description));
  const badge = h("button", { class: "alt-badge", type: "button", "aria-label": "Show the alt text", "aria-expanded": "false", "aria-controls": id }, "ALT");
  badge.addEventListener("click", (event) => {
    event.stopPropagation();
    bubble.hidden = !bubble.hidden;
    badge.setAttribute("aria-expanded", String(!bubble.hidden));
  });
  return [badge, bubble];
}

/** A file that is no picture. */
export function fileCard(file) {
  const size = file.size === undefined ? "" : file.size < 1024 ? `${file.size} bytes` : `${(file.size / 1024).toFixed(1)} KB`;
  const url = ownUrl(file.url) ?? "#";
  return h(
    "div",
    { class: "file" },
    icon("file", 30),
    h("div", { class: "file-words" }, h("a", { href: url, download: file.filename }, file.filename), h("small", {}, size)),
    h("a", { class: "file-get", href: url, download: file.filename, "aria-label": `Download ${file.filename}` }, icon("download")),
  );
}

/** The old kind of attachments, below the content. */
export function attachments(message) {
  const named = new Set();
  for (const embed of message.embeds) for (const spot of ["image", "thumbnail"]) if (embed[spot]) named.add(embed[spot].url);
  const rest = message.attachments.filter((item) => !named.has(item.url));
  const pictures = rest.filter((item) => item.width && item.content_type?.startsWith("image/"));
  const others = rest.filter((item) => !pictures.includes(item));
  return [
    pictures.length
      ? h("div", { class: `gallery gallery-${Math.min(pictures.length, 10)}` }, pictures.map((item) => media(item, item.description, (item.flags ?? 0) & 8)))
      : null,
    ...others.map(fileCard),
  ];
}

/** An embed. */
export function embed(item) {
  const picture = item.image && media(item.image, null, false);
  const side = item.thumbnail && h("div", { class: "embed-side" }, media(item.thumbnail, null, false));
  return h(
    "article",
    { class: "embed", style: { "--accent": item.color == null ? "#1e1f22" : `#${item.color.toString(16).padStart(6, "0")}` } },
    h(
      "div",
      { class: "embed-body" },
      item.author?.name && h("div", { class: "embed-author" }, item.author.name),
      item.title && h("div", { class: "embed-title" }, item.url ? h("a", { href: safeLink(item.url), target: "_blank", rel: "noopener noreferrer" }, item.title) : markdown(item.title)),
      item.description && h("div", { class: "embed-words" }, markdown(item.description)),
      item.fields?.length
        ? h(
            "div",
            { class: "embed-fields" },
            item.fields.map((field) => h("div", { class: field.inline ? "inline" : "" }, h("b", {}, markdown(field.name)), h("div", {}, markdown(field.value)))),
          )
        : null,
      picture,
      item.footer?.text && h("div", { class: "embed-footer" }, item.footer.text),
    ),
    side,
  );
}
