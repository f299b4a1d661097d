// A picture on its own, large, with its alt text.

import { h, icon } from "./dom.js";

/** Show a picture over everything. Esc or a press beside it closes. */
export function showPicture(url, description) {
  const back = document.activeElement;
  const image = h("img", { src: url, alt: description ?? "" });
  const close = () => {
    box.remove();
    document.removeEventListener("keydown", keys, true);
    back?.focus?.({ preventScroll: true });
  };
  const keys = (event) => {
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      close();
    } else if (event.key === "Tab") {
      const stops = [...box.querySelectorAll("button, a")];
      const at = stops.indexOf(document.activeElement);
      event.preventDefault();
      stops[(at + (event.shiftKey ? stops.length - 1 : 1)) % stops.length].focus();
    }
  };
  const box = h(
    "div",
    { class: "lightbox", role: "dialog", "aria-modal": "true", "aria-label": "Picture", onclick: (event) => event.target === box && close() },
    h("div", { class: "lightbox-bar" }, h("a", { href: url, target: "_blank", rel: "noopener" }, "Open original"), h("button", { type: "button", class: "icon-button", "aria-label": "Close", onclick: close }, icon("close", 24))),
    h("button", { class: "lightbox-picture", type: "button", "aria-label": "Zoom", onclick: () => box.classList.toggle("zoomed") }, image),
    description ? h("p", { class: "lightbox-alt" }, h("b", {}, "ALT "), description) : null,
  );
  document.body.append(box);
  document.addEventListener("keydown", keys, true);
  box.querySelector(".icon-button").focus();
}
