// Times in words.

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const seconds = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const day = new Intl.DateTimeFormat(undefined, { day: "2-digit", month: "2-digit", year: "numeric" });
const longDay = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "long", year: "numeric" });
const full = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long", year: "numeric" });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });

/** The time of a message: "Today at 14:03". */
export function stamp(iso) {
  const then = new Date(iso);
  const days = Math.round((midnight(new Date()) - midnight(then)) / 86400000);
  if (days === 0) return `Today at ${clock.format(then)}`;
  if (days === 1) return `Yesterday at ${clock.format(then)}`;
  return `${day.format(then)} ${clock.format(then)}`;
}

export const shortTime = (iso) => clock.format(new Date(iso));
export const dayName = (iso) => longDay.format(new Date(iso));
export const fullTime = (when) => `${full.format(when)} ${clock.format(when)}`;

function midnight(date) {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

const STEPS = [["year", 31536000], ["month", 2592000], ["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];

/** "in 5 minutes", "2 days ago". */
export function ago(when) {
  const delta = Math.round((when - Date.now()) / 1000);
  for (const [unit, size] of STEPS) {
    if (Math.abs(delta) >= size || unit === "second") return relative.format(Math.trunc(delta / size), unit);
  }
  return "";
}

/** A <t:…> tag in one of its styles. */
export function tag(unix, style) {
  const when = new Date(unix * 1000);
  switch (style) {
    case "t": return clock.format(when);
    case "T": return seconds.format(when);
    case "d": return day.format(when);
    case "D": return longDay.format(when);
    case "F": return fullTime(when);
    case "R": return ago(when.getTime());
    default: return `${longDay.format(when)} ${clock.format(when)}`;
  }
}

// Relative times keep walking while they are on the page.
setInterval(() => {
  for (const node of document.querySelectorAll("time[data-relative]")) {
    node.textContent = ago(Number(node.dataset.relative) * 1000);
  }
}, 1000);
