"use strict";
// Show the game in the page's data step by step. The data says what each step changes (render/page.py explains the names).
const G = JSON.parse(document.getElementById("data").textContent);
const $ = id => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const LAST = G.steps.length - 1;
let now = 0, isTinted = true, timer = null, chosen = null, hovered = null;

$("board").querySelector("defs").innerHTML =
  $("defs").textContent.replace(/~(\w+) (-?\d+) (-?\d+);/g, '<use href="#bs-$1" x="$2" y="$3"/>');

// Search statistics by step; they are packed, and there a moment later than the rest.
let searches = null;
async function unpack() {
  const text = $("packed").textContent;
  if (!text) return;
  $("search-box").hidden = false;
  try {
    const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
    searches = JSON.parse(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text());
    search();
  } catch (error) { $("search").textContent = "This browser cannot unpack the search statistics."; }
}

// -- what is known after each step

// Replay the steps up to k: pieces on the board, what feature a segment belongs to, what features are worth.
function after(k) {
  const pieces = new Set(), root = new Map(), worth = new Map(), hands = {}, left = {...G.left};
  for (let i = 0; i <= k; i++) {
    const s = G.steps[i];
    for (const p of s["-"] || []) pieces.delete(p);
    for (const p of s["+"] || []) pieces.add(p);
    const u = s.u || [];
    for (let j = 0; j < u.length; j += 2) root.set(u[j + 1], u[j]);
    for (const [r, ...w] of s.f || []) worth.set(r, w);
    Object.assign(hands, s.r);
    Object.assign(left, s.l);
  }
  const find = n => { while (root.has(n)) n = root.get(n); return n; };
  const n = G.steps[k].n, features = new Map();
  for (let t = 0; t < n; t++) {
    const [sheet, x, y, base] = G.tiles[t];
    G.sheets[sheet][1].forEach(([kind], i) => {
      const r = find(base + i);
      if (!features.has(r)) features.set(r, {kind, members: [], cells: new Set(), figures: [], worth: worth.get(r) || [0, 0, 0]});
      const f = features.get(r);
      f.members.push([t, i]);
      f.cells.add(x + "," + y);
    });
  }
  for (const p of pieces) {
    const [, , owner, kind, segment] = G.pieces[p];
    if (kind !== undefined && segment >= 0) features.get(find(segment))?.figures.push([owner, kind]);
  }
  return {pieces, features, find, hands, left, n};
}

function majority(f) {
  const counts = {};
  for (const [owner] of f.figures) counts[owner] = (counts[owner] || 0) + 1;
  const most = Math.max(0, ...Object.values(counts));
  return Object.keys(counts).filter(o => counts[o] === most).map(Number);
}

// -- the board

const groups = {rim: [], ground: [], above: [], hits: []};
function build() {
  let rim = "", ground = "", above = "", hits = "";
  for (const [sheet, x, y, base] of G.tiles) {
    const [id, areas] = G.sheets[sheet], at = `x="${100 * x}" y="${100 * y}"`;
    rim += `<rect ${at} width="100" height="100"/>`;
    ground += `<use href="#${id}g" ${at}/>`;
    above += `<use href="#${id}a" ${at}/>`;
    const order = areas.map((a, i) => [a, i]).sort(([a], [b]) => a[2] - b[2] || a[0] - b[0]);
    hits += `<g transform="translate(${100 * x} ${100 * y})">` + order.map(([a, i]) =>
      `<path d="${a[1]}" data-s="${base + i}"${a[2] ? ' class="line"' : ""}/>`).join("") + "</g>";
  }
  $("rim").innerHTML = rim; $("ground").innerHTML = ground; $("above").innerHTML = above; $("hits").innerHTML = hits;
  for (const name in groups) groups[name] = [...$(name).children];
}

let known = null;
function show(k) {
  now = Math.max(0, Math.min(LAST, k));
  known = after(now);
  for (const name in groups) groups[name].forEach((g, i) => { g.style.display = i < known.n ? "" : "none"; });
  $("pieces").innerHTML = [...known.pieces].map(p => G.pieces[p]).sort((a, b) => a[0] - b[0]).map(p => p[1]).join("");
  tint();
  mark();
  panels();
  $("step").value = now;
  $("count").textContent = `${now} / ${LAST}`;
  if (hovered !== null) light(hovered);
}

