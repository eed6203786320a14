// Keys, the slider over the steps of a page, and the place where the graph is drawn. Every page can be read without.
"use strict";

const byId = (id) => document.getElementById(id);
const go = { s: "/", c: "/contested", r: "/rules", g: "/graph" };

function rows() {
  // what j and k go through: the first link or summary of each row, else all links of the content
  const found = [...document.querySelectorAll("main .items > li, main .proof li, main tbody tr")]
    .map((row) => row.querySelector("summary, a"))
    .filter((one) => one && one.checkVisibility());
  return [...new Set(found)];
}

function step(by) {
  const all = rows();
  if (!all.length) return;
  const at = all.indexOf(document.activeElement);
  const next = at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(Math.max(at + by, 0), all.length - 1);
  all[next].focus();
  all[next].scrollIntoView({ block: "nearest" });
}

function to(path) {
  const clocks = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(location.search)) {
    if (name === "valid_at" || name === "known_at") clocks.set(name, value);
  }
  location.href = clocks.size ? `${path}?${clocks}` : path;
}

function along(by) {
  const row = document.querySelector(".steps");
  if (!row) return;
  const links = [...row.querySelectorAll("a")];
  const at = links.findIndex((one) => one.hasAttribute("aria-current"));
  const next = links[at + by];
  if (next) location.href = next.href;
}

function field(id) {
  const one = byId(id);
  if (!one) return;
  one.focus();
  one.select();
}

const keys = {
  "/": () => field("search"),
  j: () => step(1),
  k: () => step(-1),
  ArrowDown: () => step(1),
  ArrowUp: () => step(-1),
  "[": () => along(-1),
  "]": () => along(1),
  v: () => field("valid_at"),
  n: () => field("known_at"),
  "?": () => byId("keys") && byId("keys").showModal(),
};
let waiting = 0;

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const here = event.target;
  const writes = here.matches("input, textarea, select, [contenteditable]");
  if (event.key === "Escape" && writes) return here.blur();
  if (writes || here.closest(".graph") || (byId("keys") && byId("keys").open)) return;
  const arrow = event.key.startsWith("Arrow");
  if (arrow && !rows().includes(here)) return; // elsewhere arrows scroll
  const second = Date.now() - waiting < 1500 && Object.hasOwn(go, event.key);
  waiting = 0;
  if (event.key === "g" && !second) waiting = Date.now();
  const act = second ? () => to(go[event.key]) : keys[event.key];
  if (!act || !(second || Object.hasOwn(keys, event.key))) return;
  event.preventDefault();
  event.stopImmediatePropagation(); // the picture of the graph has a search of its own
  act();
});

for (const row of document.querySelectorAll(".steps")) {
  const links = [...row.querySelectorAll("a")];
  const slider = document.createElement("input");
  const at = links.findIndex((one) => one.hasAttribute("aria-current"));
  Object.assign(slider, { type: "range", min: 0, max: links.length - 1, step: 1, value: at < 0 ? links.length - 1 : at });
  slider.setAttribute("aria-label", row.getAttribute("aria-label"));
  const told = () => slider.setAttribute("aria-valuetext", links[slider.value].title || links[slider.value].textContent);
  told();
  slider.addEventListener("input", () => {
    told();
    links.forEach((one, n) => one.toggleAttribute("aria-current", n === Number(slider.value)));
  });
  slider.addEventListener("change", () => (location.href = links[slider.value].href));
  row.append(slider);
}

// the graph: drawn once it comes into view

function opened(what) {
  const ways = { entity: ["/entity", { name: what.name || what.id }], line: ["/line", { subject: what.subject, predicate: what.predicate }], claim: ["/claim", { ref: what.ref }] };
  const [path, asked] = ways[what.kind];
  const here = new URLSearchParams(location.search);
  const given = new URLSearchParams(asked);
  for (const clock of ["valid_at", "known_at"]) if (here.get(clock)) given.set(clock, here.get(clock));
  location.href = `${path}?${given}`;
}

async function draw(place) {
  try {
    const response = await fetch(place.dataset.graph);
    const data = await response.json();
    if (!response.ok) throw new Error(data.error.message);
    place.picture = window.hornbookGraph(place, data, { onOpen: opened });
    place.dispatchEvent(new CustomEvent("drawn", { bubbles: true }));
  } catch (error) {
    place.replaceChildren(Object.assign(document.createElement("p"), { className: "bad", textContent: `The graph cannot be drawn: ${error.message}` }));
  }
}

function offer(place) {
  // of a large memory it takes a while: only who wants it waits for it
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Draw it" });
  button.addEventListener("click", () => {
    button.disabled = true;
    draw(place);
  });
  place.replaceChildren(button);
}

const seen = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    seen.unobserve(entry.target);
    if ("wait" in entry.target.dataset) offer(entry.target);
    else draw(entry.target);
  }
}, { rootMargin: "200px" });
for (const place of document.querySelectorAll("[data-graph]")) seen.observe(place);
