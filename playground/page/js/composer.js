// Where one writes: words, or a command after "/".

import { h, icon } from "./dom.js";
import { useCommand } from "./interact.js";
import { commandsOf, tell } from "./menus.js";
import { wordsOf } from "./message.js";
import { ask } from "./net.js";
import { picker } from "./picker.js";
import { commandBar, leaves } from "./slash.js";
import { toBottom } from "./messages.js";
import { channelName, on, state, userOf } from "./store.js";

/** Make the composer. Returns its node. */
export function composer() {
  let bar = null;
  let reply = null;
  const list = picker((item) => item.run());
  const text = h("textarea", {
    class: "composer-text",
    rows: 1,
    maxlength: 4000,
    "aria-label": "Message",
    "aria-controls": "picker",
    "data-composer": "",
    oninput: () => {
      grow();
      suggest();
    },
    onkeydown: keys,
    onblur: () => setTimeout(() => !bar && document.activeElement !== text && document.activeElement !== list.node && list.hide(), 120),
    onfocus: () => suggest(),
  });
  const slash = h("button", { type: "button", class: "icon-button slash-button", title: "Commands", "aria-label": "Commands", "data-slash": "", onclick: begin }, h("span", { "aria-hidden": "true" }, "/"));
  const send = h("button", { type: "button", class: "icon-button send-button", "aria-label": "Send", onclick: () => (bar ? bar.node.dispatchEvent(new CustomEvent("send")) : say()) }, icon("reply", 20));
  const context = h("div", { class: "replying", hidden: true });
  const field = h("div", { class: "composer-field" }, slash, text, send);
  const note = h("div", { class: "composer-note", role: "status" });
  const node = h("div", { class: "composer" }, list.node, context, field, note);

  on("channel", () => {
    leave();
    answer(null);
    text.value = "";
    grow();
    draw();
    // Warm, so that the picker opens at once.
    if (state.channel) commandsOf(state.channel);
    if (matchMedia("(min-width: 700px)").matches) text.focus();
  });
  on("places", draw);
  on("typing", drawTyping);
  on("commands", () => {
    if (state.channel) commandsOf(state.channel).then(() => document.activeElement === text && suggest());
  });
  document.addEventListener("reply", (event) => answer(event.detail));
  document.addEventListener("insert", (event) => {
    text.value += event.detail;
    text.focus();
  });
  document.addEventListener("keydown", (event) => {
    // Typing anywhere goes to the composer, as in a chat.
    const busy = event.ctrlKey || event.metaKey || event.altKey || event.key.length !== 1 || event.key === " ";
    if (busy || document.activeElement?.matches("input, textarea, select, button, [role=option]") || document.querySelector(".shade, .lightbox, .menu")) return;
    if (!bar) text.focus();
  });

  function draw() {
    const channel = state.channels.get(state.channel);
    if (!channel) return;
    const direct = !channel.guild_id;
    const may = channel.can.send;
    text.disabled = !may;
    slash.disabled = !may;
    text.placeholder = may ? `Message ${direct ? "@" : "#"}${channelName(channel)}` : "You do not have permission to send messages in this channel.";
  }

  function drawTyping() {
    const typing = Date.now() - (state.typing.get(state.channel) ?? 0) < 8000;
    note.replaceChildren(...(typing ? [h("span", { class: "dots" }, h("i"), h("i"), h("i")), h("b", {}, state.bot.name), " is typing…"] : []));
  }

  function grow() {
    text.style.height = "auto";
    text.style.height = `${Math.min(text.scrollHeight, innerHeight / 2)}px`;
    field.classList.toggle("filled", Boolean(text.value.trim()));
  }

  function begin() {
    if (bar) leave();
    text.value = "/";
    text.focus();
    suggest();
  }

  async function suggest() {
    const wanted = text.value;
    if (bar || !wanted.startsWith("/") || wanted.includes("\n")) {
      list.hide();
      return;
    }
    const all = leaves(await commandsOf(state.channel));
    if (text.value !== wanted || bar) return;
    const query = wanted.slice(1).toLowerCase();
    const name = query.split(/\s+/);
    const found = all
      .filter((leaf) => leaf.name.startsWith(query.trim()) || leaf.shown.startsWith(query.trim()) || leaf.name.includes(name[0]) || leaf.description?.toLowerCase().includes(query))
      .sort((a, b) => rank(a, query) - rank(b, query) || a.name.localeCompare(b.name));
    list.show(
      found.slice(0, 50).map((leaf) => ({
        key: leaf.name,
        label: `/${leaf.shown}`,
        options: leaf.options.map((option) => option.name_localizations?.[state.me.locale] ?? option.name),
        description: leaf.description,
        side: state.bot.name,
        leaf,
        run: () => choose(leaf),
      })),
      { title: query ? "Commands that match" : `${state.bot.name} · commands`, note: found.length ? null : state.bot.connected ? "No command matches." : "The bot is not connected." },
    );
  }

  function rank(leaf, query) {
    const used = state.used.indexOf(leaf.name);
    if (!query) return used < 0 ? state.used.length : used;
    return leaf.name === query.trim() ? 0 : leaf.name.startsWith(query.trim()) ? 1 : 2;
  }

  function choose(leaf) {
    const channel = state.channel;
    list.hide();
    text.value = "";
    grow();
    bar = commandBar(leaf, channel, list, {
      leave: () => {
        leave();
        text.focus();
      },
      done: async (args) => {
        const sending = bar;
        sending.node.inert = true;
        const work = useCommand(channel, leaf.name, args);
        toBottom();
        // The bar goes at once; it comes back when an option is wrong.
        sending.node.hidden = true;
        text.hidden = false;
        text.focus();
        bar = null;
        try {
          await work;
          sending.node.remove();
        } catch (error) {
          if (bar || state.channel !== channel) {
            sending.node.remove();
            tell(error.message);
            return;
          }
          bar = sending;
          sending.node.hidden = false;
          sending.node.inert = false;
          text.hidden = true;
          sending.fail(error.message, error.field);
        }
      },
    });
    text.hidden = true;
    field.insertBefore(bar.node, send);
    bar.node.addEventListener("send", () => bar?.node.querySelector("input:last-of-type, .command-name")?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true })));
    bar.focus();
  }

  function leave() {
    bar?.node.remove();
    bar = null;
    text.hidden = false;
    list.hide();
  }

  function answer(message) {
    reply = message;
    context.hidden = !message;
    if (!message) return;
    context.replaceChildren(
      h("span", {}, "Replying to ", h("b", {}, userOf(message.author).name), h("small", {}, ` ${wordsOf(message).slice(0, 80)}`)),
      h("button", { type: "button", class: "icon-button", "aria-label": "Do not reply", onclick: () => answer(null) }, icon("close", 18)),
    );
    text.focus();
  }

  function keys(event) {
    if (event.isComposing) return;
    if (list.open && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      list.move(event.key === "ArrowDown" ? 1 : -1);
    } else if (list.open && (event.key === "Tab" || event.key === "Enter") && !event.shiftKey) {
      event.preventDefault();
      list.current.run();
    } else if (event.key === " " && list.open) {
      const exact = text.value.slice(1).toLowerCase();
      if (list.current.leaf?.name === exact) {
        event.preventDefault();
        list.current.run();
      }
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      say();
    } else if (event.key === "Escape") {
      if (list.open) list.hide();
      else if (reply) answer(null);
      else toBottom();
    }
  }

  async function say() {
    const content = text.value.trim();
    if (!content) return;
    const before = text.value;
    text.value = "";
    grow();
    try {
      await ask("say", { channel: state.channel, content, reply_to: reply?.id });
      answer(null);
    } catch (error) {
      if (!text.value) text.value = before;
      grow();
      tell(error.message);
    }
  }

  return node;
}
