// Elements made from texts: whatever a memory says goes in as text content, never as markup.

function make(tag, attributes, ...inside) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "class") element.className = value;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? (name.startsWith("aria-") ? "true" : "") : value);
  }
  for (const one of inside.flat(Infinity)) if (one !== null && one !== undefined && one !== false) element.append(one);
  return element;
}

// A text that is too long for its place, whole in its title. Control letters are shown as what they are.
function short(text, most) {
  const seen = visible(text);
  const letters = Array.from(seen.length > most * 4 ? seen.slice(0, most * 4) : seen);
  return letters.length > most ? letters.slice(0, most - 1).join("") + "…" : seen;
}

function visible(text) {
  // eslint-disable-next-line no-control-regex
  return String(text).replace(/[\u0000-\u001f\u007f-\u009f]/g, (char) => (char === "\n" || char === "\t" ? " " : "\ufffd"));
}

// Text isolated from what stands around it: a name that is written from right to left turns nothing else round.
function words(text, most, tag, extra) {
  const shown = most ? short(text, most) : visible(text);
  return make(tag || "bdi", {dir: "auto", title: most && shown.endsWith("…") ? visible(text).slice(0, 2000) : null, ...extra}, shown);
}
