// Presses and commands on their way to the bot, and what becomes of them.

import { openModal } from "./modal.js";
import { ask } from "./net.js";
import { emit, localMessage, noteUsed, removeLocal, state, updateLocal } from "./store.js";

const FAILED = "This interaction failed";

/** Press a button or pick values; the message shows that it waits, and when nothing came. */
export async function press(message, customId, values) {
  if (state.pending.has(message.id)) return;
  state.pending.set(message.id, customId);
  state.failed.delete(message.id);
  emit("update", current(message));
  try {
    const found = await ask("press", { message: message.id, custom_id: customId, values });
    if (found.kind === "failed") state.failed.set(message.id, FAILED);
    if (found.kind === 9) openModal(found.modal, found.id);
  } catch (error) {
    state.failed.set(message.id, error.message);
  } finally {
    state.pending.delete(message.id);
    emit("update", current(message));
  }
}

function current(message) {
  return state.messages.get(message.channel_id)?.get(message.id) ?? message;
}

/** Use a command. Rejects with Refused when an option is not right. */
export async function useCommand(channel, name, args) {
  const line = localMessage(channel, {
    sending: true,
    interaction_metadata: { user: { id: state.me.id }, name },
  });
  try {
    const found = await ask("command", { channel, ...args });
    if (found.kind === "failed") {
      updateLocal(line, { sending: false, failure: "The application did not respond" });
      return;
    }
    removeLocal(line);
    noteUsed(name);
    if (found.kind === 9) openModal(found.modal, found.id);
  } catch (error) {
    removeLocal(line);
    throw error;
  }
}
