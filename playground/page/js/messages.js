// The list of messages of the open channel.

import { h, icon } from "./dom.js";
import { drawMessage, wordsOf } from "./message.js";
import { plain } from "./markdown.js";
import { useCommand } from "./interact.js";
import { tell } from "./menus.js";
import { ask } from "./net.js";
import { channelName, messagesOf, on, ordered, state, userOf } from "./store.js";
import { dayName } from "./time.js";

const NEAR = 90;
const EPHEMERAL = 64;
let list;
let scroller;
let live;
let atBottom = true;
let present;
// What came below while one was reading further up: messages, and changes of what only oneself sees.
let fresh = 0;
let changed = false;

/** Make the list. Returns its nodes. */
export function messageList() {
  list = h("div", { class: "messages", role: "log", "aria-live": "off", "aria-label": "Messages" });
  live = h("div", { class: "sr-only", "aria-live": "polite", "data-live": "" });
  scroller = h("div", { class: "scroller", tabindex: "0", "aria-label": "Messages" }, list, live);
  scroller.addEventListener("scroll", () => {
    atBottom = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR;
    if (atBottom) seen();
    else drawPresent();
    if (scroller.scrollTop < 60) older();
  });
  present = h("button", { type: "button", class: "present", hidden: true, "data-present": "", onclick: jump });
  new ResizeObserver(() => atBottom && toBottom()).observe(list);
  new ResizeObserver(() => atBottom && toBottom()).observe(scroller);
  on("channel", drawAll);
  on("hello", drawAll);
  on("create", created);
  on("update", updated);
  on("remove", removed);
  return [scroller, h("div", { class: "present-line" }, present)];
}

export function toBottom() {
  scroller.scrollTop = scroller.scrollHeight;
  atBottom = true;
  seen();
}

function seen() {
  fresh = 0;
  changed = false;
  drawPresent();
}

/** The way back down, once one is a screen away or something waits there. */
function drawPresent() {
  const below = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
  const news = fresh ? `${fresh} new message${fresh === 1 ? "" : "s"}` : changed ? "Something changed below" : null;
  present.hidden = atBottom || !(news || below > scroller.clientHeight);
  present.classList.toggle("news", Boolean(news));
  present.dataset.present = fresh;
  if (!present.hidden) present.replaceChildren(h("span", {}, news ?? "You are reading older messages"), h("b", {}, "Jump to present"), icon("present", 18));
}

function jump() {
  toBottom();
  scroller.focus({ preventScroll: true });
}

function drawAll() {
  const channel = state.channels.get(state.channel);
  if (!channel) return;
  const nodes = [welcome(channel)];
  let before = null;
  for (const message of ordered(channel.id)) {
    if (!before || day(before) !== day(message)) nodes.push(divider(message));
    nodes.push(drawMessage(message, before));
    before = message;
  }
  list.replaceChildren(...nodes);
  toBottom();
}

const day = (message) => new Date(message.timestamp).toDateString();

function divider(message) {
  return h("div", { class: "day", role: "separator" }, h("span", {}, dayName(message.timestamp)));
}

function welcome(channel) {
  const name = channelName(channel);
  const direct = channel.type === 1 || channel.type === 3;
  return h(
    "div",
    { class: "welcome" },
    h("div", { class: "welcome-mark", "aria-hidden": "true" }, direct ? "@" : channel.type > 9 ? "☰" : "#"),
    h("h2", {}, direct ? name : `Welcome to ${channel.type > 9 ? "" : "#"}${name}!`),
    h("p", {}, channel.topic ?? (direct ? "This is the beginning of your direct messages." : "This is the start of the channel.")),
    h(
      "p",
      { class: "welcome-play" },
      h("button", { class: "button button-success", type: "button", "data-welcome-play": "", onclick: () => play(channel.id) }, "Play"),
      h("span", {}, "or type ", h("kbd", {}, "/play"), " below and press Enter"),
    ),
  );
}

/** What typing /play and Enter does. */
function play(channel) {
  useCommand(channel, "play", { command: "play", options: {} }).catch((error) => tell(error.message));
  toBottom();
}