function tint() {
  let below = "", over = "";
  if (isTinted) for (const f of known.features.values()) {
    const best = majority(f);
    if (best.length) f.members.forEach(([t, i], n) => {
      const [sheet, x, y] = G.tiles[t], [, path, isLine] = G.sheets[sheet][1][i], c = G.colours[best[n % best.length]][0];
      const use = `<path d="${path}" transform="translate(${100 * x} ${100 * y})" `;
      if (isLine) over += use + `fill="none" stroke="${c}" stroke-width="4.6" stroke-opacity=".6"/>`;
      else if (G.kinds[f.kind] === "field") below += use + `fill="${c}" fill-opacity=".25"/>`;
      else over += use + `fill="${c}" fill-opacity=".3"/>`;
    });
  }
  $("below").innerHTML = below; $("over").innerHTML = over;
}

function mark() {
  let text = "";
  const s = G.steps[now], cells = new Set();
  for (const [, , , scored] of s.e || []) for (const [x, y] of scored) cells.add(x + "," + y);
  for (const cell of cells) {
    const [x, y] = cell.split(",").map(Number);
    text += `<rect x="${100 * x + 3}" y="${100 * y + 3}" width="94" height="94" rx="6" fill="#fff" fill-opacity=".3"/>`;
  }
  const frame = (x, y, dashes) => [["#3b2f26", 5.5, "none"], ["#ffd84d", 3, dashes]].map(([colour, width, dash]) =>
    `<rect x="${100 * x + 1.5}" y="${100 * y + 1.5}" width="97" height="97" rx="4" fill="none" ` +
    `stroke="${colour}" stroke-width="${width}" stroke-dasharray="${dash}"/>`).join("");
  const [, x, y] = G.tiles[known.n - 1], cell = /(-?\d+),(-?\d+)/.exec(s.m || "");
  if (known.n > 1) text += frame(x, y, "none");
  if (cell && (+cell[1] !== x || +cell[2] !== y)) text += frame(+cell[1], +cell[2], "9 5"); // a move elsewhere
  $("marks").innerHTML = text;
}

// -- zoom and pan: the view is the board's viewBox

const board = $("board");
let view = null;
// Show all tiles of a step; at first of the last one, so that stepping does not move the board.
function fit(k) {
  const tiles = G.tiles.slice(0, G.steps[k].n), xs = tiles.map(t => t[1]), ys = tiles.map(t => t[2]);
  const x = 100 * Math.min(...xs) - 15, y = 100 * Math.min(...ys) - 15;
  setView([x, y, 100 * Math.max(...xs) + 115 - x, 100 * Math.max(...ys) + 115 - y]);
}
function setView(v) { view = v; board.setAttribute("viewBox", v.map(n => +n.toFixed(2)).join(" ")); }
function zoom(factor, at) {
  const [x, y, w, h] = view, p = at || {x: x + w / 2, y: y + h / 2};
  const size = Math.max(w, h) / factor;
  if (size < 80 || size > 40000) return;
  setView([p.x - (p.x - x) / factor, p.y - (p.y - y) / factor, w / factor, h / factor]);
}
function point(e) { return new DOMPoint(e.clientX, e.clientY).matrixTransform(board.getScreenCTM().inverse()); }

const fingers = new Map();
let isMoved = false;
board.addEventListener("wheel", e => { e.preventDefault(); zoom(Math.exp(-e.deltaY * (e.deltaMode ? .05 : .0015)), point(e)); }, {passive: false});
board.addEventListener("pointerdown", e => { fingers.set(e.pointerId, e); isMoved = false; });
board.addEventListener("pointermove", e => {
  const before = fingers.get(e.pointerId);
  if (!before) { light(segmentOf(e.target)); return; }
  if (!isMoved && Math.hypot(e.clientX - before.clientX, e.clientY - before.clientY) < 5) return;
  if (!isMoved) { isMoved = true; board.setPointerCapture(e.pointerId); board.classList.add("dragged"); }
  const [a, b] = [point(before), point(e)];
  if (fingers.size === 2) {
    const other = [...fingers.values()].find(f => f.pointerId !== e.pointerId), o = point(other);
    zoom(Math.hypot(b.x - o.x, b.y - o.y) / Math.max(1, Math.hypot(a.x - o.x, a.y - o.y)), o);
  } else setView([view[0] - (b.x - a.x), view[1] - (b.y - a.y), view[2], view[3]]);
  fingers.set(e.pointerId, e);
});
for (const name of ["pointerup", "pointercancel"]) board.addEventListener(name, e => {
  if (name === "pointerup" && fingers.has(e.pointerId) && !isMoved) light(segmentOf(e.target));
  fingers.delete(e.pointerId);
  board.classList.remove("dragged");
});
board.addEventListener("pointerleave", e => { if (e.pointerType === "mouse") light(null); });

