// One message: its head, what it says, its components, and what can be done with it.

import { avatar, h, icon } from "./dom.js";
import { attachments, components, embed } from "./components.js";
import { customEmoji, markdown, plain } from "./markdown.js";
import { messageMenu, userMenu } from "./menus.js";
import { ask } from "./net.js";
import { channelName, messagesOf, nameColour, openChannel, removeLocal, state, userOf } from "./store.js";
import { fullTime, shortTime, stamp } from "./time.js";

const EPHEMERAL = 64;
const LOADING = 128;
const ONLY_EMOJI = /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|\u200d|\s|<a?:\w+:\d+>)+$/u;

/** Whether a message goes without a head of its own, below the one before. */
export function joins(message, before) {
  if (!before || before.author.id !== message.author.id) return false;
  if (message.interaction_metadata?.name || message.type === 19 || hasCommand(message)) return false;
  if ((before.flags & EPHEMERAL) !== (message.flags & EPHEMERAL)) return false;
  const gap = new Date(message.timestamp) - new Date(before.timestamp);
  return gap < 7 * 60000 && new Date(message.timestamp).getDate() === new Date(before.timestamp).getDate();
}

function commandOf(message) {
  const meta = message.interaction_metadata;
  return meta?.name ? meta : meta?.triggering_interaction_metadata?.name ? meta.triggering_interaction_metadata : null;
}

const hasCommand = (message) => Boolean(commandOf(message));

/** Draw a message. */
export function drawMessage(message, before) {
  const author = userOf(message.author);
  const ephemeral = Boolean(message.flags & EPHEMERAL);
  const compact = joins(message, before);
  const mentioned = !ephemeral && message.mentions?.some((user) => user.id === state.me.id);
  const node = h("article", {
    class: ["message", compact && "compact", ephemeral && "ephemeral", mentioned && "mentioned", message.sending && "sending"].filter(Boolean).join(" "),
    id: `m-${message.id}`,
    tabindex: "-1",
    "aria-label": `${author.name}, ${stamp(message.timestamp)}`,
    "data-message-id": message.id,
    "data-author": author.key ?? author.username,
    "data-ephemeral": String(ephemeral),
    "data-local": message.local ? "true" : undefined,
  });
  node.append(...[context(message)].filter(Boolean));
  node.append(
    h(
      "div",
      { class: "gutter" },
      compact ? h("time", { class: "side-time", datetime: message.timestamp }, shortTime(message.timestamp)) : h("button", { class: "avatar-button", type: "button", tabIndex: -1, "aria-label": `About ${author.name}`, onclick: (event) => userMenu(event, author) }, avatar(author, 40)),
    ),
    h("div", { class: "body" }, !compact && head(message, author), ...bodyOf(message), ephemeral && foot(message)),
  );
  if (!message.local) node.append(tools(message));
  node.addEventListener("contextmenu", (event) => {
    if (message.local || event.target.closest("a, input, textarea, img")) return;
    event.preventDefault();
    messageMenu(event, message);
  });
  return node;
}

function context(message) {
  const command = commandOf(message);
  if (command) {
    const user = userOf(command.user);
    const name = command.command_type && command.command_type !== 1 ? command.name : `/${command.name}`;
    return h("div", { class: "context" }, avatar(user, 16), h("b", { style: colour(user, message) }, user.name), h("span", {}, "used "), h("span", { class: "command-name" }, name));
  }
  if (message.type !== 19) return null;
  const other = message.referenced_message && (messagesOf(message.channel_id).get(message.referenced_message.id) ?? message.referenced_message);
  if (!other) return h("div", { class: "context" }, h("i", {}, "Original message was deleted"));
  const user = userOf(other.author);
  const words = plain(wordsOf(other)).slice(0, 140);
  return h(
    "div",
    { class: "context" },
    avatar(user, 16),
    h("b", { style: colour(user, message) }, user.name),
    h("button", { class: "quoted", type: "button", "aria-label": "Go to the message that this answers", onclick: () => jump(other.id) }, words || h("i", {}, "Press to see the message")),
  );
}

/** The words of a message, wherever they stand. */
export function wordsOf(message) {
  if (message.content) return message.content;
  const found = [];
  const walk = (items) => {
    for (const item of items ?? []) {
      if (item.type === 10) found.push(item.content);
      walk(item.components);
    }
  };
  walk(message.components);
  for (const item of message.embeds ?? []) found.push(item.title ?? item.description ?? "");
  return found.join("\n");
}

