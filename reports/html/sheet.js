(() => {
  "use strict";
  const byID = id => document.getElementById(id);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];

  // The words of a part are read when somebody first looks for some, and kept. Parts of a line are
  // kept apart, so that no word is found that stands nowhere.
  const read = new WeakMap();
  const textNodes = node => {
    const found = [], walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) found.push(walker.currentNode);
    return found;
  };
  const wordsOf = node => {
    if (!read.has(node)) read.set(node, textNodes(node).map(text => text.data).join("\n").toLowerCase());
    return read.get(node);
  };
  const has = (node, words) => words.every(word => wordsOf(node).includes(word));

  // A link opens what it leads to, whatever is folded around it.
  const unfold = target => {
    for (let at = target; at; at = at.parentElement) if (at.localName === "details") at.open = true;
    const own = target.querySelector(":scope > details");
    if (own) own.open = true;
  };

  const form = byID("filter");
  const fields = form && { text: byID("text"), verdict: byID("verdict"), area: byID("area") };
  const rows = all("[data-verdict]:not(.cell)").map(node => ({ node, findings: all(".finding", node) }));
  const also = all(".also");
  const opened = new Set(); // folded parts that the search opened, and closes again

  const open = details => {
    if (details.open) return;
    details.open = true;
    opened.add(details);
  };

  // Opens the folded parts of a row that hold words which stand nowhere in sight.
  const expose = (row, words) => {
    const summary = row.node.querySelector("summary");
    if (!summary || has(summary, words)) return;
    for (const details of all("details", row.node)) {
      const label = details.querySelector("summary");
      if (words.some(word => wordsOf(details).includes(word) && !wordsOf(label).includes(word))) open(details);
    }
  };

  const choose = words => {
    const verdict = fields.verdict.value, area = fields.area.value;
    const visible = new Set(), left = {};
    for (const row of rows) {
      const { node, findings } = row, data = node.dataset;
      let show = (!verdict || data.verdict === verdict) && (!area || data.area === area) && has(node, words);
      node.hidden = !show;
      if (!show) continue;
      visible.add(node.id);
      left[data.verdict] = (left[data.verdict] ?? 0) + 1;
      // A search leaves the findings in which it finds all words, if there are such.
      const matches = words.length ? findings.filter(finding => has(finding, words)) : findings;
      for (const finding of findings) finding.hidden = matches.length > 0 && !matches.includes(finding);
      if (words.length) expose(row, words);
    }
    return { visible, left };
  };

  const apply = () => {
    const words = fields.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const details of opened) details.open = false;
    opened.clear();
    const { visible, left } = choose(words);
    const filtered = visible.size < rows.length;
    for (const count of all("[data-count]")) {
      const of = count.dataset.all ??= count.textContent;
      count.textContent = filtered ? `${left[count.dataset.count] ?? 0} of ${of}` : of;
    }
    for (const group of all(".group")) {
      group.hidden = !group.querySelector("[data-verdict]:not([hidden])");
      if (filtered && words.length && group.localName === "details" && !group.hidden) open(group);
    }
    for (const cell of all("a.cell")) cell.classList.toggle("off", !visible.has(cell.hash.slice(1)));
    for (const node of also) {
      node.hidden = !has(node, words);
      if (words.length && !node.hidden && node.closest("details")) open(node.closest("details"));
    }
    for (const section of all("section")) {
      const parts = all(".also, [data-verdict]:not(.cell)", section);
      if (parts.length) section.hidden = parts.every(part => part.hidden);
    }
    byID("shown").value = `${visible.size} of ${rows.length} ${form.dataset.things ?? "requirements"}`;
    mark(words);
    remember();
  };

  // Marks the words that were looked for, without a change to the page.
  const mark = words => {
    if (!globalThis.Highlight || !CSS.highlights) return;
    CSS.highlights.delete("found");
    if (!words.length) return;
    const ranges = [], enough = 2000;
    for (const part of [...rows.map(row => row.node), ...also]) {
      if (part.hidden) continue;
      for (const text of textNodes(part)) {
        const data = text.data.toLowerCase();
        if (data.length !== text.data.length) continue; // the places would not be the same
        for (const word of words) {
          for (let at = data.indexOf(word); at >= 0 && ranges.length < enough; at = data.indexOf(word, at + word.length)) {
            const range = new Range();
            range.setStart(text, at);
            range.setEnd(text, at + word.length);
            ranges.push(range);
          }
        }
      }
      if (ranges.length >= enough) break;
    }
    CSS.highlights.set("found", new Highlight(...ranges));
  };

  // The address keeps the filter, so that a view can be sent to somebody.
  const remember = () => {
    const query = new URLSearchParams();
    for (const [name, field] of Object.entries(fields)) if (field.value) query.set(name, field.value);
    const text = query.toString();
    try { history.replaceState(null, "", location.pathname + (text && "?" + text) + location.hash); } catch { /* a page without an address */ }
  };

  const reveal = () => {
    const target = byID(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (form && target.closest("[hidden]")) {
      form.reset();
    }
    unfold(target);
    target.scrollIntoView();
  };

  addEventListener("hashchange", reveal);
  if (form) {
    let waiting = 0;
    form.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(apply, 120); });
    form.addEventListener("reset", () => {
      for (const field of Object.values(fields)) field.value = "";
      apply();
    });
    form.addEventListener("submit", event => event.preventDefault());
    const query = new URLSearchParams(location.search);
    for (const [name, field] of Object.entries(fields)) field.value = query.get(name) ?? "";
    form.hidden = false;
    if (location.search) apply();
  }
  reveal();
})();