// -- a feature under the pointer

function segmentOf(target) { return target.dataset && target.dataset.s !== undefined ? +target.dataset.s : null; }
function light(segment) {
  for (const path of document.querySelectorAll("#hits .on")) path.classList.remove("on");
  hovered = segment;
  const f = segment === null ? null : known.features.get(known.find(segment));
  if (!f) { hovered = null; $("feature").textContent = ""; return; }
  for (const [t, i] of f.members) document.querySelector(`#hits [data-s="${G.tiles[t][3] + i}"]`).classList.add("on");
  const [closed, points, open] = f.worth, kind = G.kinds[f.kind], best = majority(f);
  const parts = [`${closed ? "closed " : ""}${kind}`, count(f.cells.size, "tile"), `worth ${points}`];
  if (!closed && kind !== "field") parts.push(kind === "monastery" || kind === "garden" ? `${count(open, "empty neighbour")}` : count(open, "open edge"));
  parts.push(best.length ? `${best.map(name).join(" and ")}${best.length > 1 ? " share it" : " owns it"}` : "nobody there");
  if (f.figures.length > 1) parts.push(count(f.figures.length, "figure"));
  $("feature").textContent = parts.join(" · ");
}
function count(n, what) { return `${n} ${what}${n === 1 ? "" : "s"}`; }
function name(seat) { return `${G.players[seat]} (${seat})`; }

// -- the panels

function element(tag, className, text) {
  const e = document.createElement(tag);
  if (className) e.className = className;
  if (text !== undefined) e.textContent = text;
  return e;
}
function badge(seat) {
  const e = element("span", "badge", seat);
  e.style.background = G.colours[seat][0]; e.style.color = G.colours[seat][1];
  return e;
}
function things(counts) { return Object.entries(counts).map(([kind, n]) => count(n, kind)); }

function panels() {
  const s = G.steps[now], gains = {};
  for (const [player, points] of s.e || []) gains[player] = (gains[player] || 0) + points;
  $("players").replaceChildren(...G.players.map((who, seat) => {
    const row = element("div", "player" + (s.p === seat ? " now" : "")), [figures, floors, held] = known.hands["p" + seat];
    const score = element("span", "score", s.s[seat]);
    score.dataset.seat = seat;
    const right = element("span");
    right.append(score);
    if (gains[seat]) right.append(element("span", "gain", (gains[seat] > 0 ? "+" : "−") + Math.abs(gains[seat])));
    const hand = things(figures);
    for (const [colour, n] of Object.entries(floors)) if (n || colour === "normal") hand.push(count(n, colour === "normal" ? "floor" : `${colour} floor`));
    for (const [kind, owner, n] of held) hand.push(`holds ${count(n, kind)} of ${owner}`);
    row.append(badge(seat), element("span", "name", who), right, element("span", "hand", hand.join(" · ")));
    return row;
  }));
  const shared = [`${count(known.hands.left, "tile")} left`];
  for (const kind of ["floor", "bridge", "castle", "barn"]) if (`${kind}s` in known.hands) shared.push(count(known.hands[`${kind}s`], kind));
  if (known.hands.stolen) shared.push(`stolen: ${known.hands.stolen}`);
  $("shared").textContent = shared.join(" · ");
  $("hand").replaceChildren();
  if (s.d !== undefined) $("hand").append(picture(s.d), `${G.ids[s.d]} in hand`);
  const move = [];
  if (s.m === undefined) move.push("Before the first move.");
  else move.push(`Turn ${s.t}, ${name(s.p)}: ${s.m}.`);
  const sources = {};
  for (const [player, points, source] of s.e || []) { const key = `${player} ${source}`; sources[key] = (sources[key] || 0) + points; }
  for (const key in sources) { const [player, source] = key.split(" "); move.push(`${sources[key] > 0 ? "+" : "−"}${Math.abs(sources[key])} ${source} for ${name(+player)}.`); }
  if (now === LAST) move.push("The end of the record.");
  $("move").textContent = move.join(" ");
  for (const b of $("moves").querySelectorAll("[aria-current]")) b.removeAttribute("aria-current");
  const button = $("moves").children[now - 1]?.firstChild;
  if (button) {
    button.setAttribute("aria-current", "step");
    const list = $("moves"), top = button.offsetTop;
    if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - 40) list.scrollTop = top - list.clientHeight / 2;
  } else $("moves").scrollTop = 0;
  for (const figure of $("left").children) {
    const n = known.left[figure.dataset.tile];
    figure.classList.toggle("none", n === 0);
    figure.lastChild.textContent = n;
  }
  search();
  const cursor = $("cursor");
  if (cursor) cursor.setAttribute("x1", chartX(now)), cursor.setAttribute("x2", chartX(now));
}