function created(message) {
  if (message.channel_id !== state.channel) return;
  const all = ordered(message.channel_id);
  const index = all.findIndex((item) => item.id === message.id);
  const before = all[index - 1];
  const stick = atBottom || message.author.id === state.me.id;
  const node = drawMessage(message, before);
  const next = all[index + 1];
  const anchor = next ? document.getElementById(`m-${next.id}`) : null;
  if (!before || day(before) !== day(message)) list.insertBefore(divider(message), anchor);
  list.insertBefore(node, anchor);
  if (next) redraw(next);
  if (stick) toBottom();
  else if (!message.local) {
    fresh += 1;
    drawPresent();
  }
  if (message.author.id !== state.me.id) {
    live.textContent = `${userOf(message.author).name}: ${plain(wordsOf(message)).slice(0, 200)}`;
  }
}

function updated(message) {
  if (message.channel_id !== state.channel) return;
  redraw(message);
  const node = document.getElementById(`m-${message.id}`);
  if (atBottom || !(message.flags & EPHEMERAL) || !node || node.offsetTop < scroller.scrollTop + scroller.clientHeight) return;
  changed = true;
  drawPresent();
}

function redraw(message) {
  const old = document.getElementById(`m-${message.id}`);
  if (!old) return;
  const all = ordered(message.channel_id);
  const before = all[all.findIndex((item) => item.id === message.id) - 1];
  const fresh = drawMessage(message, before);
  calmPictures(old, fresh);
  keepOpen(old, fresh);
  const focused = old.contains(document.activeElement) ? focusKey(document.activeElement) : null;
  const expanded = old.querySelector("[role=combobox][aria-expanded=true]");
  if (expanded && fresh.querySelector(`[data-custom-id="${CSS.escape(expanded.dataset.customId)}"]`) && !state.pending.has(message.id)) {
    // Somebody is picking here: a redraw would close the list under their finger.
    const wait = new MutationObserver(() => {
      if (expanded.getAttribute("aria-expanded") === "true" && expanded.isConnected) return;
      wait.disconnect();
      redraw(messagesOf(message.channel_id).get(message.id) ?? message);
    });
    wait.observe(expanded, { attributes: true, attributeFilter: ["aria-expanded"] });
    return;
  }
  old.replaceWith(fresh);
  if (focused) fresh.querySelector(focused)?.focus({ preventScroll: true });
  if (atBottom) toBottom();
}

function focusKey(node) {
  const id = node.dataset.customId;
  return id ? `[data-custom-id="${CSS.escape(id)}"]` : node.className ? `.${[...node.classList].join(".")}` : null;
}

/** Keep pictures that stay, and show the old one until the new one is there: no flashing. */
function calmPictures(old, fresh) {
  const before = [...old.querySelectorAll(".media img")];
  [...fresh.querySelectorAll(".media img")].forEach((image, index) => {
    const same = before.find((item) => item.src === image.src);
    if (same) {
      image.replaceWith(same);
      return;
    }
    const last = before[index];
    if (!last?.complete) return;
    image.style.backgroundImage = `url("${last.src}")`;
    image.addEventListener("load", () => image.style.removeProperty("background-image"), { once: true });
  });
}

/** What the reader has opened stays open while it says the same: alt texts and spoilers. */
function keepOpen(old, fresh) {
  for (const kind of [".alt-text", ".spoiler"]) {
    const now = [...fresh.querySelectorAll(kind)];
    [...old.querySelectorAll(kind)].forEach((node, index) => {
      const same = now[index];
      if (!same || same.textContent !== node.textContent) return;
      if (node.classList.contains("shown")) same.click();
      if (kind === ".alt-text" && !node.hidden) fresh.querySelector(`[aria-controls="${same.id}"]`).click();
    });
  }
}

function removed({ id, channel_id: channel }) {
  if (channel !== state.channel) return;
  const node = document.getElementById(`m-${id}`);
  if (!node) return;
  const next = node.nextElementSibling;
  if (node.previousElementSibling?.classList.contains("day") && (!next || next.classList.contains("day"))) node.previousElementSibling.remove();
  node.remove();
  const after = next?.dataset?.messageId && messagesOf(channel).get(next.dataset.messageId);
  if (after) redraw(after);
}

async function older() {
  const channel = state.channel;
  const first = ordered(channel).find((message) => !message.local);
  if (!first || state.complete.has(channel)) return;
  state.complete.add(channel);
  const { messages } = await ask("history", { channel, before: first.id }).catch(() => ({ messages: [] }));
  if (!messages.length) return;
  const known = messagesOf(channel);
  for (const message of messages) known.set(message.id, message);
  state.complete.delete(channel);
  if (channel !== state.channel) return;
  const height = scroller.scrollHeight;
  drawAll();
  scroller.scrollTop = scroller.scrollHeight - height;
  atBottom = false;
}
