(() => {
  "use strict";
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const root = document.body.dataset.root;

  // Tells what is under the pointer in a picture.
  const pictures = document.querySelector(".pictures");
  if (pictures) {
    const ids = pictures.dataset.ids.split(" "), columns = +pictures.dataset.columns, said = document.getElementById("cell");
    const words = all(".legend .cell").map(cell => cell.parentElement.textContent.trim().replace(/^\S+\s+/, ""));
    const tell = (svg, at) => {
      if (at < 0 || at >= ids.length) return;
      svg.dataset.at = at;
      said.textContent = `${ids[at]} ${words[svg.dataset.letters.charCodeAt(at) - 97]}: ${svg.dataset.about}`;
      svg.querySelector("title").textContent = said.textContent;
    };
    const under = (svg, event) => {
      const box = svg.getBoundingClientRect(), side = box.width / columns;
      return Math.floor((event.clientY - box.top) / side) * columns + Math.min(columns - 1, Math.floor((event.clientX - box.left) / side));
    };
    const open = svg => { if (svg.dataset.at) location.href = `${root}requirement/${ids[svg.dataset.at]}.html`; };
    for (const svg of all(".picture")) {
      svg.addEventListener("pointermove", event => tell(svg, under(svg, event)));
      svg.addEventListener("click", event => { tell(svg, under(svg, event)); open(svg); });
      svg.addEventListener("keydown", event => {
        const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key];
        if (event.key === "Enter") open(svg);
        if (!step) return;
        event.preventDefault();
        tell(svg, svg.dataset.at === undefined ? 0 : +svg.dataset.at + step);
      });
    }
    for (const hint of all(".scripted")) hint.hidden = false;
  }

  // What the page says against what the transcript gives, read from what a reader sees.
  const unlike = (claim, got) => {
    const problems = [];
    const differs = (node, what, says, gives) => {
      node.classList.add("forged");
      problems.push(`${what}: the page says ${says || "nothing"}, the transcript gives ${gives ?? "nothing"}`);
    };
    for (const node of all("[data-field]", claim)) {
      const says = node.textContent.trim(), gives = got.fields[node.dataset.field];
      if (says !== gives) differs(node, node.dataset.field, says, gives);
    }
    const seen = new Set();
    for (const cell of all("a.cell[data-id]", claim)) {
      const says = cell.querySelector(".says").textContent.trim(), mark = cell.querySelector("[aria-hidden]").textContent, gives = got.cells[cell.dataset.id];
      seen.add(cell.dataset.id);
      if (says !== gives || mark !== got.marks[gives]) differs(cell, cell.dataset.id, `${says} ${mark}`, gives);
    }
    const missing = Object.keys(got.cells).filter(id => !seen.has(id));
    if (seen.size > 1 && missing.length) problems.push(`the page has no cell for ${missing.join(", ")}`);
    const first = all("a.cell[data-id]", claim);
    const beside = first.length === 1 && claim.querySelector("h3 > b.is");
    if (beside && beside.textContent.trim() !== got.cells[first[0].dataset.id]) differs(beside, first[0].dataset.id, beside.textContent.trim(), got.cells[first[0].dataset.id]);
    return problems;
  };

  const show = (claim, word, tone, text, problems = []) => {
    const outcome = claim.querySelector(".outcome");
    outcome.className = `outcome ${tone}`;
    outcome.dataset.outcome = word;
    const head = document.createElement("p"), strong = document.createElement("b"), list = document.createElement("ul");
    strong.textContent = word;
    head.append(strong, " " + text);
    for (const problem of problems.slice(0, 20)) list.append(Object.assign(document.createElement("li"), { textContent: problem }));
    outcome.replaceChildren(head, ...(problems.length ? [list] : []));
  };

  const judge = (claim, got) => {
    if (got.broken) return show(claim, "NOT RECOMPUTED", "open", `The program could not judge this: ${got.broken}`);
    if (got.other) return show(claim, "NOT RECOMPUTED", "open", "The program is of another version than the submission, so nothing is said about it.", [got.other]);
    const problems = [...(got.problems ?? []), ...(got.fields ? unlike(claim, got) : [])];
    if (problems.length) {
      claim.classList.remove("pass", "open", "warn", "none");
      claim.classList.add("fail");
      return show(claim, "FORGED", "fail", "What is claimed here is not what the transcript gives.", problems);
    }
    show(claim, "EQUAL", "pass", `The verdict that was recomputed here equals the claim: ${got.fields.verdict}. Signature: ${got.signature}.`);
  };

  if (!document.body.dataset.judge || !globalThis.Worker || !globalThis.WebAssembly || !globalThis.DecompressionStream) return;
  for (const claim of all(".claim")) {
    const button = claim.querySelector(".recompute");
    button.hidden = false;
    button.addEventListener("click", () => {
      button.disabled = true;
      show(claim, "RECOMPUTING", "none", "This takes some seconds, and more on a slow machine.");
      const worker = new Worker(root + "worker.js");
      const end = got => { worker.terminate(); button.disabled = false; judge(claim, got); };
      worker.onmessage = ({ data }) => end(data);
      worker.onerror = event => end({ broken: event.message || "the worker did not start" });
      fetch(root + "keys.json").then(r => r.ok ? r.json() : []).then(keys => worker.postMessage({
        run: new URL(claim.dataset.run, location.href).href, packed: claim.dataset.packed, sealed: claim.dataset.sealed === "true", keys,
      })).catch(error => end({ broken: error.message }));
    });
  }
})();
