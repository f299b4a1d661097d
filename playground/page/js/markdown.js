// Discord's markdown as DOM nodes. Text only ever becomes text nodes, so nothing can slip through.

import { h } from "./dom.js";
import { fullTime, tag } from "./time.js";
import { openChannel, state, userOf } from "./store.js";

/** Render a text. Returns a fragment. */
export function markdown(text) {
  const fragment = document.createDocumentFragment();
  for (const node of blocks(text)) fragment.append(node);
  return fragment;
}

/** One line without any layout: for reply previews. */
export function plain(text) {
  return text
    .replace(/```[\s\S]*?```/g, "[code]")
    .replace(/<@!?(\d+)>/g, (_, id) => `@${state.users.get(id)?.name ?? "unknown"}`)
    .replace(/<#(\d+)>/g, (_, id) => `#${state.channels.get(id)?.name ?? "unknown"}`)
    .replace(/<a?:(\w+):\d+>/g, ":$1:")
    .replace(/<t:(-?\d+)(?::(\w))?>/g, (_, unix, style) => tag(Number(unix), style))
    .replace(/^(#{1,3}|-#|>) /gm, "")
    .replace(/\*\*|__|~~|\|\||`/g, "")
    .replace(/\s+/g, " ");
}

function blocks(text) {
  const out = [];
  let rest = text;
  while (rest) {
    const fence = /```(?:([a-z0-9_+-]+)\n)?\n*([\s\S]+?)\n*```/i.exec(rest);
    const upto = fence ? rest.slice(0, fence.index) : rest;
    if (upto) out.push(...lines(upto.replace(/\n$/, fence ? "" : "$&")));
    if (!fence) break;
    out.push(h("pre", {}, h("code", { "data-language": fence[1] }, fence[2])));
    rest = rest.slice(fence.index + fence[0].length).replace(/^\n/, "");
  }
  return out;
}

function lines(text) {
  const out = [];
  const all = text.split("\n");
  let words = [];
  const flush = () => {
    if (words.length) out.push(h("div", { class: "line" }, inline(words.join("\n"))));
    words = [];
  };
  for (let i = 0; i < all.length; i += 1) {
    const line = all[i];
    const heading = /^(#{1,3}) +(\S.*)$/.exec(line);
    const small = /^-# +(\S.*)$/.exec(line);
    if (heading) {
      flush();
      // Of one level, whatever they look like: messages stand side by side, and no level may be left out.
      out.push(h("h3", { class: `md-h${heading[1].length}` }, inline(heading[2])));
    } else if (small) {
      flush();
      out.push(h("div", { class: "subtext" }, inline(small[1])));
    } else if (line.startsWith(">>> ")) {
      flush();
      out.push(h("blockquote", {}, lines([line.slice(4), ...all.slice(i + 1)].join("\n"))));
      break;
    } else if (/^> ?/.test(line) && (line.startsWith("> ") || line === ">")) {
      flush();
      const quoted = [];
      while (i < all.length && (all[i].startsWith("> ") || all[i] === ">")) quoted.push(all[i++].slice(2));
      i -= 1;
      out.push(h("blockquote", {}, lines(quoted.join("\n"))));
    } else if (ITEM.test(line)) {
      flush();
      const items = [];
      while (i < all.length && ITEM.test(all[i])) items.push(ITEM.exec(all[i++]));
      i -= 1;
      out.push(list(items));
    } else {
      words.push(line);
    }
  }
  flush();
  return out;
}

const ITEM = /^( *)([-*]|\d{1,9}\.) +(\S.*)$/;

function list(items) {
  const ordered = /\d/.test(items[0][2]);
  const root = h(ordered ? "ol" : "ul", ordered ? { start: parseInt(items[0][2], 10) } : {});
  const indent = items[0][1].length;
  for (let i = 0; i < items.length; i += 1) {
    const item = h("li", {}, inline(items[i][3]));
    const deeper = [];
    while (i + 1 < items.length && items[i + 1][1].length > indent + 1) deeper.push(items[++i]);
    if (deeper.length) item.append(list(deeper));
    root.append(item);
  }
  return root;
}

// Each rule: what to look for at this very place, and what to make of it.
const RULES = [
  [/^\\([^a-zA-Z0-9\s])/, (m) => m[1]],
  [/^(`+)([\s\S]*?[^`])\1(?!`)/, (m) => h("code", {}, m[2].trim() || m[2])],
  [/^\*\*([\s\S]+?)\*\*(?!\*)/, (m) => h("strong", {}, inline(m[1]))],
  [/^__([\s\S]+?)__(?!_)/, (m) => h("u", {}, inline(m[1]))],
  [/^~~([\s\S]+?)~~/, (m) => h("s", {}, inline(m[1]))],
  [/^\|\|([\s\S]+?)\|\|/, (m) => spoiler(inline(m[1]))],
  [/^\*(?=\S)((?:\*\*[\s\S]+?\*\*|[^*])+?)(?<=\S)\*(?!\*)/, (m) => h("em", {}, inline(m[1]))],
  [/^_(?=\S)((?:__|[^_])+?)_(?![a-zA-Z0-9_])/, (m) => h("em", {}, inline(m[1]))],
  [/^<@!?(\d+)>/, (m) => mention(m[1])],
  [/^<@&(\d+)>/, (m) => roleMention(m[1])],
  [/^<#(\d+)>/, (m) => channelMention(m[1])],
  [/^<\/([\w -]+):\d+>/, (m) => h("span", { class: "mention" }, `/${m[1]}`)],
  [/^<t:(-?\d{1,13})(?::([tTdDfFR]))?>/, (m) => time(m)],
  [/^<(a?):(\w{2,32}):(\d+)>/, (m) => customEmoji(m[3], m[2])],
  [/^\[([^\]\n]+)\]\(<?(https?:\/\/[^\s)>]+)>?\)/, (m) => link(m[2], inline(m[1]))],
  [/^<(https?:\/\/[^\s>]+)>/, (m) => link(m[1], m[1])],
  [/^https?:\/\/[^\s<]*[^\s<.,:;"')\]]/, (m) => link(m[0], m[0])],
  [/^@(everyone|here)\b/, (m) => h("span", { class: "mention" }, m[0])],
];

function inline(text) {
  const out = [];
  let buffer = "";
  let rest = text;
  let before = "";
  while (rest) {
    let hit = null;
    if (/^[\\`*_~|<[h@]/.test(rest)) {
      for (const [pattern, make] of RULES) {
        // An underscore inside a word is no emphasis.
        if (rest[0] === "_" && /\w/.test(before)) break;
        hit = pattern.exec(rest);
        if (hit) {
          if (buffer) out.push(buffer);
          buffer = "";
          out.push(make(hit));
          break;
        }
      }
    }
    const taken = hit ? hit[0] : String.fromCodePoint(rest.codePointAt(0));
    if (!hit) buffer += taken;
    before = taken.at(-1);
    rest = rest.slice(taken.length);
  }
  if (buffer) out.push(buffer);
  return out.flat().map((item) => (typeof item === "string" ? broken(item) : item)).flat();
}

function broken(text) {
  return text.split("\n").flatMap((part, index) => (index ? [h("br"), part] : [part]));
}

/** Something hidden until it is pressed. */
export function spoiler(content) {
  const node = h("span", { class: "spoiler", role: "button", tabindex: "0", "aria-label": "Spoiler", "aria-expanded": "false" }, h("span", {}, content));
  const reveal = (event) => {
    if (event.type === "keydown" && event.key !== "Enter" && event.key !== " ") return;
    if (node.classList.contains("shown")) return;
    event.preventDefault();
    event.stopPropagation();
    node.classList.add("shown");
    node.setAttribute("aria-expanded", "true");
    node.removeAttribute("aria-label");
  };
  node.addEventListener("click", reveal);
  node.addEventListener("keydown", reveal);
  return node;
}

function mention(id) {
  const user = state.users.get(id);
  const own = id === state.me?.id ? " mention-me" : "";
  return h("span", { class: `mention${own}`, "data-user-id": id }, `@${user ? userOf(user).name : "unknown-user"}`);
}

function roleMention(id) {
  const role = state.guilds.flatMap((guild) => guild.roles).find((item) => item.id === id);
  return h("span", { class: "mention" }, `@${role?.name ?? "deleted-role"}`);
}

function channelMention(id) {
  const channel = state.channels.get(id);
  if (!channel) return h("span", { class: "mention" }, "#unknown");
  return h("button", { class: "mention", type: "button", onclick: () => openChannel(id) }, `#${channel.name}`);
}

function time(match) {
  const unix = Number(match[1]);
  return h(
    "time",
    {
      class: "timestamp",
      datetime: new Date(unix * 1000).toISOString(),
      title: fullTime(new Date(unix * 1000)),
      "data-relative": match[2] === "R" ? unix : undefined,
    },
    tag(unix, match[2]),
  );
}

/** An application's emoji as a picture. */
export function customEmoji(id, name) {
  return h("img", { class: "emoji", src: `/cdn/emojis/${id}.png`, alt: `:${name}:`, title: `:${name}:`, draggable: "false" });
}

/** The emoji of a button or an option. */
export function emojiOf(emoji) {
  return emoji.id ? customEmoji(emoji.id, emoji.name) : h("span", { class: "emoji-char" }, emoji.name);
}

function link(url, content) {
  return h("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, content);
}
