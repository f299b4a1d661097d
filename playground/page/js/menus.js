// Menus: what can be done with a message, a person, a channel; and the Apps commands of the bot.

import { avatar, h, icon } from "./dom.js";
import { dialog } from "./dialog.js";
import { useCommand } from "./interact.js";
import { markdown } from "./markdown.js";
import { ask } from "./net.js";
import { messagesOf, openChannel, state } from "./store.js";

let open = null;

/** Show a menu at an event's place. Items: {label, icon, danger, run, name} or null for a line. */
export function menu(event, items, headNode) {
  open?.close();
  const back = document.activeElement;
  const node = h(
    "div",
    { class: "menu", role: "menu" },
    headNode,
    items.filter((item) => item !== undefined).map((item) =>
      item === null
        ? h("hr")
        : h(
            "button",
            { type: "button", role: "menuitem", class: item.danger ? "danger" : "", "data-menu": item.name ?? item.label, onclick: (pressed) => { close(); item.run(pressed); } },
            item.face,
            h("span", {}, item.label),
            item.icon && icon(item.icon, 18),
          ),
    ),
  );
  const close = () => {
    node.remove();
    document.removeEventListener("pointerdown", outside, true);
    open = null;
    back?.isConnected && back.focus?.({ preventScroll: true });
  };
  const outside = (pressed) => node.contains(pressed.target) || close();
  node.addEventListener("keydown", (key) => {
    const stops = [...node.querySelectorAll("button")];
    const at = stops.indexOf(document.activeElement);
    if (key.key === "Escape") close();
    else if (key.key === "ArrowDown") stops[(at + 1) % stops.length]?.focus();
    else if (key.key === "ArrowUp") stops[(at + stops.length - 1) % stops.length]?.focus();
    else return;
    key.preventDefault();
    key.stopPropagation();
  });
  // Inside the page's main part, where those who go by landmarks find it.
  document.querySelector(".main").append(node);
  const spot = event.clientX || event.clientY ? { x: event.clientX, y: event.clientY } : event.currentTarget.getBoundingClientRect();
  const box = node.getBoundingClientRect();
  node.style.left = `${Math.max(8, Math.min(spot.x, innerWidth - box.width - 8))}px`;
  node.style.top = `${Math.max(8, Math.min(spot.y, innerHeight - box.height - 8))}px`;
  document.addEventListener("pointerdown", outside, true);
  node.querySelector("button")?.focus();
  open = { close };
}

/** The commands here, asked of the server once. */
export async function commandsOf(channel) {
  if (!state.commands.has(channel)) {
    const { commands } = await ask("commands", { channel }).catch(() => ({ commands: [] }));
    state.commands.set(channel, commands);
  }
  return state.commands.get(channel);
}

async function apps(type, target) {
  const channel = state.channel;
  const found = (await commandsOf(channel)).filter((command) => command.type === type);
  return found.map((command) => ({
    label: command.name,
    icon: "apps",
    name: `app:${command.name}`,
    run: () => useCommand(channel, command.name, { command: command.name, type, target }).catch((error) => tell(error.message)),
  }));
}

/** Say something that went wrong in a small note. */
export function tell(words) {
  const note = h("div", { class: "toast", role: "status" }, words);
  document.body.append(note);
  setTimeout(() => note.remove(), 5000);
}

const act = (op, args) => ask(op, args).catch((error) => tell(error.message));

/** The menu of a message. */
export async function messageMenu(event, message) {
  const at = { clientX: event.clientX, clientY: event.clientY, currentTarget: event.currentTarget };
  const ephemeral = message.flags & 64;
  const mine = message.author.id === state.me.id;
  const can = state.channels.get(message.channel_id)?.can ?? {};
  const fromApps = ephemeral ? [] : await apps(3, message.id);
  menu(at, [
    ephemeral ? undefined : { label: "Reply", icon: "reply", run: () => document.dispatchEvent(new CustomEvent("reply", { detail: message })) },
    !ephemeral && can.threads && !message.thread ? { label: "Create thread", icon: "thread", run: () => askThread(message) } : undefined,
    { label: "Copy text", icon: "file", run: () => navigator.clipboard?.writeText(message.content) },
    { label: "Copy message ID", icon: "hash", run: () => navigator.clipboard?.writeText(message.id) },
    ...(fromApps.length ? [null, ...fromApps] : []),
    ...(ephemeral
      ? [null, { label: "Dismiss message", icon: "eye", run: () => act("dismiss", { message: message.id }) }]
      : mine || can.moderate
        ? [null, { label: "Delete message", icon: "trash", danger: true, name: "delete", run: () => act("delete", { message: message.id }) }]
        : []),
  ]);
}