function jump(id) {
  const node = document.getElementById(`m-${id}`);
  if (!node) return;
  node.scrollIntoView({ block: "center", behavior: "smooth" });
  node.classList.add("flash");
  setTimeout(() => node.classList.remove("flash"), 1500);
}

function colour(user, message) {
  const found = nameColour(user.id, message.channel_id);
  return found ? { color: found } : {};
}

function head(message, author) {
  return h(
    "div",
    { class: "head" },
    h("button", { class: "name", type: "button", style: colour(author, message), onclick: (event) => userMenu(event, author) }, author.name),
    author.bot && h("span", { class: "badge" }, "APP"),
    h("time", { datetime: message.timestamp, title: fullTime(new Date(message.timestamp)) }, stamp(message.timestamp)),
  );
}

function bodyOf(message) {
  if (message.sending) return [h("div", { class: "thinking" }, "Sending command…")];
  if (message.failure) return [h("div", { class: "failure", "data-failed": "true" }, icon("warn", 16), message.failure)];
  if (message.flags & LOADING) {
    const name = userOf(message.author).name;
    return [h("div", { class: "thinking", "data-thinking": "true" }, h("span", { class: "dots" }, h("i"), h("i"), h("i")), ` ${name} is thinking…`)];
  }
  const v2 = message.flags & (1 << 15);
  const out = [];
  if (message.content) {
    const big = ONLY_EMOJI.test(message.content) && message.content.length < 60;
    const words = h("div", { class: `words${big ? " jumbo" : ""}` }, markdown(message.content));
    if (message.edited_timestamp) words.append(h("span", { class: "edited" }, "(edited)"));
    out.push(words);
  }
  if (!v2) out.push(...attachments(message));
  out.push(...message.embeds.map(embed));
  if (message.components.length) out.push(h("div", { class: `components${v2 ? " v2" : ""}` }, components(message)));
  const failed = state.failed.get(message.id);
  if (failed) out.push(h("div", { class: "failure", role: "status", "data-failed": "true" }, failed));
  if (message.reactions?.length) out.push(reactions(message));
  if (message.thread) out.push(threadCard(message.thread));
  return out.filter(Boolean);
}

function reactions(message) {
  return h(
    "div",
    { class: "reactions" },
    message.reactions.map((item) => {
      const mine = item.user_ids?.includes(state.me.id);
      const emoji = item.emoji.id ? `${item.emoji.name}:${item.emoji.id}` : item.emoji.name;
      return h(
        "button",
        { class: `reaction${mine ? " mine" : ""}`, type: "button", "aria-pressed": String(Boolean(mine)), onclick: () => ask("react", { message: message.id, emoji }).catch(() => {}) },
        item.emoji.id ? customEmoji(item.emoji.id, item.emoji.name) : item.emoji.name,
        h("b", {}, item.count),
      );
    }),
  );
}

function threadCard(thread) {
  return h(
    "button",
    { class: "thread-card", type: "button", onclick: () => openChannel(thread.id) },
    icon("thread", 18),
    h("b", {}, thread.name),
    h("span", {}, "Open the thread ›"),
  );
}

function foot(message) {
  return h(
    "div",
    { class: "foot" },
    icon("eye", 16),
    "Only you can see this · ",
    h("button", { class: "as-link", type: "button", "data-dismiss": message.id, onclick: () => dismiss(message) }, "Dismiss message"),
  );
}

function dismiss(message) {
  if (message.local) removeLocal(message);
  else ask("dismiss", { message: message.id }).catch(() => {});
}

function tools(message) {
  const ephemeral = message.flags & EPHEMERAL;
  if (ephemeral) return h("span");
  return h(
    "div",
    { class: "tools", role: "group", "aria-label": "Message actions" },
    h("button", { type: "button", title: "Thumbs up", "aria-label": "React with thumbs up", onclick: () => ask("react", { message: message.id, emoji: "👍" }).catch(() => {}) }, h("span", { class: "emoji-char" }, "👍")),
    h("button", { type: "button", title: "Reply", "aria-label": "Reply", onclick: () => document.dispatchEvent(new CustomEvent("reply", { detail: message })) }, icon("reply")),
    h("button", { type: "button", title: "More", "aria-label": `More for this message in ${channelName(state.channels.get(message.channel_id) ?? {})}`, "data-more": message.id, onclick: (event) => messageMenu(event, message) }, icon("dots")),
  );
}
