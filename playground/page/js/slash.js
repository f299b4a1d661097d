// A command being filled in: its name, one pill per option, suggestions above.

import { avatar, h, icon } from "./dom.js";
import { readFile } from "./modal.js";
import { ask } from "./net.js";
import { guildOf, state } from "./store.js";

const KINDS = { 3: "text", 4: "a whole number", 5: "true or false", 6: "a person", 7: "a channel", 8: "a role", 9: "a person or role", 10: "a number", 11: "a file" };

/** All that can be picked after "/": commands, and their subcommands one by one. */
export function leaves(commands) {
  const found = [];
  const walk = (command, path, options, description) => {
    const nested = (options ?? []).filter((option) => option.type <= 2);
    if (!nested.length) {
      const shown = translated(command, path);
      found.push({ command, path, name: [command.name, ...path].join(" "), shown, description, options: options ?? [] });
      return;
    }
    for (const option of nested) walk(command, [...path, option.name], option.options, words(option));
  };
  for (const command of commands) if (command.type === 1) walk(command, [], command.options, words(command));
  return found;
}

/** A description in the person's own language, where the bot has one. */
function words(item) {
  return item.description_localizations?.[state.me.locale] ?? item.description;
}

function translated(command, path) {
  const parts = [command.name_localizations?.[state.me.locale] ?? command.name];
  let options = command.options;
  for (const name of path) {
    const step = options.find((option) => option.name === name);
    parts.push(step.name_localizations?.[state.me.locale] ?? name);
    options = step.options;
  }
  return parts.join(" ");
}