/** The card and menu of a person. */
export async function userMenu(event, user) {
  const at = { clientX: event.clientX, clientY: event.clientY, currentTarget: event.currentTarget };
  const fromApps = user.bot ? [] : await apps(2, user.id);
  const known = state.people.some((person) => person.id === user.id);
  const card = h(
    "div",
    { class: "card" },
    avatar(user, 56),
    h("b", {}, user.name, user.bot && h("span", { class: "badge" }, "APP")),
    h("small", {}, user.username),
    h("div", { class: "card-words" }, user.bot ? markdown("A card table for this channel.") : ""),
  );
  menu(
    at,
    [
      ...fromApps,
      known && user.id !== state.me.id
        ? { label: "Be this person (new tab)", icon: "people", run: () => window.open(`?as=${user.key}`, "_blank") }
        : undefined,
      { label: "Mention", icon: "reply", run: () => document.dispatchEvent(new CustomEvent("insert", { detail: `<@${user.id}> ` })) },
      { label: "Copy user ID", icon: "hash", run: () => navigator.clipboard?.writeText(user.id) },
    ],
    card,
  );
}

function nameField(label, value = "") {
  const input = h("input", { class: "text-input", id: "name-input", value, maxlength: 100, autocomplete: "off" });
  return { input, node: h("div", { class: "field" }, h("label", { class: "field-label", for: "name-input" }, label), input) };
}

/** Ask for the name of a new thread. */
export function askThread(message) {
  const { input, node } = nameField("Thread name");
  const secret = h("input", { type: "checkbox" });
  dialog({
    title: "Create thread",
    content: [node, message ? null : h("label", { class: "choice" }, secret, h("span", {}, "Private thread"))],
    submit: "Create",
    onSubmit: async () => {
      const found = await ask("create_thread", { channel: state.channel, name: input.value, message: message?.id, private: secret.checked });
      setTimeout(() => openChannel(found.channel_id), 60);
      return true;
    },
  });
}

/** Ask for the name of a new channel. */
export function askChannel(guild) {
  const { input, node } = nameField("Channel name");
  dialog({
    title: "Create channel",
    content: [node],
    submit: "Create",
    onSubmit: async () => {
      const found = await ask("create_channel", { guild: guild.id, name: input.value });
      setTimeout(() => openChannel(found.channel_id), 60);
      return true;
    },
  });
}

/** The menu of a channel. */
export function channelMenu(event, channel) {
  const thread = channel.type > 9;
  const can = channel.can;
  const archived = channel.thread_metadata?.archived;
  menu(event, [
    !thread && can.threads ? { label: "Create thread", icon: "thread", run: () => { openChannel(channel.id); askThread(null); } } : undefined,
    can.manage && !thread ? { label: "The bot's permissions", icon: "shield", name: "bot-rights", run: () => botRights(channel) } : undefined,
    thread ? { label: archived ? "Open again" : "Archive", icon: "thread", run: () => act("archive", { channel: channel.id, archived: !archived }) } : undefined,
    thread && can.moderate ? { label: "Archive and lock", icon: "shield", run: () => act("archive", { channel: channel.id, archived: true, locked: true }) } : undefined,
    { label: "Copy channel ID", icon: "hash", run: () => navigator.clipboard?.writeText(channel.id) },
    ...(can.manage
      ? [null, { label: thread ? "Delete thread" : "Delete channel", icon: "trash", danger: true, name: "delete-channel", run: () => confirmDelete(channel) }]
      : []),
  ]);
}

function confirmDelete(channel) {
  const many = messagesOf(channel.id).size;
  dialog({
    title: `Delete ${channel.name}`,
    content: h("p", {}, `“${channel.name}” and its ${many} message${many === 1 ? "" : "s"} will be gone. The bot will find out as on Discord.`),
    submit: "Delete",
    danger: true,
    onSubmit: async () => {
      await ask("delete_channel", { channel: channel.id });
      return true;
    },
  });
}

const words = (name) => name.replace(/_/g, " ").replace(/^./, (letter) => letter.toUpperCase());

/** Let a moderator switch what the bot may do in a channel. */
export function botRights(channel) {
  const boxes = state.switches.map((name) => {
    const box = h("input", { type: "checkbox", role: "switch", checked: channel.bot_rights[name], "data-right": name });
    box.wanted = name;
    return h("label", { class: "choice switch" }, h("span", {}, words(name)), box);
  });
  dialog({
    title: `What ${state.bot.name} may do in #${channel.name}`,
    name: "bot-rights",
    content: h("div", { class: "switches" }, boxes),
    onSubmit: async () => {
      const rights = {};
      for (const label of boxes) {
        const box = label.querySelector("input");
        if (box.checked !== channel.bot_rights[box.wanted]) rights[box.wanted] = box.checked;
      }
      await ask("bot_rights", { channel: channel.id, rights });
      return true;
    },
  });
}
