(() => {
  "use strict";
  const byID = id => document.getElementById(id);
  const form = byID("filter"), shown = byID("shown");
  const fields = { text: byID("text"), verdict: byID("verdict"), area: byID("area") };
  const cells = [...document.querySelectorAll("a.cell")];
  const groups = [...document.querySelectorAll(".group")];
  const rows = [...document.querySelectorAll("article")].map(node => ({
    node, findings: [...node.querySelectorAll(".finding")].map(node => ({ node })), head: { node: node.querySelector(".head") },
  }));

  // The words of a part are read when somebody first looks for some, and kept.
  const has = (part, words) => {
    part.words ??= part.node.textContent.toLowerCase();
    return words.every(word => part.words.includes(word));
  };

  const apply = () => {
    const words = fields.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    const verdict = fields.verdict.value, area = fields.area.value;
    const wanted = data => (!verdict || data.verdict === verdict) && (!area || data.area === area);
    const visible = new Set();
    for (const row of rows) {
      let show = wanted(row.node.dataset);
      if (show && words.length) {
        const all = has(row.head, words);
        show = all;
        for (const finding of row.findings) {
          const match = all || has(finding, words);
          finding.node.hidden = !match;
          show ||= match;
        }
      } else {
        for (const finding of row.findings) finding.node.hidden = false;
      }
      row.node.hidden = !show;
      if (show) visible.add(row.node.id);
    }
    for (const group of groups) group.hidden = !group.querySelector("article:not([hidden])");
    for (const cell of cells) cell.classList.toggle("off", !visible.has(cell.hash.slice(1)));
    shown.value = `${visible.size} of ${rows.length} requirements`;
    remember();
  };

  // The address keeps the filter, so that a view can be sent to somebody.
  const remember = () => {
    const query = new URLSearchParams();
    for (const [name, field] of Object.entries(fields)) if (field.value) query.set(name, field.value);
    const text = query.toString();
    try { history.replaceState(null, "", location.pathname + (text && "?" + text) + location.hash); } catch { /* a page without an address */ }
  };

  // A link to a requirement shows it, whatever the filter hides.
  const reveal = () => {
    const target = byID(decodeURIComponent(location.hash.slice(1)));
    if (target?.hidden) {
      form.reset();
      apply();
      target.scrollIntoView();
    }
  };

  let waiting = 0;
  form.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(apply, 120); });
  form.addEventListener("submit", event => event.preventDefault());
  addEventListener("hashchange", reveal);
  const query = new URLSearchParams(location.search);
  for (const [name, field] of Object.entries(fields)) field.value = query.get(name) ?? "";
  form.hidden = false;
  if (location.search) apply();
  reveal();
})();