/** Make the bar for one command. `done(args)` sends; `leave()` gives up. */
export function commandBar(leaf, channel, list, { done, leave }) {
  const pills = new Map();
  const pillBox = h("span", { class: "pills" });
  const error = h("div", { class: "command-error", role: "alert", hidden: true });
  const more = h("button", { type: "button", class: "more-options", "data-more-options": "", "aria-controls": "picker", onclick: () => offerOptions({ idle: false }) });
  const node = h(
    "div",
    { class: "command-bar", "data-command-bar": leaf.name },
    h("span", { class: "command-line" }, h("b", { class: "command-name", tabindex: "0", onkeydown: nameKeys }, `/${leaf.shown}`), pillBox, more),
    error,
  );
  let asked = 0;
  let timer = 0;
  let focused = null;
  // Whether the list shows the options that are left, not what one of them takes.
  let offering = false;

  // Whoever goes elsewhere is done with the list.
  node.addEventListener("focusout", ({ relatedTarget: to }) => !node.contains(to) && to !== list.node && list.hide());
  for (const option of leaf.options) if (option.required) add(option, false);
  drawMore();

  function rest() {
    return leaf.options.filter((option) => !pills.has(option.name));
  }

  function drawMore() {
    const count = rest().length;
    more.hidden = !count;
    more.textContent = `+${count} optional`;
  }

  function offerOptions({ idle }) {
    offering = true;
    list.show(
      rest().map((option) => ({ key: option.name, label: option.name_localizations?.[state.me.locale] ?? option.name, description: words(option), run: () => add(option, true) })),
      { title: `Options of /${leaf.shown}`, note: idle ? "None of these is needed: send it as it is, or take one." : undefined, idle },
    );
  }

  /** What Enter and Tab do where the options that are left are listed; whether they did. */
  function takeOffered(key) {
    if (!offering || !list.open) return false;
    const item = list.current ?? (key === "Tab" ? list.first : null);
    item?.run();
    return Boolean(item);
  }

  function add(option, focus) {
    const input = h("input", {
      class: "pill-input",
      type: option.type === 11 ? "file" : "text",
      autocomplete: "off",
      spellcheck: "false",
      "aria-label": `${option.name}: ${option.description}`,
      "aria-controls": "picker",
      inputmode: option.type === 4 ? "numeric" : option.type === 10 ? "decimal" : undefined,
      "data-option": option.name,
      oninput: () => {
        pill.value = undefined;
        fit();
        suggest(option);
      },
      onfocus: () => {
        focused = option;
        pill.node.classList.add("focus");
        suggest(option);
      },
      onblur: () => pill.node.classList.remove("focus"),
      onkeydown: (event) => keys(event, option),
    });
    const pill = { option, input, value: undefined, node: h("span", { class: "pill", "data-pill": option.name }, h("span", { class: "pill-name" }, option.name_localizations?.[state.me.locale] ?? option.name), input) };
    const fit = () => input.style.setProperty("width", `${Math.max(input.value.length + 3, 4)}ch`);
    if (option.type !== 11) fit();
    pill.fit = fit;
    pills.set(option.name, pill);
    pillBox.append(pill.node);
    drawMore();
    if (focus) input.focus();
  }

  function remove(option) {
    const pill = pills.get(option.name);
    const all = [...pills.values()];
    const before = all[all.indexOf(pill) - 1];
    pills.delete(option.name);
    pill.node.remove();
    drawMore();
    if (before) before.input.focus();
    else begin();
  }

  function typed(option) {
    return pills.get(option.name)?.input.value.trim() ?? "";
  }

  function suggest(option) {
    offering = false;
    const note = `${words(option)} · ${KINDS[option.type]}${option.required ? "" : " · optional"}`;
    const text = typed(option).toLowerCase();
    const fits = (label) => label.toLowerCase().includes(text);
    const fixed = staticChoices(option);
    if (fixed) {
      list.show(fixed.filter((choice) => fits(choice.label)).slice(0, 25).map((choice) => ({ key: String(choice.value), ...choice, run: () => set(option, choice) })), { title: option.name, note });
      return;
    }
    if (!option.autocomplete) {
      list.show([], { title: option.name, note: limits(option, note) });
      return;
    }
    const mine = (asked += 1);
    clearTimeout(timer);
    // A little patience saves a question for every key; the first one goes out at once.
    timer = setTimeout(async () => {
      const options = values(true);
      options[option.name] = typed(option);
      const found = await ask("autocomplete", { channel, command: leaf.command.name, path: leaf.path, options, focus: option.name }).catch(() => null);
      if (mine !== asked || focused !== option) return;
      if (!found || found.kind === "failed") {
        list.show([], { title: option.name, note: "Loading options failed" });
        return;
      }
      list.show(
        found.choices.map((choice) => ({ key: String(choice.value), label: choice.name, value: choice.value, run: () => set(option, { label: choice.name, value: choice.value }) })),
        { title: option.name, note: found.choices.length ? note : "No options match your search." },
      );
    }, text ? 120 : 0);
  }

  function limits(option, note) {
    const low = option.min_value ?? option.min_length;
    const high = option.max_value ?? option.max_length;
    if (low === undefined && high === undefined) return note;
    return `${note} · ${low ?? "…"} to ${high ?? "…"}`;
  }

  function staticChoices(option) {
    if (option.choices?.length) return option.choices.map((choice) => ({ label: choice.name_localizations?.[state.me.locale] ?? choice.name, value: choice.value }));
    if (option.type === 5) return [{ label: "True", value: true }, { label: "False", value: false }];
    const guild = guildOf(channel);
    const people = () => {
      const ids = guild ? Object.keys(guild.members) : [...state.users.keys()];
      return ids.map((id) => state.users.get(id)).filter(Boolean).map((user) => ({ label: user.name, description: user.username, value: user.id, face: avatar(user, 24) }));
    };
    const roles = () => (guild?.roles ?? []).map((role) => ({ label: role.name, value: role.id, face: h("i", { class: "role-dot", style: { "--colour": role.color ? `#${role.color.toString(16).padStart(6, "0")}` : "#99aab5" } }) }));
    if (option.type === 6) return people();
    if (option.type === 8) return roles();
    if (option.type === 9) return [...people(), ...roles()];
    if (option.type === 7) {
      return [...state.channels.values()]
        .filter((item) => item.guild_id && item.guild_id === guild?.id && (!option.channel_types?.length || option.channel_types.includes(item.type)))
        .map((item) => ({ label: item.name, value: item.id, face: icon("hash", 18) }));
    }
    return null;
  }

  function set(option, choice) {
    const pill = pills.get(option.name);
    pill.input.value = choice.label;
    pill.value = choice.value;
    pill.fit();
    next(option);
  }

  function next(option) {
    const all = [...pills.values()];
    const empty = all.find((pill) => !pill.input.value);
    const after = all[all.findIndex((pill) => pill.option === option) + 1];
    const target = empty ?? after;
    asked += 1;
    if (target) {
      target.input.focus();
      return;
    }
    pills.get(option.name).input.focus();
    asked += 1;
    list.hide();
    if (rest().length) offerOptions({ idle: true });
  }

  function keys(event, option) {
    const pill = pills.get(option.name);
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (!list.open) suggest(option);
      else list.move(event.key === "ArrowDown" ? 1 : -1);
      event.preventDefault();
    } else if ((event.key === "Enter" || (event.key === "Tab" && !event.shiftKey)) && takeOffered(event.key)) {
      event.preventDefault();
    } else if (event.key === "Tab" && !event.shiftKey) {
      if (list.open && !offering && pill.value === undefined) {
        event.preventDefault();
        list.current.run();
      } else if (rest().length && ![...pills.values()].some((item) => item !== pill && !item.input.value)) {
        event.preventDefault();
        offerOptions({ idle: false });
        more.focus();
      }
    } else if (event.key === "Enter") {
      event.preventDefault();
      const choosing = list.open && !offering && pill.value === undefined && (pill.input.value || option.required);
      if (choosing) list.current.run();
      else send();
    } else if (event.key === "Backspace" && !pill.input.value) {
      event.preventDefault();
      if (option.required && pills.keys().next().value === option.name) leave();
      else remove(option);
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      // An answer that is still on its way must not open the list again.
      asked += 1;
      if (list.open) list.hide();
      else leave();
    }
  }

  function nameKeys(event) {
    if ((event.key === "Enter" || (event.key === "Tab" && !event.shiftKey)) && takeOffered(event.key)) event.preventDefault();
    else if (event.key === "Enter") {
      event.preventDefault();
      send();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (list.open) list.move(event.key === "ArrowDown" ? 1 : -1);
      else if (rest().length) offerOptions({ idle: false });
    } else if (event.key === "Escape" && list.open) {
      event.preventDefault();
      event.stopPropagation();
      list.hide();
    } else if (event.key === "Backspace" || event.key === "Escape") {
      event.preventDefault();
      leave();
    } else if (/^[a-z]$/i.test(event.key) && offering && !event.ctrlKey && !event.metaKey && !event.altKey) list.seek(event.key);
  }

  /** Begin: at the first option that is empty; where none is needed, with those that there are. */
  function begin() {
    const all = [...pills.values()];
    const first = all.find((pill) => !pill.input.value) ?? all[0];
    (first?.input ?? node.querySelector(".command-name")).focus();
    if (!first && rest().length) offerOptions({ idle: true });
  }

  more.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") list.move(event.key === "ArrowDown" ? 1 : -1);
    else if (event.key === "Enter" && list.open && list.current) list.current.run();
    else if (event.key === "Escape") list.hide();
    else return;
    event.preventDefault();
  });

  function values(loose = false) {
    const found = {};
    for (const { option, input, value } of pills.values()) {
      if (option.type === 11) continue;
      const text = input.value.trim();
      if (value !== undefined) found[option.name] = value;
      else if (text) found[option.name] = text;
      else if (!loose && option.required) found[option.name] = "";
    }
    return found;
  }

  async function send() {
    const options = values();
    for (const { option, input } of pills.values()) if (option.type === 11 && input.files[0]) options[option.name] = await readFile(input.files[0]);
    error.hidden = true;
    pills.forEach((pill) => pill.node.classList.remove("wrong"));
    list.hide();
    const missing = [...pills.values()].find((pill) => pill.option.required && !pill.input.value);
    if (missing) {
      fail("This option is required. Specify a value.", missing.option.name);
      return;
    }
    done({ command: leaf.command.name, path: leaf.path, options });
  }

  function fail(words, name) {
    error.textContent = name ? `${name}: ${words}` : words;
    error.hidden = false;
    const pill = pills.get(name);
    pill?.node.classList.add("wrong");
    pill?.input.focus();
    list.hide();
  }

  return {
    node,
    fail,
    focus: begin,
  };
}
