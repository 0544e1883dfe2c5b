"use strict";
(function () {
  // Everything from the run enters the page as text nodes and plain attribute values; nothing is parsed as HTML.
  const root = document.getElementById("browser");
  const PAGE = 100;
  const NEAR = 40; // payload.py holds the words around so many messages of the evidence
  const FILTERS = ["task", "row", "arm", "outcome", "failure"];
  const ARMS = ["system", "oracle", "readback", "readback_pure"];
  const LABELS = ["reading", "write", "retrieval", "use", "unknown"];
  const PICKS = ["", "wrong", "fault", "right"];
  const OUTCOMES = ["right", "partly", "wrong", "abstained", "undecided", "fault", "not available", "unfinished"];
  let data = null;
  let state = {};
  let matches = [];
  let shownCount = PAGE;
  let words = null;
  let byName = null;
  const fills = new WeakMap(); // what an answer shows once it is unfolded

  function load() {
    if (data) return;
    data = JSON.parse(document.getElementById("data").textContent);
    byName = new Map(data.entries.map((entry) => [entry.name, entry]));
  }

  function h(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (key === "onclick" || key === "oninput" || key === "onchange" || key === "ontoggle") made.addEventListener(key.slice(2), value);
      else if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : String(value));
    }
    for (const child of children.flat(3)) {
      if (child === null || child === undefined || child === false) continue;
      made.append(child instanceof Node ? child : document.createTextNode(String(child)));
    }
    return made;
  }

  const whole = (n) => n.toLocaleString("en-US");
  const percent = (v) => (v === undefined || v === null ? "–" : (100 * v).toFixed(1) + " %");
  const kind = (outcome) => outcome.replace(" ", "-");
  const arm = (name) => name.replace("_", " ");

  function raw(number) {
    const text = data.texts[number];
    return typeof text === "string" ? text : text[0];
  }

  function say(number, tag) {
    if (number === undefined || number === null) return null;
    const text = data.texts[number];
    const made = h(tag || "div", { class: "text", dir: "auto" }, typeof text === "string" ? text : text[0]);
    if (typeof text !== "string") made.append(h("span", { class: "note" }, ` … (cut; ${whole(text[1])} characters in all)`));
    return made;
  }

  function inRanges(ranges, number) {
    for (let i = 0; i < (ranges || []).length; i += 2) if (number >= ranges[i] && number <= ranges[i + 1]) return true;
    return false;
  }

  function overlap(first, second) {
    let found = 0;
    for (let i = 0; i < (first || []).length; i += 2)
      for (let j = 0; j < (second || []).length; j += 2)
        found += Math.max(0, Math.min(first[i + 1], second[j + 1]) - Math.max(first[i], second[j]) + 1);
    return found;
  }

  function size(ranges) {
    let sum = 0;
    for (let i = 0; i < (ranges || []).length; i += 2) sum += ranges[i + 1] - ranges[i] + 1;
    return sum;
  }

  function lostAt(entry, cell) {
    if (!cell.failure) return "";
    if (data.floors[entry.task] === cell.row) return "keeps nothing";
    return cell.failure === "unknown" ? "not known where it was lost" : "lost at " + cell.failure;
  }

  function badge(outcome) {
    return h("span", { class: "badge " + kind(outcome) }, h("i", { "aria-hidden": "true" }), outcome);
  }

  // ---- where we are: the part behind # says it all, so that it can be passed on

  function read() {
    const hash = location.hash.slice(1);
    if (!hash.includes("=")) return null;
    const given = new URLSearchParams(hash.replace(/\+/g, "%2B"));
    const found = {};
    for (const name of [...FILTERS, "text", "q"]) if (given.get(name)) found[name] = given.get(name);
    return found;
  }

  function address(wanted) {
    const said = [...FILTERS, "text", "q"].filter((name) => wanted[name]);
    return "#" + (said.map((name) => name + "=" + encodeURIComponent(wanted[name])).join("&") || "task=");
  }

  function go(change) {
    const wanted = address({ ...state, ...change });
    if (location.hash === wanted) follow();
    else location.hash = wanted;
  }

  function follow() {
    const found = read();
    const wasOne = document.body.classList.contains("one-question");
    if (found === null && root.firstChild && !wasOne) return;
    load();
    state = found || { ...state, q: "" };
    shownCount = PAGE;
    find();
    draw();
    document.body.classList.toggle("one-question", Boolean(state.q));
    const target = found !== null ? "questions" : location.hash.slice(1);
    const place = target && document.getElementById(target);
    if (place) place.scrollIntoView({ behavior: "instant" });
  }

  // ---- which questions

  function textOf(entry) {
    const parts = [entry.name, raw2(entry.text), ...(entry.gold || []).map(raw), ...(entry.options || []).map((o) => raw(o[1]))];
    for (const cell of entry.cells) if (cell.answer !== undefined) parts.push(raw(cell.answer));
    for (const [name, value] of Object.entries(entry.labels || {})) parts.push(name + "=" + value);
    return parts.join("\n").toLowerCase();
  }

  function raw2(number) {
    return number === undefined ? "" : raw(number);
  }

  function fits(cell) {
    return (
      (state.row ? cell.row === state.row : !state.outcome || isTested(cell.row)) &&
      (!state.arm || cell.arm === state.arm) &&
      (!state.outcome || cell.outcome === state.outcome) &&
      (!state.failure || cell.failure === state.failure)
    );
  }

  // Of an outcome without a row, those count that are under test: a row that remembers nothing is always wrong.
  function isTested(row) {
    return !data.systems.length || data.systems.includes(row);
  }

  function find() {
    const wanted = (state.text || "").toLowerCase().split(/\s+/).filter(Boolean);
    if (wanted.length && !words) words = data.entries.map(textOf);
    matches = data.entries.filter(
      (entry, place) =>
        (!state.task || entry.task === state.task) &&
        entry.cells.some(fits) &&
        wanted.every((word) => words[place].includes(word))
    );
  }

  // ---- the list

  function choices(name) {
    if (name === "arm") return ARMS.filter((one) => data.entries.some((e) => e.cells.some((c) => c.arm === one)));
    if (name === "outcome") return OUTCOMES;
    if (name === "failure") return LABELS;
    const of = name === "task" ? (e) => [e.task] : (e) => e.cells.map((c) => c.row);
    return [...new Set(data.entries.flatMap(of))];
  }

  function picker(name) {
    const select = h("select", { id: "pick-" + name, onchange: () => go({ [name]: select.value, q: "" }) }, h("option", { value: "" }, "all"),
      choices(name).map((one) => h("option", { value: one, selected: state[name] === one }, name === "arm" ? arm(one) : name === "failure" && one === "unknown" ? "not known" : one)));
    return h("label", {}, { task: "Task", row: "Row", arm: "Arm", outcome: "Outcome", failure: "Lost at" }[name], select);
  }

  function picks() {
    const saying = (one) => h("button", { type: "button", id: "pick-" + (one || "all"), "aria-pressed": (state.outcome || "") === one ? "true" : "false",
      onclick: () => go({ outcome: one, arm: one && "system", q: "" }) }, one || "all");
    return h("div", { class: "picks", role: "group", "aria-label": "Outcome with the memory's own search" }, PICKS.map(saying));
  }

  function searchBox() {
    let timer = 0;
    const field = h("input", { type: "search", id: "search", value: state.text || "", placeholder: "question, answer, gold, label", oninput: () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        state = { ...state, text: field.value, q: "" };
        history.replaceState(null, "", address(state));
        shownCount = PAGE;
        find();
        drawList();
      }, 150);
    } });
    return h("label", {}, "Search", field);
  }

  function striped(entry) {
    return entry.cells.filter((cell) => cell.arm === (state.arm || "system") || (!state.arm && cell.arm === "oracle" && cell.row === "oracle"));
  }

  function stripKey() {
    const rows = [...new Set(matches.slice(0, PAGE).flatMap((entry) => striped(entry).map((cell) => cell.row)))];
    return rows.length ? h("p", { class: "fine" }, "Marks at the right: ", h("bdi", {}, rows.join(", ")), ". Square: right; circle: wrong; arch: abstained; dashed: not available or unfinished.") : null;
  }

  function strip(entry) {
    const seen = striped(entry);
    return h("span", { class: "strip", "aria-hidden": "true" }, seen.slice(0, 60).map((cell) =>
      h("span", { class: "dot " + kind(cell.outcome), title: cell.row + ": " + cell.outcome })));
  }

  function line(entry) {
    const labels = Object.entries(entry.labels || {}).slice(0, 4).map(([name, value]) => name + " " + value).join(" · ");
    return h("li", {}, h("a", { href: address({ ...state, q: entry.name }) },
      h("span", { class: "q", dir: "auto" }, entry.text === undefined ? entry.name : raw(entry.text).slice(0, 400)),
      strip(entry), h("span", { class: "sub" }, h("bdi", {}, [entry.task, labels, entry.purpose === "probe" ? "probe" : ""].filter(Boolean).join(" · ")))));
  }

  function drawList() {
    const place = document.getElementById("matches");
    const any = FILTERS.some((name) => state[name]) || state.text;
    place.replaceChildren(
      h("div", { class: "tally", role: "status" }, h("span", {}, `${whole(matches.length)} of ${whole(data.entries.length)} questions`),
        any && h("a", { href: "#task=" }, "clear filters")),
      stripKey() || "",
      matches.length ? h("ol", { class: "list" }, matches.slice(0, shownCount).map(line)) : h("p", { class: "empty" }, "No question fits these filters."),
      matches.length > shownCount ? h("p", {}, h("button", { type: "button", onclick: () => { shownCount += 4 * PAGE; drawList(); } }, `Show more (${whole(matches.length - shownCount)} left)`)) : "");
  }

  function draw() {
    if (state.q) {
      drawOne();
      return;
    }
    const focused = document.activeElement && root.contains(document.activeElement) ? document.activeElement.id : "";
    root.replaceChildren(picks(), h("div", { class: "filters" }, searchBox(), FILTERS.map(picker)), firstWrong() || "", h("div", { id: "matches" }));
    drawList();
    const place = focused && document.getElementById(focused);
    if (place) place.focus({ preventScroll: true });
  }

  // ---- what is seen before anything is chosen

  function firstWrong() {
    if (!data.entries.length || FILTERS.some((name) => state[name]) || state.text) return null;
    const task = data.entries[0].task;
    const isWrong = (entry, cell) => cell.arm === "system" && cell.outcome === "wrong" && isTested(cell.row) && data.floors[task] !== cell.row;
    const entry = data.entries.find((one) => one.task === task && one.purpose !== "probe" && one.cells.some((cell) => isWrong(one, cell)));
    if (!entry) return null;
    const cell = entry.cells.find((one) => isWrong(entry, one));
    return h("details", { class: "first-wrong", open: true },
      h("summary", {}, "The first wrong answer: ", h("bdi", {}, [task, cell.row].join(", "))),
      h("article", { class: "one" }, asked(entry), about(entry), key(entry), h("section", { class: "cells" }, answer(entry, cell, true)),
        h("p", {}, h("a", { href: address({ ...state, q: entry.name }) }, "all answers to this question"))));
  }

  function asked(entry) {
    return h("h3", { class: "asked text", tabindex: "-1", dir: "auto" }, entry.text === undefined ? entry.name : raw(entry.text));
  }

  // ---- one question

  function drawOne() {
    const entry = byName.get(state.q);
    const back = h("a", { href: address({ ...state, q: "" }) }, "← all questions");
    if (!entry) {
      root.replaceChildren(h("p", { class: "empty" }, "There is no question ", h("code", {}, state.q), " in this run. ", back));
      return;
    }
    const title = asked(entry);
    root.replaceChildren(h("article", { class: "one" }, steer(entry, back), title, about(entry), key(entry), evidence(entry), answers(entry)));
    title.focus({ preventScroll: true });
  }

  function steer(entry, back) {
    const place = matches.indexOf(entry);
    const link = (to, name) => (to ? h("a", { href: address({ ...state, q: to.name }) }, name) : null);
    return h("div", { class: "steer" }, back, h("span", { class: "note" }, place >= 0 ? `${place + 1} of ${matches.length}` : ""),
      link(matches[place - 1], "previous"), place >= 0 && link(matches[place + 1], "next"));
  }

  function about(entry) {
    const said = [entry.task, entry.checkpoint && "checkpoint " + entry.checkpoint, entry.asked_at && "asked at " + entry.asked_at,
      entry.format && "answer: " + entry.format, entry.purpose === "probe" && "probe"].filter(Boolean);
    const options = entry.options && h("ul", { class: "messages" }, entry.options.map(([letter, text]) => h("li", {}, h("b", {}, letter, " "), say(text, "span"))));
    return h("div", {}, h("p", { class: "quiet" }, h("bdi", {}, said.join(" · "))), options,
      entry.cue !== undefined && h("p", { class: "quiet" }, "Search sees only: ", say(entry.cue, "span")));
  }

  function listed(entry, numbers) {
    return (numbers || []).map((number) => {
      const option = (entry.options || []).find(([letter]) => letter === raw(number));
      return h("div", {}, say(number, option ? "span" : "div"), option && [h("span", { class: "who" }, " · "), say(option[1], "span")]);
    });
  }

  function pair(name, ...value) {
    return h("div", {}, h("dt", {}, name), h("dd", {}, value));
  }

  function key(entry) {
    const labels = Object.entries(entry.labels || {}).map(([name, value]) => h("div", {}, h("span", { class: "who" }, name, " "), h("bdi", {}, value)));
    return h("dl", { class: "keybox" },
      pair("Gold", entry.abstain ? h("div", {}, "right only if the system declines") : null, listed(entry, entry.gold),
        (entry.fields || []).map(([name, values]) => h("div", {}, h("span", { class: "who" }, name, ": "), values.map((v) => say(v, "span"))))),
      entry.rejected && pair("Rejected", listed(entry, entry.rejected)),
      labels.length ? pair("Labels", labels) : null,
      pair("Ids", h("div", { class: "who" }, entry.id || entry.name), entry.original && h("div", { class: "who" }, entry.original)));
  }

  function message(number, marked) {
    const one = data.messages[number];
    if (!one) return null;
    return h("li", { class: marked && "evidence" }, h("div", { class: "who" }, h("bdi", {}, [one.s, one.c && "#" + one.c, one.w].filter(Boolean).join(" · ")), " ", h("code", {}, one.i), marked && " · evidence"), say(one.t));
  }

  function evidence(entry) {
    const many = size(entry.evidence);
    const oracle = entry.oracle !== undefined && h("div", {}, h("h4", {}, "What the oracle shows"), say(entry.oracle));
    if (!many) return h("div", {}, oracle, !oracle && h("p", { class: "quiet" }, "No message is named as evidence."));
    const title = `The history around the evidence (${whole(many)} message${many > 1 ? "s" : ""}${many > NEAR ? `; around the first ${NEAR}` : ""})`;
    return h("section", {}, oracle, h("details", { class: "around", open: many <= 4 }, h("summary", {}, title), excerpt(entry.evidence, data.histories[entry.history])));
  }

  function excerpt(ranges, place) {
    const list = h("ol", { class: "messages" });
    let last = place ? place.a - 1 : -1;
    const gap = (n) => n > 0 && list.append(h("li", { class: "gap" }, `… ${whole(n)} message${n > 1 ? "s" : ""} …`));
    const wanted = [];
    for (let i = 0; i < ranges.length; i += 2)
      for (let n = ranges[i] - 2; n <= ranges[i + 1] + 2 && wanted.length < 400; n++)
        if (data.messages[n] && place && n >= place.a && n < place.a + place.n) wanted.push(n);
    for (const n of [...new Set(wanted)].sort((a, b) => a - b)) {
      gap(n - last - 1);
      list.append(message(n, inRanges(ranges, n)));
      last = n;
    }
    if (place) gap(place.a + place.n - 1 - last);
    return list;
  }

  function answers(entry) {
    const cells = entry.cells;
    const wanted = cells.filter(fits);
    const open = wanted.length === 1 || (state.row && wanted.length) ? wanted[0] : null;
    return h("section", { class: "cells" }, h("h4", {}, "Answers"), cells.map((cell) => answer(entry, cell, cell === open)));
  }

  function answer(entry, cell, open) {
    const short = cell.answer === undefined ? raw2(cell.why) : raw(cell.answer).slice(0, 300) || "(empty)";
    const inside = h("div", { class: "inside" });
    const fill = () => { if (!inside.firstChild) inside.append(...cellParts(entry, cell).flat(3).filter(Boolean)); };
    const made = h("details", { open: open, ontoggle: () => made.open && fill() }, h("summary", {},
      h("span", { class: "rowname" }, h("bdi", {}, cell.row)), h("span", { class: "who" }, arm(cell.arm), repeat("run", cell.replicate), repeat("answer", cell.again), repeat("verdict", cell.weighed)),
      h("span", {}, badge(cell.outcome), cell.failure && h("span", { class: "note" }, " ", lostAt(entry, cell))), h("span", { class: "short", dir: "auto" }, short)), inside);
    fills.set(made, fill);
    if (open) fill();
    return made;
  }

  function repeat(stage, place) {
    return place ? ` · ${stage} ${place + 1}` : "";
  }

  function cellParts(entry, cell) {
    return [
      cell.answer !== undefined && [h("h5", {}, "Answer"), say(cell.answer)],
      [h("h5", {}, "Outcome"), h("p", { class: "quiet" }, badge(cell.outcome), cell.value !== undefined ? ` · value ${percent(cell.value)}` : "",
        cell.failure ? ` · ${lostAt(entry, cell)}` : "", cell.cause ? ` · ${cell.stage}: ${cell.cause}` : ""), say(cell.why)],
      measures("Parts", cell.parts),
      measures(cell.judge ? "Verdict of " + cell.judge : "Verdict", cell.verdict),
      found(entry, cell),
      prompt(entry, cell),
    ];
  }

  function measures(title, parts) {
    if (!parts) return null;
    return [h("h5", {}, title), h("table", {}, h("tbody", {}, parts.map(([name, value, why]) =>
      h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "num" }, percent(value)), h("td", {}, say(why, "span"))))))];
  }

  function found(entry, cell) {
    if (cell.recall === undefined) return [h("h5", {}, "Found"), h("p", { class: "quiet" }, "Nothing is recorded.")];
    const recall = data.recalls[cell.recall];
    const many = size(entry.evidence);
    const title = cell.arm === "oracle" ? "Shown" : cell.arm === "system" ? "Found" : "Stored of the evidence";
    const facts = [`${whole(recall.n || 0)} item${recall.n === 1 ? "" : "s"}, ${recall.o === "time" ? "in time order" : "best first"}`,
      many && cell.met !== undefined && `${whole(cell.met)} of ${whole(many)} evidence messages among them`,
      cell.tokens !== undefined && `${whole(cell.tokens)} tokens of context`, cell.cut && "cut to fit", cell.state && "state: " + arm(cell.state)].filter(Boolean).join(" · ");
    return [h("h5", {}, title), h("p", { class: "quiet" }, facts), recall.d !== undefined && [h("p", { class: "who" }, "In the system's own words:"), say(recall.d)], itemList(entry, cell, recall)];
  }

  function itemList(entry, cell, recall) {
    const first = recall.a || 0;
    const rows = (recall.i || []).map((number, place) => [first + place, number, recall.s && recall.s[place]]);
    for (const [place, number] of cell.beyond || []) rows.push([place, number, null]);
    rows.sort((a, b) => a[0] - b[0]);
    const list = h("ol", { class: "items" });
    let next = 0;
    for (const [place, number, score] of rows) {
      if (place > next) list.append(h("li", { class: "who" }, `… ${whole(place - next)} more …`));
      list.append(item(entry, cell, recall, place, data.items[number], score));
      next = place + 1;
    }
    if ((recall.n || 0) > next) list.append(h("li", { class: "who" }, `… ${whole(recall.n - next)} more …`));
    return list;
  }

  function isRead(cell, recall, place) {
    if (cell.whole === undefined) return true;
    return recall.o === "time" ? place >= (recall.n || 0) - cell.whole : place < cell.whole;
  }

  function item(entry, cell, recall, place, one, score) {
    const hit = overlap(one.k, entry.evidence) > 0;
    const read = isRead(cell, recall, place);
    const covered = size(one.k);
    const from = (one.i || []).join(", ") + (one.m ? ` and ${whole(one.m)} more` : "");
    const head = [`${place + 1}.`, score !== null && score !== undefined && `score ${score}`, one.s, one.c && "#" + one.c, one.w,
      hit && "holds evidence", !read && "not read whole: beyond the budget"].filter(Boolean).join(" · ");
    return h("li", { class: (hit ? "evidence " : "") + (read ? "" : "unread") }, h("div", { class: "who" }, h("bdi", {}, head)), say(one.t),
      h("div", { class: "who" }, from ? ["from ", h("code", {}, from)] : "source not told", covered > 1 || (covered && !one.r) ? ` · covers ${whole(covered)} message${covered > 1 ? "s" : ""} of the history` : ""),
      !one.r && covered ? sources(entry, one) : null);
  }

  function sources(entry, one) {
    const numbers = [];
    for (let i = 0; i < one.k.length; i += 2) for (let n = one.k[i]; n <= one.k[i + 1] && numbers.length < 12; n++) if (data.messages[n]) numbers.push(n);
    if (!numbers.length) return null;
    return h("details", {}, h("summary", {}, "the messages it covers"), h("ol", { class: "messages" }, numbers.map((n) => message(n, inRanges(entry.evidence, n)))));
  }

  function prompt(entry, cell) {
    if (!cell.prompt) return null;
    const template = Object.hasOwn(data.prompts, cell.prompt) ? data.prompts[cell.prompt] : undefined;
    if (template === undefined) return [h("h5", {}, "Prompt"), h("p", { class: "quiet" }, "template ", h("code", {}, cell.prompt), " is not in the run's folder")];
    const values = { question: raw2(entry.text), options: (entry.options || []).map(([l, t]) => `${l}. ${raw(t)}`).join("\n") };
    for (const [name, number] of Object.entries(entry.variables || {})) values[name] = raw(number);
    const body = h("div", { class: "code text", dir: "auto" });
    template.split(/(\$\{?[A-Za-z_]\w*\}?)/).forEach((piece, place) => {
      const name = piece.replace(/[${}]/g, "");
      if (place % 2 === 0) body.append(piece);
      else if (name === "context") body.append(h("mark", {}, `[the ${cell.tokens === undefined ? "" : whole(cell.tokens) + " tokens of "}context above${cell.cut ? ", cut to fit" : ""}]`));
      else body.append(Object.hasOwn(values, name) ? h("b", {}, values[name]) : piece);
    });
    return h("details", {}, h("summary", {}, "Prompt ", h("code", {}, cell.prompt)), body);
  }

  // ---- keys

  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && typing) { event.target.blur(); return; }
    if (typing) return;
    if (event.key === "/") { event.preventDefault(); search(); return; }
    if (event.key === "Escape") closeMenu(true);
    if (!data) return;
    if (event.key === "Escape" && state.q) go({ q: "" });
    if (event.key === "j" || event.key === "k") move(event.key === "j" ? 1 : -1);
  });

  function search() {
    if (!data) follow();
    if (state.q) go({ q: "" });
    setTimeout(() => { const field = document.getElementById("search"); if (field) { field.focus(); field.select(); } }, 50);
  }

  function closeMenu(back) {
    const menu = document.querySelector(".menu[open]");
    if (!menu) return;
    menu.open = false;
    if (back) menu.querySelector("summary").focus();
  }

  function move(by) {
    if (state.q) {
      const to = matches[matches.indexOf(byName.get(state.q)) + by];
      if (to) go({ q: to.name });
      return;
    }
    const links = [...document.querySelectorAll("#matches .list a")];
    const to = links[Math.max(0, links.indexOf(document.activeElement) + by)];
    if (to) to.focus();
  }

  window.addEventListener("hashchange", follow);
  document.addEventListener("click", (event) => { if (!event.target.closest(".menu summary")) closeMenu(false); });
  window.addEventListener("beforeprint", () => {
    for (const one of root.querySelectorAll(".cells > details")) { fills.get(one)(); one.open = true; }
  });
  if (read() !== null) follow();
  else if ("IntersectionObserver" in window) {
    const watch = new IntersectionObserver((seen) => { if (seen.some((one) => one.isIntersecting)) { watch.disconnect(); follow(); } }, { rootMargin: "600px" });
    watch.observe(root);
  } else follow();
})();
