// hornbookGraph(element, data, {onOpen}): the picture with its search, its filter, its clocks and its panel.

let instances = 0;

function hornbookGraph(element, data, options) {
  const open = (options && options.onOpen) || null;
  const id = `hb${(instances += 1)}`;
  const view = {valid: data.valid.start, known: data.known.start, validText: data.valid.text, hidden: new Set(), centre: data.centre, depth: data.depth};
  const picked = {node: null, arrow: null};
  let drawn = false, shown = null, scene = null, transform = d3.zoomIdentity, frame = 0, snapshot = null, resting = 0;

  // elements

  const canvas = make("canvas", {tabindex: 0, role: "application", "aria-roledescription": "graph", "aria-label": "The graph. Arrow keys go from node to node, Enter opens what is said of it, plus and minus zoom, slash searches.", "aria-describedby": `${id}-count`});
  const input = make("input", {type: "search", placeholder: "Search (/)", "aria-label": "Search by name", role: "combobox", "aria-expanded": "false", "aria-controls": `${id}-found`, autocomplete: "off", spellcheck: "false"});
  const list = make("ul", {id: `${id}-found`, role: "listbox", "aria-label": "Found", class: "hb-found", hidden: true});
  const count = make("span", {id: `${id}-count`, class: "hb-count", role: "status"});
  const panel = make("aside", {class: "hb-panel", "aria-label": "What is said", hidden: true});
  const body = make("div", {class: "hb-panel-body"});
  const close = make("button", {type: "button", class: "hb-close", "aria-label": "Close", onclick: () => pick({node: null, arrow: null})}, "×");
  panel.append(close, body);
  const clocks = {valid: clock("valid", "True at"), known: clock("known", "As known")};
  const steps = make("select", {"aria-label": "Steps from the centre", onchange: () => { view.depth = Number(steps.value); refresh(); }});
  const around = make("span", {class: "hb-around", hidden: true});
  const key = legend();
  const stage = make("div", {class: "hb-stage"}, canvas, key, panel);
  const bar = make("div", {class: "hb-bar"},
    make("div", {class: "hb-search"}, input, list), types(), around, count,
    make("div", {class: "hb-zoom"}, button("−", "Zoom out", () => zoomBy(1 / 1.4)), button("+", "Zoom in", () => zoomBy(1.4)), button("Fit", "Show all of it", () => fit(true))));
  const root = make("div", {class: "hb-graph"}, bar, stage, make("div", {class: "hb-clocks"}, clocks.valid.row, clocks.known.row), notes());
  element.replaceChildren(root);
  const context = canvas.getContext("2d", {alpha: false});

  function button(text, label, act) {
    return make("button", {type: "button", "aria-label": label, title: label, onclick: act}, text);
  }

  function notes() {
    return data.notes.length ? make("p", {class: "hb-notes hb-soft"}, data.notes.join("; ")) : null;
  }

  // what is hidden by type

  function types() {
    const kinds = [...new Set(data.nodes.map(kindOf))].sort((one, other) => (one < 0) - (other < 0) || one - other);
    const boxes = kinds.map((kind) => make("label", {},
      make("input", {type: "checkbox", checked: true, "data-kind": kind, onchange: (event) => { if (event.target.checked) view.hidden.delete(kind); else view.hidden.add(kind); refresh(); }}),
      make("i", {class: `hb-dot hb-kind${kind < 0 ? kind : kind % 7}`}), words(kindName(data, kind), 30)));
    return make("details", {class: "hb-types"}, make("summary", {}, "Types"), make("div", {}, boxes));
  }

  function legend() {
    const line = (style, text) => make("li", {}, make("i", {class: `hb-stroke hb-stroke-${style}`}), text);
    const parts = [line("p", "believed"), line("c", "contested"), line("o", "said, not believed")];
    if (data.arrows.some((arrow) => arrow.rule !== null)) parts.push(line("derived", "derived by a rule"));
    if (data.arrows.some((arrow) => arrow.not)) parts.push(line("not", "said not to be so"));
    const kinds = [...new Set(data.nodes.map(kindOf))].filter((kind) => kind >= 0).sort((one, other) => one - other).slice(0, 7);
    return make("details", {class: "hb-legend", open: window.innerWidth > 600}, make("summary", {}, "Legend"),
      make("ul", {}, parts, kinds.map((kind) => make("li", {}, make("i", {class: `hb-dot hb-kind${kind % 7}`}), words(data.types[kind], 24)))));
  }

  // the clocks

  function clock(name, title) {
    const range = make("input", {type: "range", id: `${id}-${name}`, min: 0, max: data[name].stops.length, step: 1, value: view[name]});
    const said = make("span", {class: "hb-said", "aria-hidden": true});
    const jump = make("input", {type: "text", class: "hb-jump", placeholder: "date", size: 10, "aria-label": `${title}: go to a date, year first`, autocomplete: "off"});
    const move = (by) => set(name, view[name] + by);
    range.addEventListener("input", () => set(name, Number(range.value)));
    jump.addEventListener("keydown", (event) => { if (event.key === "Enter") jumpTo(name, jump); });
    const row = make("div", {class: "hb-clock"}, make("label", {for: `${id}-${name}`}, title),
      button("‹", `${title}: the change before`, () => move(-1)), range, button("›", `${title}: the next change`, () => move(1)), said, jump);
    return {row, range, said};
  }

  function jumpTo(name, jump) {
    const given = /^\s*(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?(?:[T ]([\d:.]+)Z?)?\s*$/.exec(jump.value);
    const at = given ? Date.parse(`${given[1]}-${(given[2] || "1").padStart(2, "0")}-${(given[3] || "1").padStart(2, "0")}T${given[4] || "00:00:00"}Z`) : NaN;
    jump.setAttribute("aria-invalid", String(Number.isNaN(at)));
    if (Number.isNaN(at)) return;
    set(name, positionOf(data[name].stops, at), name === "valid" ? jump.value.trim() : null);
  }

  function set(name, position, text) {
    view[name] = Math.max(0, Math.min(data[name].stops.length, position));
    if (name === "valid") view.validText = text || null;
    refresh();
  }

  function tellClocks() {
    for (const name of ["valid", "known"]) {
      const {range, said} = clocks[name], between = stretch(data[name], view[name]);
      range.value = view[name];
      const last = name === "known" && view.known === data.known.stops.length;
      const text = name === "valid" && view.validText ? `${view.validText.slice(0, 10)} (${between})` : last ? `${between} (all that is known)` : between;
      said.textContent = text;
      said.title = text;
      range.setAttribute("aria-valuetext", text);
    }
  }

  // what is shown

  function refresh() {
    shown = shownAt(data, view);
    scene = sceneOf(data, shown);
    const disputed = [...shown.arrows.values()].filter((state) => state.role === "c").length;
    count.textContent = `${plural(shown.nodes.size, "node")}, ${plural(shown.arrows.size, "arrow")}${disputed ? `, ${disputed} contested` : ""}`;
    tellClocks();
    tellAround();
    if (!panel.hidden) fillPanel(false);
    snapshot = null;
    redraw();
  }

  function plural(number, thing) {
    return `${number.toLocaleString("en")} ${thing}${number === 1 ? "" : "s"}`;
  }

  function tellAround() {
    around.hidden = view.centre === null;
    if (view.centre === null) return;
    const deepest = Math.max(data.depth, view.depth);
    steps.replaceChildren(...Array.from({length: deepest}, (_, at) => make("option", {value: at + 1, selected: at + 1 === view.depth}, plural(at + 1, "step"))));
    const back = view.centre === data.centre ? null : make("button", {type: "button", onclick: () => lookAround(data.centre)}, data.centre === null ? "Show all" : "Back");
    around.replaceChildren("around ", words(data.nodes[view.centre].name, 24, "b"), " ", steps, " ", ...(back ? [back] : []));
  }

  function lookAround(node) {
    view.centre = node;
    view.depth = data.depth;
    refresh();
    fit(true);
  }

  function pick(what, quiet) {
    Object.assign(picked, what);
    panel.hidden = picked.node === null && picked.arrow === null;
    root.classList.toggle("hb-open", !panel.hidden);
    if (!panel.hidden) fillPanel(!quiet); else if (!quiet) canvas.focus({preventScroll: true});
    snapshot = null;
    reveal();
    redraw();
  }

  // What is picked is moved out from under the panel.
  function reveal() {
    const one = picked.arrow === null ? null : scene.arrows.find((arrow) => arrow.index === picked.arrow);
    const ends = (one ? [one.from, one.to] : [scene.byIndex.get(picked.node)]).filter(Boolean).map(place);
    if (panel.hidden || !ends.length) return;
    const [wide, high] = free();
    const past = most(ends.map(([x]) => x)) + 60 - wide, under = most(ends.map(([, y]) => y)) + 40 - high;
    if (past > 0 || under > 0) d3.select(canvas).call(zoom.translateBy, -Math.max(0, past) / transform.k, -Math.max(0, under) / transform.k);
  }

  function fillPanel(focus) {
    body.replaceChildren(...panelFor(data, view, picked, {pick, around: lookAround, open}).flat(Infinity).filter(Boolean));
    if (focus) { body.scrollTop = 0; body.querySelector("h2").focus({preventScroll: true}); }
  }

  function goTo(nodeId) {
    const index = data.nodes.findIndex((node) => node.id === nodeId);
    if (index < 0) return false;
    go(index);
    return true;
  }

  // To a node, wherever it is: what hides it is taken away, and if nothing is said of it then the panel says so.
  function go(index) {
    view.hidden.delete(kindOf(data.nodes[index]));
    for (const box of bar.querySelectorAll("[data-kind]")) if (Number(box.dataset.kind) === kindOf(data.nodes[index])) box.checked = true;
    if (!shownAt(data, view).nodes.has(index) && view.centre !== null) { view.centre = index; view.depth = data.depth; }
    refresh();
    pick({node: index, arrow: null});
    centre(data.nodes[index], Math.max(transform.k, 0.9));
  }

  // A node in the middle of what the panel leaves free.
  function centre(node, k) {
    const [wide, high] = free();
    zoomTo(d3.zoomIdentity.translate(wide / 2 - node.x * k, high / 2 - node.y * k).scale(k), true);
  }

  function free() {
    if (panel.hidden) return [width, height];
    return panel.offsetWidth < width ? [width - panel.offsetWidth, height] : [width, height - panel.offsetHeight];
  }

  // searching

  let marked = -1;
  input.addEventListener("input", () => { marked = -1; tellFound(); });
  input.addEventListener("focus", tellFound);
  input.addEventListener("blur", () => setTimeout(() => { list.hidden = true; input.setAttribute("aria-expanded", "false"); }, 150));
  input.addEventListener("keydown", (event) => {
    const found = search(data, input.value, 12);
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      marked = Math.max(0, Math.min(found.length - 1, marked + (event.key === "ArrowDown" ? 1 : -1)));
      tellFound();
      event.preventDefault();
    } else if (event.key === "Enter" && found.length) {
      chosen(found[Math.max(0, marked)]);
    } else if (event.key === "Escape") {
      input.value = "";
      tellFound();
      canvas.focus();
    }
  });

  function tellFound() {
    const found = search(data, input.value, 12);
    list.replaceChildren(...found.map((index, at) => make("li", {role: "option", id: `${id}-f${at}`, "aria-selected": String(at === Math.max(0, marked)), onpointerdown: (event) => { event.preventDefault(); chosen(index); }},
      words(data.nodes[index].name, 60), " ", make("span", {class: "hb-soft"}, kindName(data, kindOf(data.nodes[index]))))));
    if (!found.length && input.value.trim()) list.append(make("li", {class: "hb-soft"}, "nothing has this name"));
    list.hidden = !list.children.length;
    input.setAttribute("aria-expanded", String(!list.hidden));
    if (found.length) input.setAttribute("aria-activedescendant", `${id}-f${Math.max(0, marked)}`); else input.removeAttribute("aria-activedescendant");
  }

  function chosen(index) {
    list.hidden = true;
    input.blur();
    go(index);
  }

  // keys

  root.addEventListener("keydown", (event) => {
    const typing = event.target.tagName === "INPUT" && event.target.type !== "range" && event.target.type !== "checkbox";
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/" && !typing) { input.focus(); input.select(); event.preventDefault(); }
    else if (event.key === "Escape" && !typing) pick({node: null, arrow: null});
  });
  const slash = (event) => { if (event.key === "/" && event.target === document.body) { input.focus(); event.preventDefault(); } };
  document.addEventListener("keydown", slash);
  canvas.addEventListener("keydown", (event) => {
    const sides = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
    if (sides[event.key]) { walk(...sides[event.key]); event.preventDefault(); }
    else if (event.key === "Enter" && (picked.node !== null || picked.arrow !== null)) { panel.hidden = true; pick({...picked}); }
    else if (event.key === "+" || event.key === "=") zoomBy(1.4);
    else if (event.key === "-") zoomBy(1 / 1.4);
    else if (event.key === "0") fit(true);
  });

  // To the next node on a side: near, and not far off that direction.
  function walk(dx, dy) {
    const from = scene.byIndex.get(picked.node) || scene.byIndex.get(view.centre);
    const first = !scene.byIndex.has(picked.node);
    let best = first ? from || scene.nodes[scene.nodes.length - 1] : null, least = Infinity;
    for (const node of first ? [] : scene.nodes) {
      const x = node.x - from.x, y = node.y - from.y, along = x * dx + y * dy, across = Math.abs(x * dy) + Math.abs(y * dx);
      if (along > 0 && along + 2 * across < least) { least = along + 2 * across; best = node; }
    }
    if (!best) return;
    pick({node: best.index, arrow: null}, true);
    const [x, y] = place(best);
    if (x < 40 || y < 40 || x > width - 40 || y > height - 40) centre(best, transform.k);
  }

  // pan and zoom

  let width = 300, height = 200;
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  let colours = coloursOf(root);
  const recolour = () => { colours = coloursOf(root); snapshot = null; redraw(); };
  dark.addEventListener("change", recolour);
  const zoom = d3.zoom().scaleExtent([0.02, 6]).on("zoom", (event) => { transform = event.transform; redraw(); });
  d3.select(canvas).call(zoom).on("dblclick.zoom", null);

  function place(node) {
    return [node.x * transform.k + transform.x, node.y * transform.k + transform.y];
  }

  function zoomTo(next, smooth) {
    const selection = d3.select(canvas);
    if (smooth && !calm.matches && scene.arrows.length <= MANY) selection.transition().duration(220).call(zoom.transform, next);
    else selection.call(zoom.transform, next);
  }

  function zoomBy(by) {
    d3.select(canvas).call(zoom.scaleBy, by);
  }

  function fit(smooth) {
    if (!scene.nodes.length) return;
    const xs = scene.nodes.map((node) => node.x), ys = scene.nodes.map((node) => node.y);
    const [x0, x1, y0, y1] = [least(xs), most(xs), least(ys), most(ys)];
    const [wide, high] = free(), beside = key.open && wide > 700 ? key.offsetWidth : 0;
    const k = Math.max(0.02, Math.min(1.6, (wide - beside - Math.min(140, wide / 3)) / (x1 - x0 || 1), (high - 110) / (y1 - y0 || 1)));
    zoomTo(d3.zoomIdentity.translate((beside + wide - k * (x0 + x1)) / 2, (high - k * (y0 + y1)) / 2).scale(k), smooth);
  }

  function least(numbers) { return numbers.reduce((one, other) => Math.min(one, other), Infinity); }
  function most(numbers) { return numbers.reduce((one, other) => Math.max(one, other), -Infinity); }

  let down = null;
  canvas.addEventListener("pointerdown", (event) => { down = [event.clientX, event.clientY]; });
  canvas.addEventListener("click", (event) => {
    if (down && Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 5) return;
    const found = under(event);
    pick({node: null, arrow: null, ...found}, !found);
  });
  canvas.addEventListener("dblclick", (event) => { const found = under(event); if (found && found.node !== undefined) lookAround(found.node); });
  canvas.addEventListener("pointermove", (event) => { if (!event.buttons && scene.arrows.length <= MANY) canvas.classList.toggle("hb-over", Boolean(under(event))); });

  function under(event) {
    const box = canvas.getBoundingClientRect();
    return hit(scene, place, event.clientX - box.left, event.clientY - box.top, event.pointerType === "touch" ? 16 : 7);
  }

  // drawing

  function redraw() {
    if (!frame) frame = requestAnimationFrame(draw);
  }

  function draw() {
    frame = 0;
    if (!scene) return;
    const ratio = window.devicePixelRatio || 1;
    if (snapshot && scene.arrows.length > MANY) {
      moved(ratio);
      clearTimeout(resting);
      resting = setTimeout(() => { snapshot = null; redraw(); }, 120);
      return;
    }
    drawScene(context, scene, {width, height, ratio, transform, colours, picked, centre: view.centre});
    if (!drawn) { drawn = true; performance.mark("hb-drawn"); }
    if (scene.arrows.length > MANY) keep();
  }

  // The finished picture, so that a drag of thousands of arrows moves it and does not draw it.
  function keep() {
    const copy = document.createElement("canvas");
    copy.width = canvas.width;
    copy.height = canvas.height;
    copy.getContext("2d", {alpha: false}).drawImage(canvas, 0, 0);
    snapshot = {copy, transform};
  }

  function moved(ratio) {
    const k = transform.k / snapshot.transform.k;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = colours.ground;
    context.fillRect(0, 0, width, height);
    context.drawImage(snapshot.copy, transform.x - snapshot.transform.x * k, transform.y - snapshot.transform.y * k, width * k, height * k);
  }

  function resize() {
    const box = stage.getBoundingClientRect(), ratio = window.devicePixelRatio || 1;
    const wide = Math.max(50, Math.round(box.width)), high = Math.max(50, Math.round(box.height));
    if (wide === width && high === height && canvas.width === Math.round(wide * ratio)) return;
    [width, height] = [wide, high];
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    snapshot = null;
    redraw();
  }

  const watching = new ResizeObserver(() => { const before = width; resize(); if (before <= 300) fit(false); });
  watching.observe(stage);
  refresh();
  resize();
  fit(false);

  return {
    goTo,
    pick(what) { pick({node: null, arrow: null, ...what}); },
    at(valid, known) { view.valid = valid; view.known = known; view.validText = null; refresh(); },
    shown() {
      return {
        nodes: [...shown.nodes].map((index) => data.nodes[index].id),
        arrows: [...shown.arrows].map(([index, state]) => ({...data.arrows[index], from: data.nodes[data.arrows[index].from].id, to: data.nodes[data.arrows[index].to].id, role: state.role, sure: state.sure})),
      };
    },
    // Where a node, or the middle of an arrow, is on the page: for tests and guided tours.
    where(what) {
      const box = canvas.getBoundingClientRect();
      const one = what.arrow === undefined ? scene.nodes.find((node) => node.node.id === what.node) : scene.arrows.find((arrow) => arrow.index === what.arrow);
      if (!one) return null;
      const [x, y] = what.arrow === undefined ? place(one) : middleOf(curveOf(one, place));
      return [x + box.left, y + box.top];
    },
    fit() { fit(false); },
    zoomBy,
    panBy(x, y) { d3.select(canvas).call(zoom.translateBy, x / transform.k, y / transform.k); },
    destroy() { watching.disconnect(); document.removeEventListener("keydown", slash); dark.removeEventListener("change", recolour); cancelAnimationFrame(frame); clearTimeout(resting); element.replaceChildren(); },
  };
}
