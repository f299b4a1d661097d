// The one WebSocket to the server: asks with answers, events, and coming back after a break.

const base = location.pathname.replace(/[^/]*$/, "");
const query = new URLSearchParams(location.search);
export const who = query.get("as") ?? "ann";
const locale = query.get("locale");

let socket = null;
let next = 1;
let wait = 300;
const waiting = new Map();
let listener = () => {};
let onState = () => {};

/** Why the server said no: words for the person, and the input at fault. */
export class Refused extends Error {
  constructor(words, field) {
    super(words);
    this.field = field;
  }
}

/** Connect and stay connected. `event(name, data)` gets everything the server tells. */
export function connect(event, state) {
  listener = event;
  onState = state;
  open();
}

function open() {
  const address = new URL(`${base}ws?as=${encodeURIComponent(who)}${locale ? `&locale=${encodeURIComponent(locale)}` : ""}`, location.href);
  address.protocol = "ws:";
  socket = new WebSocket(address);
  socket.onopen = () => {
    wait = 300;
    onState(true);
  };
  socket.onmessage = (message) => {
    const data = JSON.parse(message.data);
    if (data.re === undefined) {
      listener(data.t, data.d);
      return;
    }
    const { resolve, reject } = waiting.get(data.re) ?? {};
    waiting.delete(data.re);
    if (data.ok) resolve?.(data.d);
    else reject?.(new Refused(data.error, data.field));
  };
  socket.onclose = () => {
    onState(false);
    for (const { reject } of waiting.values()) reject(new Refused("The playground is not reachable."));
    waiting.clear();
    setTimeout(open, wait);
    wait = Math.min(wait * 1.7, 5000);
  };
}

/** Do an act and wait for its result. Rejects with Refused. */
export function ask(op, args = {}) {
  return new Promise((resolve, reject) => {
    if (socket?.readyState !== WebSocket.OPEN) {
      reject(new Refused("The playground is not reachable."));
      return;
    }
    const id = next++;
    waiting.set(id, { resolve, reject });
    socket.send(JSON.stringify({ id, op, args }));
  });
}
