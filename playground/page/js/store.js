// What the page knows, and who wants to hear when it changes.

import { compareIds } from "./dom.js";
import { who } from "./net.js";

const EPOCH = 1420070400000n;
const listeners = new Map();

export const state = {
  me: null,
  bot: { connected: false },
  online: false,
  people: [],
  users: new Map(),
  guilds: [],
  channels: new Map(),
  messages: new Map(),
  emojis: [],
  errors: [],
  switches: [],
  channel: null,
  commands: new Map(),
  pending: new Map(),
  failed: new Map(),
  typing: new Map(),
  complete: new Set(),
  used: JSON.parse(localStorage.getItem(`used:${who}`) ?? "[]"),
  read: JSON.parse(localStorage.getItem(`read:${who}`) ?? "{}"),
};

/** Hear of a change. */
export function on(name, listener) {
  if (!listeners.has(name)) listeners.set(name, []);
  listeners.get(name).push(listener);
}

/** Tell of a change. */
export function emit(name, ...args) {
  for (const listener of listeners.get(name) ?? []) listener(...args);
}

/** Take in an event of the server. */
export function take(event, data) {
  handlers[event]?.(data);
}

const handlers = {
  HELLO(d) {
    Object.assign(state, { me: d.me, bot: d.bot, people: d.people, errors: d.errors, switches: d.switches });
    state.emojis = d.emojis;
    state.users = new Map(d.users.map((user) => [user.id, user]));
    state.messages = new Map(
      Object.entries(d.messages).map(([channel, list]) => [channel, new Map(list.map((m) => [m.id, m]))]),
    );
    for (const map of [state.commands, state.pending, state.complete]) map.clear();
    handlers.PLACES(d);
    emit("hello");
    emit("errors");
    emit("bot");
  },
  PLACES(d) {
    state.guilds = d.guilds;
    state.channels = new Map(d.channels.map((channel) => [channel.id, channel]));
    if (state.channel && !state.channels.has(state.channel)) openChannel(firstChannel());
    emit("places");
  },
  PERSON(user) {
    state.people.push(user);
    state.users.set(user.id, user);
    emit("places");
  },
  BOT(d) {
    state.bot.connected = d.connected;
    emit("bot");
  },
  COMMANDS() {
    state.commands.clear();
    emit("commands");
  },
  PROTOCOL_ERROR(error) {
    state.errors.push(error);
    emit("errors", error);
  },
  TYPING_START(d) {
    state.typing.set(d.channel_id, Date.now());
    emit("typing");
    setTimeout(() => emit("typing"), 8200);
  },
  MESSAGE_CREATE(message) {
    messagesOf(message.channel_id).set(message.id, message);
    if (message.author.id === state.bot.id) state.typing.delete(message.channel_id);
    if (message.channel_id === state.channel && document.visibilityState === "visible") markRead(message.channel_id);
    emit("create", message);
    emit("typing");
    emit("unread");
  },
  MESSAGE_UPDATE(message) {
    const known = messagesOf(message.channel_id);
    if (!known.has(message.id)) return;
    known.set(message.id, message);
    emit("update", message);
  },
  MESSAGE_DELETE(d) {
    messagesOf(d.channel_id).delete(d.id);
    emit("remove", d);
  },
};

export function messagesOf(channel) {
  if (!state.messages.has(channel)) state.messages.set(channel, new Map());
  return state.messages.get(channel);
}

/** The messages of a channel in order. */
export function ordered(channel) {
  return [...messagesOf(channel).values()].sort((a, b) => compareIds(a.id, b.id));
}

/** The key under which the page keeps the channel that was open last in a server, or among direct messages. */
const lastKey = (guildId) => `channel:${who}:${guildId ?? "direct"}`;

/** The channel that was open last in a server, where it is still there. */
export function lastChannel(guildId) {
  return state.channels.get(localStorage.getItem(lastKey(guildId)));
}

export function firstChannel() {
  return [...state.channels.values()].find((c) => c.type === 0)?.id ?? [...state.channels.keys()][0];
}

/** Show a channel. */
export function openChannel(id) {
  if (!state.channels.has(id)) return;
  state.channel = id;
  localStorage.setItem(`channel:${who}`, id);
  localStorage.setItem(lastKey(state.channels.get(id).guild_id), id);
  markRead(id);
  emit("channel");
}

export function markRead(channel) {
  const last = state.channels.get(channel)?.last_message_id;
  const list = ordered(channel);
  const id = list.at(-1)?.id ?? last;
  if (!id) return;
  state.read[channel] = id;
  localStorage.setItem(`read:${who}`, JSON.stringify(state.read));
  emit("unread");
}

/** How many messages of others one has not seen in a channel, and whether one of them names one. */
export function unread(channel) {
  if (channel === state.channel && document.visibilityState === "visible") return { count: 0, mentions: 0 };
  const seen = state.read[channel];
  let count = 0;
  let mentions = 0;
  for (const message of messagesOf(channel).values()) {
    if (message.author.id === state.me.id || (seen && compareIds(message.id, seen) <= 0)) continue;
    count += 1;
    if (message.mentions?.some((user) => user.id === state.me.id)) mentions += 1;
  }
  return { count, mentions };
}

/** Note that one has used a command: the latest ones head the list after "/". */
export function noteUsed(name) {
  state.used = [name, ...state.used.filter((other) => other !== name)].slice(0, 4);
  localStorage.setItem(`used:${who}`, JSON.stringify(state.used));
}

/** A local line that only this page knows: a command on its way, or one that got no answer. */
export function localMessage(channel, fields) {
  const id = String((BigInt(Date.now()) - EPOCH) << 22n);
  const message = {
    id,
    local: true,
    channel_id: channel,
    type: 20,
    author: { id: state.bot.id, bot: true, username: state.bot.name },
    content: "",
    timestamp: new Date().toISOString(),
    components: [],
    embeds: [],
    attachments: [],
    mentions: [],
    flags: 64,
    ...fields,
  };
  handlers.MESSAGE_CREATE(message);
  return message;
}

export function updateLocal(message, fields) {
  handlers.MESSAGE_UPDATE({ ...message, ...fields });
}

export function removeLocal(message) {
  handlers.MESSAGE_DELETE({ id: message.id, channel_id: message.channel_id });
}

/** A user as known here, or as the message brings it. */
export function userOf(user) {
  return state.users.get(user.id) ?? { ...user, name: user.global_name ?? user.username, colour: "#5865f2" };
}

/** The guild of the open channel, or undefined. */
export function guildOf(channelId) {
  const id = state.channels.get(channelId)?.guild_id;
  return state.guilds.find((guild) => guild.id === id);
}

/** The colour of somebody's highest coloured role, or null. */
export function roleColour(userId, guild) {
  const ids = guild?.members[userId] ?? [];
  const roles = guild?.roles.filter((role) => ids.includes(role.id) && role.color) ?? [];
  roles.sort((a, b) => b.position - a.position);
  return roles.length ? `#${roles[0].color.toString(16).padStart(6, "0")}` : null;
}

/** The words for a channel. */
export function channelName(channel) {
  if (channel.type === 1) return channel.recipients?.[0]?.bot === false ? "Direct message" : state.bot.name;
  return channel.name ?? "unnamed";
}

/** The colour in which somebody's name is written. */
export const nameColour = (userId, channelId) => roleColour(userId, guildOf(channelId));
