// Building DOM nodes. Nothing here or elsewhere parses HTML from strings.

const SVG = "http://www.w3.org/2000/svg";

/** Make an element: h("div", {class: "x", onclick: f, "data-id": 1}, "text", child, [more]). */
export function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "class") node.className = value;
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [k, v] of Object.entries(value)) node.style.setProperty(k, v);
    else if (["value", "checked", "disabled", "hidden", "multiple", "tabIndex", "indeterminate"].includes(name)) node[name] = value;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  append(node, children);
  return node;
}

function append(node, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(node, child);
    else node.append(child);
  }
}

const ICONS = {
  hash: "M10 3 8 21M16 3l-2 18M4 8.5h17M3 15.5h17",
  lockhash: "M10 3 8 21M14 13l-1 8M4 8.5h8M3 15.5h17M15.5 8V6.2a2.2 2.2 0 0 1 4.4 0V8M14.5 8h6.4v4.5h-6.4z",
  thread: "M4 5h16v10h-8l-4.5 4v-4H4zM8 9h8M8 12h5",
  menu: "M4 6.5h16M4 12h16M4 17.5h16",
  close: "M6 6l12 12M18 6 6 18",
  people: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c.4-4 3-6 6.5-6s6.100 2 6.500 6M16 4.300a3.400 3.400 0 0 1 0 6.400M18 14.400c2.100.8 3.300 2.700 3.500 5.600",
  present: "M12 4v13M6 11.500l6 6 6-6",
  plus: "M12 5v14M5 12h14",
  down: "M6 9l6 6 6-6",
  eye: "M2 12s3.600-6.500 10-6.500S22 12 22 12s-3.600 6.500-10 6.500S2 12 2 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  link: "M13 5h6v6M19 5l-8.500 8.500M16.500 13.500V19H5V7.500h5.500",
  trash: "M4.500 6.500h15M9 6.500V4h6v2.500M6.500 6.500 7.500 20h9l1-13.500M10 10.500v6M14 10.500v6",
  dots: "M5.500 12h.01M12 12h.01M18.500 12h.01",
  shield: "M12 3l7.500 2.800v5.700c0 4.500-3 7.900-7.500 9.500-4.500-1.600-7.500-5-7.500-9.500V5.800z",
  warn: "M12 4 2.500 20h19zM12 10v4.500M12 17.200v.1",
  file: "M6 3h8l4.500 4.500V21H6zM14 3v4.500h4.500",
  check: "M5 12.500l4.500 4.500L19 7",
  reply: "M10 7 4.500 12 10 17M5 12h8.500c3.500 0 6 2 6 6",
  smile: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM8.500 14c.8 1.600 2 2.300 3.500 2.300s2.700-.7 3.500-2.300M9 9.500v.5M15 9.500v.5",
  apps: "M4.500 4.500h6v6h-6zM13.500 4.500h6v6h-6zM4.500 13.500h6v6h-6zM16.500 13v7M13 16.500h7",
  download: "M12 4v11M7 11l5 5 5-5M5 20h14",
  plug: "M9 3v5M15 3v5M6.500 8h11v3.500a5.500 5.500 0 0 1-11 0zM12 17v4",
};

/** Make a line icon. */
export function icon(name, size = 20) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("width", size);
  svg.setAttribute("height", size);
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", "icon");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

/** Draw somebody's avatar: a letter on their colour. */
export function avatar(user, size = 40) {
  const letters = [...(user?.name ?? "?").replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069*_~`|@<>#]/g, "").trim()];
  const first = letters[0] ?? "?";
  return h(
    "span",
    {
      class: `avatar${user?.bot ? " avatar-bot" : ""}`,
      style: { "--size": `${size}px`, "--colour": user?.colour ?? "#5865f2" },
      "aria-hidden": "true",
    },
    user?.bot ? cards() : first.toUpperCase(),
  );
}

function cards() {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 32 32");
  svg.setAttribute("width", "78%");
  for (const [x, angle, fill] of [[7, -10, "#fff"], [14, 10, "#dfe3ff"]]) {
    const rect = document.createElementNS(SVG, "rect");
    const marks = { x, y: 8, width: 11, height: 16, rx: 2.5, fill, transform: `rotate(${angle} ${x + 5.5} 16)` };
    for (const [k, v] of Object.entries(marks)) rect.setAttribute(k, v);
    svg.append(rect);
  }
  return svg;
}

/** Compare two snowflakes given as strings. */
export function compareIds(a, b) {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

/** Turn one of the server's own file addresses into one of this page's origin; null for others. */
export function ownUrl(url) {
  try {
    const found = new URL(url, location.href);
    return found.pathname.startsWith("/cdn/") ? found.pathname + found.search : null;
  } catch {
    return null;
  }
}
