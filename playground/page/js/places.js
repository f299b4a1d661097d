// The left side: servers, channels with their threads, direct messages, and who one is.

import { avatar, h, icon } from "./dom.js";
import { askChannel, channelMenu, menu } from "./menus.js";
import { who } from "./net.js";
import { channelName, guildOf, lastChannel, on, openChannel, state, unread } from "./store.js";

let rail;
let side;
let panel;
let guildId = null;

/** Make the left side. Returns its nodes. */
export function places() {
  rail = h("nav", { class: "rail", "aria-label": "Servers" });
  side = h("nav", { class: "side", "aria-label": "Channels" });
  panel = h("div", { class: "me" });
  on("places", draw);
  on("hello", draw);
  on("channel", () => {
    guildId = state.channels.get(state.channel)?.guild_id ?? "direct";
    document.body.classList.remove("drawer");
    draw();
  });
  on("unread", draw);
  on("bot", draw);
  return h("div", { class: "places", id: "places" }, rail, h("div", { class: "side-column" }, side, panel));
}

let planned = false;

function draw() {
  // Many events ask for it; once per frame is enough.
  if (planned) return;
  planned = true;
  requestAnimationFrame(() => {
    planned = false;
    if (!state.me) return;
    drawRail();
    drawSide();
    drawPanel();
  });
}

function channelsOf(id) {
  const all = [...state.channels.values()];
  if (id === "direct") return all.filter((channel) => !channel.guild_id);
  return all.filter((channel) => channel.guild_id === id && channel.type === 0).sort((a, b) => a.position - b.position);
}

function countOf(id) {
  let count = 0;
  let mentions = 0;
  for (const channel of state.channels.values()) {
    if ((channel.guild_id ?? "direct") !== id) continue;
    const found = unread(channel.id);
    count += found.count;
    mentions += channel.guild_id ? found.mentions : found.count;
  }
  return { count, mentions };
}

function drawRail() {
  const spot = (id, label, face, kind) => {
    const { count, mentions } = countOf(id);
    const current = guildId === id;
    return h(
      "div",
      { class: `spot${current ? " current" : ""}${count ? " unread" : ""}` },
      h(
        "button",
        {
          type: "button",
          class: `spot-button ${kind}`,
          title: label,
          "aria-label": `${label}${mentions ? `, ${mentions} mentions` : count ? ", unread" : ""}`,
          "aria-current": current ? "page" : undefined,
          "data-guild-id": id,
          onclick: () => {
            const wanted = lastChannel(id) ?? channelsOf(id)[0];
            if (!wanted) return;
            // On a phone the drawer stays, so that one can go on to a channel.
            const drawer = document.body.classList.contains("drawer");
            openChannel(wanted.id);
            document.body.classList.toggle("drawer", drawer);
          },
        },
        face,
      ),
      mentions ? h("b", { class: "count" }, mentions) : null,
    );
  };
  rail.replaceChildren(
    spot("direct", "Direct messages", avatar({ ...state.bot, bot: true }, 30), "direct"),
    h("hr"),
    ...state.guilds.map((guild) => spot(guild.id, guild.name, initials(guild.name), guild.installed ? "guild" : "guild foreign")),
  );
}

function initials(name) {
  return name.split(/\s+/).map((word) => [...word][0]).join("").slice(0, 3);
}

function drawSide() {
  const guild = state.guilds.find((item) => item.id === guildId);
  const title = guild?.name ?? "Direct messages";
  const rows = [];
  if (guild) {
    rows.push(
      h(
        "div",
        { class: "side-group" },
        h("span", {}, "Text channels"),
        guild.manage && h("button", { type: "button", class: "icon-button", title: "Create channel", "aria-label": "Create channel", "data-create-channel": "", onclick: () => askChannel(guild) }, icon("plus", 18)),
      ),
    );
  }
  for (const channel of channelsOf(guildId)) {
    rows.push(row(channel));
    const threads = [...state.channels.values()].filter(
      (item) => item.parent_id === channel.id && item.type > 9 && (!item.thread_metadata.archived || item.id === state.channel),
    );
    if (threads.length) rows.push(h("div", { class: "threads" }, threads.map(row)));
  }
  side.replaceChildren(
    h("header", { class: "side-head" }, h("h2", {}, title), guild && !guild.installed ? h("span", { class: "hint", title: "The bot is not a member here: only what people brought themselves works" }, "without the bot") : null),
    h("div", { class: "side-list" }, rows),
  );
}

