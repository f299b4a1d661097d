// Putting the page together.

import { h, icon, avatar } from "./dom.js";
import { composer } from "./composer.js";
import { dialog } from "./dialog.js";
import { tell, userMenu } from "./menus.js";
import { messageList } from "./messages.js";
import { ask, connect, who } from "./net.js";
import { places } from "./places.js";
import { protocol, toggleDrawer } from "./protocol.js";
import { channelName, emit, firstChannel, guildOf, markRead, on, openChannel, roleColour, state, take, unread } from "./store.js";

const top = h("header", { class: "top" });
const members = h("aside", { class: "members", "aria-label": "Members" });
const offline = h("div", { class: "offline", role: "status", hidden: true }, "Reconnecting…");
let showMembers = localStorage.getItem("members") !== "no";

document.body.append(
  h("div", { class: "app" }, places(), h("main", { class: "main" }, top, offline, protocol(), h("div", { class: "middle" }, h("section", { class: "chat", "aria-label": "Chat" }, messageList(), composer()), members))),
  h("div", { class: "veil", onclick: () => document.body.classList.remove("drawer") }),
);

function drawTop() {
  const channel = state.channels.get(state.channel);
  if (!channel) return;
  const direct = !channel.guild_id;
  const name = channelName(channel);
  const parent = channel.type > 9 ? state.channels.get(channel.parent_id) : null;
  document.title = `${unreadTotal() ? `(${unreadTotal()}) ` : ""}${direct ? "" : "#"}${name} · ${state.me.name}`;
  const parts = [
    h(
      "button",
      { type: "button", class: "icon-button drawer-button", "aria-label": "Channels", "aria-controls": "places", "data-drawer": "", onclick: () => document.body.classList.toggle("drawer") },
      icon("menu", 24),
      unreadTotal() ? h("i", { class: "drawer-dot" }) : null,
    ),
    direct ? h("span", { class: "top-mark" }, "@") : icon(channel.type > 9 ? "thread" : "hash", 24),
    parent ? h("button", { type: "button", class: "as-link top-parent", onclick: () => openChannel(parent.id) }, `${parent.name} ›`) : null,
    h("h1", {}, name),
    channel.topic ? h("span", { class: "topic", title: channel.topic }, channel.topic) : h("span", { class: "topic" }),
    h(
      state.bot.kept ? "button" : "span",
      {
        ...(state.bot.kept ? { type: "button", onclick: botDialog, "aria-haspopup": "dialog" } : { role: "status" }),
        class: `bot-state ${state.bot.connected ? "on" : "off"}`, "data-bot-connected": String(state.bot.connected), title: state.bot.connected ? "The bot is connected" : "The bot is not connected" },
      h("i", { class: "dot" }),
      h("span", {}, state.bot.connected ? `${state.bot.name} online` : `${state.bot.name} offline`),
    ),
    h(
      "button",
      { type: "button", class: `icon-button${state.errors.length ? " alarm" : ""}`, title: "Refused requests", "aria-label": `Refused requests: ${state.errors.length}`, "data-errors": state.errors.length, onclick: () => toggleDrawer() },
      icon("warn", 22),
      state.errors.length ? h("b", { class: "count" }, state.errors.length > 99 ? "99+" : state.errors.length) : null,
    ),
    h(
      "button",
      {
        type: "button",
        class: "icon-button members-button",
        title: "Member list",
        "aria-label": "Member list",
        "aria-pressed": String(showMembers),
        onclick: () => {
          showMembers = !showMembers;
          localStorage.setItem("members", showMembers ? "yes" : "no");
          drawMembers();
          drawTop();
        },
      },
      icon("people", 22),
    ),
  ];
  top.replaceChildren(...parts.filter(Boolean));
}

/** Try the promise: kill the bot in the middle of a game, and start it again. */
function botDialog() {
  const act = (op) => () => {
    opened.close();
    ask(op, {}).catch((error) => tell(error.message));
  };
  const opened = dialog({
    title: state.bot.name,
    name: "bot",
    content: [
      h("p", {}, state.bot.connected ? "The bot is connected. Whatever was answered is stored: kill it in the middle of a game and see." : "The bot is not there. Nothing that was answered is lost."),
      h(
        "p",
        { class: "welcome-play" },
        h("button", { class: "button button-success", type: "button", "data-restart-bot": "", onclick: act("restart_bot") }, state.bot.connected ? "Restart bot" : "Start bot"),
        state.bot.connected && h("button", { class: "button button-danger", type: "button", "data-kill-bot": "", onclick: act("kill_bot") }, "Kill bot"),
      ),
    ],
  });
}

function unreadTotal() {
  let sum = 0;
  for (const id of state.channels.keys()) sum += unread(id).mentions;
  return sum;
}

function drawMembers() {
  const channel = state.channels.get(state.channel);
  const guild = guildOf(state.channel);
  members.hidden = !showMembers || !channel;
  if (members.hidden) return;
  const ids = guild ? Object.keys(guild.members) : channel.recipients.map((user) => user.id).concat(channel.type === 1 ? [state.bot.id, state.me.id] : [state.me.id]);
  const rows = [...new Set(ids)].map((id) => state.users.get(id)).filter((user) => user && user.key !== "owner");
  const groups = new Map();
  for (const user of rows) {
    const mine = guild?.members[user.id] ?? [];
    const role = guild?.roles.filter((item) => item.hoist && mine.includes(item.id)).sort((a, b) => b.position - a.position)[0];
    const name = user.bot ? "Apps" : (role?.name ?? "Online");
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(user);
  }
  const order = ["Moderator", "Apps", "Online"];
  members.replaceChildren(
    ...[...groups]
      .sort(([a], [b]) => order.indexOf(a) - order.indexOf(b))
      .map(([name, users]) =>
        h(
          "section",
          {},
          h("h3", {}, `${name} — ${users.length}`),
          users.map((user) => {
            const away = user.bot && !state.bot.connected;
            const colour = roleColour(user.id, guild);
            return h(
              "button",
              { type: "button", class: `member${away ? " away" : ""}`, "data-member": user.key, onclick: (event) => userMenu(event, user), oncontextmenu: (event) => { event.preventDefault(); userMenu(event, user); } },
              h("span", { class: "with-dot" }, avatar(user, 32), h("i", { class: `dot ${away ? "off" : "on"}` })),
              h("span", { class: "member-name", style: colour ? { color: colour } : {} }, user.name),
              user.bot && h("span", { class: "badge" }, "APP"),
            );
          }),
        ),
      ),
  );
}

for (const name of ["channel", "places", "hello", "bot", "errors", "unread"]) on(name, drawTop);
for (const name of ["channel", "places", "hello", "bot"]) on(name, drawMembers);
document.addEventListener("errors-cleared", drawTop);
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && state.channel && markRead(state.channel));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") document.body.classList.remove("drawer");
});
on("hello", () => {
  const wanted = localStorage.getItem(`channel:${who}`);
  if (!state.read.started) {
    // At the first visit everything that is there counts as read.
    state.read.started = true;
    for (const id of state.channels.keys()) markRead(id);
  }
  // After a break one goes on where one was, half a sentence included.
  if (state.channel) markRead(state.channel);
  else openChannel(state.channels.has(wanted) ? wanted : firstChannel());
  document.body.dataset.ready = "true";
});

connect(take, (online) => {
  state.online = online;
  offline.hidden = online;
  if (!online) emit("bot");
});