// Search statistics may have any form: plain values become rows, lists of objects a table.
function search() {
  if (!searches) return;
  const q = searches[now];
  $("search").replaceChildren();
  if (!q) { $("search").textContent = "No search for this move."; return; }
  const plain = element("table");
  for (const [key, value] of Object.entries(q)) {
    if (Array.isArray(value) && value.length && typeof value[0] === "object" && value[0] !== null) {
      const keys = Object.keys(value[0]), head = element("tr"), t = element("table");
      t.append(element("caption", "", key));
      keys.forEach(k => head.append(element("th", "", k)));
      t.append(head);
      for (const entry of value) { const tr = element("tr"); keys.forEach(k => tr.append(element("td", "", brief(entry[k])))); t.append(tr); }
      $("search").append(t);
    } else { const tr = element("tr"); tr.append(element("th", "", key), element("td", "", brief(value))); plain.append(tr); }
  }
  $("search").prepend(plain);
}
function brief(value) {
  if (typeof value === "number" && !Number.isInteger(value)) return value.toPrecision(4);
  if (Array.isArray(value)) return value.map(brief).join(", ");
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

function picture(tile) {
  const svg = document.createElementNS(SVG, "svg"), id = G.sheets[G.shown[tile]][0];
  svg.setAttribute("viewBox", "0 0 100 100");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", G.ids[tile]);
  svg.innerHTML = `<use href="#${id}g"/><use href="#${id}a"/>`;
  return svg;
}

function lists() {
  $("moves").replaceChildren(...G.steps.slice(1).map((s, i) => {
    const li = element("li"), b = element("button"), gain = (s.e || []).reduce((sum, e) => sum + (e[1] > 0 ? e[1] : 0), 0);
    b.type = "button"; b.dataset.step = i + 1;
    b.append(element("span", "n", i + 1), badge(s.p), element("span", "", s.m), element("span", "gain", gain ? `+${gain}` : ""));
    li.append(b);
    return li;
  }));
  $("moves").addEventListener("click", e => { const b = e.target.closest("button"); if (b) { stop(); show(+b.dataset.step); } });
  $("left").replaceChildren(...Object.keys(G.left).filter(t => G.left[t]).map(t => {
    const figure = element("figure");
    figure.dataset.tile = t; figure.title = G.ids[t];
    figure.append(picture(t), element("figcaption"));
    return figure;
  }));
  const [made, rules, seed] = G.game;
  $("facts").textContent = `${rules}${seed === null ? "" : `, seed ${seed}`} · ${made}`;
}

// -- the chart

const DASHES = ["", "9 4", "2 4", "12 4 2 4", "6 3", "14 3"];
let top_ = 1;
function chartX(k) { return 44 + 530 * k / Math.max(1, LAST); }
function chartY(points) { return 190 - 175 * points / top_; }
function chart() {
  top_ = Math.max(10, ...G.steps.flatMap(s => s.s));
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find(n => top_ / n <= 5) || 5000;
  let text = "";
  for (let n = 0; n <= top_; n += step) text += `<path d="M44 ${chartY(n)}H574" stroke="var(--line)"/><text x="38" y="${chartY(n) + 5}" text-anchor="end">${n}</text>`;
  text += '<text x="309" y="214" text-anchor="middle">step</text>';
  G.players.forEach((_, seat) => {
    let d = "", before = null;
    G.steps.forEach((s, k) => { if (s.s[seat] !== before || k === LAST) { d += (d ? `H${chartX(k).toFixed(1)}V` : `M${chartX(k).toFixed(1)} `) + chartY(s.s[seat]).toFixed(1); before = s.s[seat]; } });
    text += `<path d="${d}" fill="none" stroke="var(--ink)" stroke-width="4" stroke-opacity=".5"/>` +
      `<path d="${d}" fill="none" stroke="${G.colours[seat][0]}" stroke-width="2.8" stroke-dasharray="${DASHES[seat]}"/>`;
  });
  let y = 215; // the players' numbers at the end, from below, none over another
  const order = G.players.map((_, seat) => seat).sort((a, b) => G.steps[LAST].s[a] - G.steps[LAST].s[b]);
  for (const seat of order) {
    y = Math.min(chartY(G.steps[LAST].s[seat]) + 5, y - 14);
    text += `<text x="579" y="${y.toFixed(1)}">${seat}</text>`;
  }
  text += `<line id="cursor" y1="10" y2="192" stroke="var(--accent)" stroke-width="2"/>`;
  $("chart").innerHTML = text;
  $("chart").addEventListener("click", e => {
    const p = new DOMPoint(e.clientX, e.clientY).matrixTransform($("chart").getScreenCTM().inverse());
    stop(); show(Math.round((p.x - 44) / 530 * LAST));
  });
}

// -- stepping

function stop() {
  if (timer) clearInterval(timer);
  timer = null;
  playing("Play", "M6 3l10 7-10 7z");
}
function playing(label, path) {
  $("play").setAttribute("aria-label", label);
  $("play").querySelector("path").setAttribute("d", path);
}
function play() {
  if (timer) { stop(); return; }
  if (now === LAST) show(0);
  timer = setInterval(() => { show(now + 1); if (now === LAST) stop(); }, 1000 / +$("speed").value);
  playing("Pause", "M6 4v12M14 4v12");
}
function turn(way) {
  let k = now + way;
  while (k > 0 && k < LAST && G.steps[k + 1].t === G.steps[k].t) k += way;
  return k;
}
const moves = {ArrowRight: () => show(now + 1), ArrowLeft: () => show(now - 1), Home: () => show(0), End: () => show(LAST),
  PageDown: () => show(turn(1)), PageUp: () => show(turn(-1))};
const others = {"+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(.8), "0": () => fit(now), o: owners};
function owners() { isTinted = !isTinted; $("tinted").setAttribute("aria-pressed", isTinted); tint(); }
document.addEventListener("keydown", e => {
  if (e.ctrlKey || e.altKey || e.metaKey || e.target.tagName === "SELECT") return;
  if (e.key === " " && e.target.tagName !== "BUTTON") { e.preventDefault(); play(); }
  else if (moves[e.key]) { e.preventDefault(); stop(); moves[e.key](); }
  else if (others[e.key]) others[e.key]();
});
$("step").max = LAST;
$("step").addEventListener("input", () => { stop(); show(+$("step").value); });
$("first").onclick = () => { stop(); show(0); };
$("back").onclick = () => { stop(); show(now - 1); };
$("next").onclick = () => { stop(); show(now + 1); };
$("last").onclick = () => { stop(); show(LAST); };
$("play").onclick = play;
$("speed").onchange = () => { if (timer) { stop(); play(); } };
$("in").onclick = () => zoom(1.25);
$("out").onclick = () => zoom(.8);
$("fit").onclick = () => fit(now);
$("tinted").onclick = owners;

build(); lists(); chart(); unpack();
const wanted = /^#(\d+)$/.exec(location.hash); // page.html#40 opens at step 40
show(wanted ? +wanted[1] : LAST);
fit(LAST);