function row(channel) {
  const current = channel.id === state.channel;
  const { count, mentions } = unread(channel.id);
  const direct = !channel.guild_id;
  const noBot = channel.guild_id && !channel.bot_rights.view_channel;
  const mark =
    channel.type === 1
      ? avatar({ ...state.bot, bot: true }, 32)
      : channel.type === 3
        ? h("span", { class: "avatar group" }, icon("people", 18))
        : icon(channel.type > 9 ? "thread" : noBot ? "lockhash" : "hash");
  const pings = direct ? count : mentions;
  return h(
    "div",
    { class: `channel${current ? " current" : ""}${count ? " unread" : ""}${direct ? " direct" : ""}` },
    h(
      "button",
      {
        type: "button",
        class: "channel-open",
        "aria-current": current ? "page" : undefined,
        "data-channel-id": channel.id,
        "data-channel-name": channel.name ?? "dm",
        onclick: () => openChannel(channel.id),
        oncontextmenu: (event) => {
          event.preventDefault();
          channelMenu(event, channel);
        },
      },
      mark,
      h("span", { class: "channel-name" }, channelName(channel)),
      direct && channel.type === 1 ? h("span", { class: "badge" }, "APP") : null,
      channel.thread_metadata?.archived ? h("small", {}, "archived") : null,
    ),
    pings ? h("b", { class: "count", "aria-label": `${pings} mentions` }, pings) : null,
    channel.guild_id && h("button", { type: "button", class: "icon-button channel-more", "aria-label": `More for ${channel.name}`, "data-channel-more": channel.name, onclick: (event) => channelMenu(event, channel) }, icon("dots", 18)),
  );
}

function drawPanel() {
  panel.replaceChildren(
    h(
      "button",
      { type: "button", class: "me-button", "aria-haspopup": "menu", "aria-label": `You are ${state.me.name}. Be somebody else`, "data-switch-person": "", onclick: switchPerson },
      avatar(state.me, 32),
      h("span", { class: "me-words" }, h("b", {}, state.me.name), h("small", {}, `as ${who}`)),
      icon("down", 18),
    ),
  );
}

const LOCALES = { "en-US": "English", de: "Deutsch", fr: "Français", "es-ES": "Español", "pt-BR": "Português", ja: "日本語", "zh-CN": "中文" };

function switchPerson(event) {
  const guild = guildOf(state.channel);
  const head = h("div", { class: "menu-head" }, guild ? `Be somebody else in ${guild.name}; with Ctrl in a new tab` : "Be somebody else; with Ctrl in a new tab");
  const go = (search) => (pressed) => {
    if (pressed.ctrlKey || pressed.metaKey) window.open(search, "_blank");
    else location.search = search;
  };
  const spot = { clientX: 0, clientY: 0, currentTarget: event.currentTarget };
  const here = state.people.filter((person) => !guild || person.id in guild.members);
  const people = here.map((person) => ({
    label: person.name,
    name: `person:${person.key}`,
    face: avatar(person, 24),
    icon: person.id === state.me.id ? "check" : undefined,
    run: go(`?as=${person.key}`),
  }));
  const language = {
    label: `Language: ${LOCALES[state.me.locale] ?? state.me.locale}`,
    name: "language",
    run: () =>
      menu(
        spot,
        Object.entries(LOCALES).map(([locale, label]) => ({
          label,
          name: `locale:${locale}`,
          icon: locale === state.me.locale ? "check" : undefined,
          run: go(`?as=${who}&locale=${locale}`),
        })),
        h("div", { class: "menu-head" }, "The language of your client, as the bot hears of it"),
      ),
  };
  menu(spot, [...people, null, language], head);
}
