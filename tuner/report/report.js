// What the page can do beyond being read: tables that sort and copy, filters of the plot, and what a mark of it
// tells to a pointer, a finger or the keyboard. Nothing is loaded, and texts only ever become text nodes.
"use strict";
(() => {
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
  const make = (name, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };

  // --- Tables ---------------------------------------------------------------------------------------------

  // Rows by one column: by their numbers where it has any, else as texts; cells without a number come last.
  function sortRows(table, column, descending) {
    const body = table.tBodies[0];
    const rows = Array.from(body.rows);
    const numeric = rows.some((row) => row.cells[column].dataset.key !== undefined);
    const key = (row) => {
      const cell = row.cells[column];
      if (!numeric) return cell.textContent;
      return cell.dataset.key === undefined ? null : Number(cell.dataset.key);
    };
    const sign = descending ? -1 : 1;
    rows.sort((a, b) => {
      const x = key(a), y = key(b);
      if (x === null || y === null) return (x === null) - (y === null);
      return sign * (numeric ? x - y : x.localeCompare(y, "en", { numeric: true }));
    });
    body.append(...rows);
  }

  function makeSortable(table) {
    const heads = Array.from(table.tHead.rows[0].cells);
    heads.forEach((head, column) => {
      if (head.textContent === "") head.setAttribute("aria-label", "kind");
      const button = make("button", { type: "button", title: "Sort by this column" });
      button.append(head.textContent || "kind");
      head.replaceChildren(button);
      head.setAttribute("aria-sort", "none");
      button.addEventListener("click", () => {
        const descending = head.getAttribute("aria-sort") === "ascending";
        heads.forEach((other) => other.setAttribute("aria-sort", "none"));
        head.setAttribute("aria-sort", descending ? "descending" : "ascending");
        sortRows(table, column, descending);
      });
    });
  }

  // What is shown of the table, cells parted by tabs.
  function tabbed(table) {
    const text = (cell) => cell.textContent.trim().replace(/\s+/g, " ");
    return Array.from(table.rows)
      .filter((row) => !row.classList.contains("out"))
      .map((row) => Array.from(row.cells, text).join("\t"))
      .join("\n") + "\n";
  }

  async function copyText(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Without permission, or in a browser without the interface.
      const area = make("textarea", { value: text });
      document.body.append(area);
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      return done;
    }
  }

  function makeCopyable(frame) {
    const button = make("button", { type: "button", className: "copy" }, "Copy table");
    frame.append(button);
    button.addEventListener("click", async () => {
      const done = await copyText(tabbed(frame.querySelector("table")));
      button.textContent = done ? "Copied" : "Could not be copied";
      setTimeout(() => { button.textContent = "Copy table"; }, 2000);
    });
  }

  // --- The plot -------------------------------------------------------------------------------------------

  // Where a mark was drawn, in the drawing's own coordinates.
  function placeOf(mark) {
    const shape = mark.querySelector("circle, path");
    if (shape.localName === "circle") return { x: Number(shape.getAttribute("cx")), y: Number(shape.getAttribute("cy")) };
    const [x, y] = shape.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
    return { x, y };
  }

  const kinds = {
    winner: "winner", naive: "naive variant", default: "default variant", measured: "measured variant",
    excluded: "excluded, at the most that its bound allows", kernel: "kernel",
  };

  // "a=1,b=2" may be long: a line may break behind a comma.
  const breakable = (text) => text.replace(/,(?=\S)/g, ", ");

  // What is known of a mark: pairs of a name and a text.
  function factsOf(data) {
    return [
      ["Performance", data.rate], ["95 % interval", data.interval], ["Of attainable", data.share],
      ["Binding ceiling", data.binding], ["Intensity", data.at],
      ["Variant", data.note && breakable(data.note)],
    ].filter(([, value]) => value !== undefined);
  }

  function fillTip(tip, data) {
    const list = make("dl");
    for (const [name, value] of factsOf(data)) list.append(make("dt", {}, name), make("dd", {}, value));
    tip.replaceChildren(make("strong", {}, breakable(data.name)), kinds[data.kind], list);
  }

  function makeReadable(stage) {
    const tip = stage.querySelector(".tip");
    const drawings = all("svg", stage);
    // Only the first drawing carries the facts; the others have the same marks in the same order.
    const facts = all(".mark", drawings[0]).map((mark) => mark.dataset);

    const refresh = drawings.map((drawing) => {
      const marks = all(".mark", drawing);
      const places = marks.map(placeOf);
      const ring = document.createElementNS(drawing.namespaceURI, "circle");
      ring.setAttribute("class", "ring");
      ring.setAttribute("r", 11);
      ring.setAttribute("visibility", "hidden");
      drawing.append(ring);
      const shown = (i) => !marks[i].classList.contains("out");
      const orderBy = (key) => marks.map((_, i) => i).sort((a, b) => key(places[a]) - key(places[b]) || a - b);
      const rightwards = orderBy((place) => place.x), upwards = orderBy((place) => -place.y);

      function hide() {
        tip.hidden = true;
        ring.setAttribute("visibility", "hidden");
      }

      function show(i) {
        ring.setAttribute("cx", places[i].x);
        ring.setAttribute("cy", places[i].y);
        ring.setAttribute("visibility", "visible");
        fillTip(tip, facts[i]);
        tip.hidden = false;
        // Beside the mark, on the side that has more room, within the stage.
        const matrix = drawing.getScreenCTM(), frame = stage.getBoundingClientRect();
        const x = places[i].x * matrix.a + matrix.e - frame.left, y = places[i].y * matrix.d + matrix.f - frame.top;
        const left = x > frame.width / 2 ? x - tip.offsetWidth - 16 : x + 16;
        tip.style.left = `${Math.max(0, Math.min(left, frame.width - tip.offsetWidth))}px`;
        tip.style.top = `${Math.max(0, y > tip.offsetHeight + 20 ? y - tip.offsetHeight - 14 : y + 18)}px`;
      }

      function nearest(event) {
        const matrix = drawing.getScreenCTM();
        const x = (event.clientX - matrix.e) / matrix.a, y = (event.clientY - matrix.f) / matrix.d;
        let best = -1, least = 22 / matrix.a;
        places.forEach((place, i) => {
          if (!shown(i)) return;
          const small = facts[i].kind === "measured" || facts[i].kind === "excluded";
          const distance = Math.hypot(place.x - x, place.y - y) - (small ? 0 : 6);
          if (distance < least) [best, least] = [i, distance];
        });
        return best;
      }

      // One stop of the Tab key for the whole plot; the arrow keys walk within it.
      let current = -1;
      function choose(i) {
        if (current >= 0) marks[current].removeAttribute("tabindex");
        current = i;
        if (i < 0) return;
        marks[i].setAttribute("tabindex", "0");
        marks[i].setAttribute("role", "img");
        const told = factsOf(facts[i]).map(([name, value]) => `${name}: ${value}`);
        marks[i].setAttribute("aria-label", `${kinds[facts[i].kind]}: ${facts[i].name}. ${told.join(". ")}`);
      }

      function walk(order, step) {
        const visible = order.filter(shown);
        const at = visible.indexOf(current) + step;
        if (at >= 0 && at < visible.length) choose(visible[at]);
      }

      drawing.addEventListener("keydown", (event) => {
        const moves = {
          ArrowRight: () => walk(rightwards, 1), ArrowLeft: () => walk(rightwards, -1),
          ArrowUp: () => walk(upwards, 1), ArrowDown: () => walk(upwards, -1),
          Home: () => choose(rightwards.find(shown) ?? -1), End: () => choose(rightwards.findLast(shown) ?? -1),
          Escape: hide,
        };
        if (!moves[event.key] || current < 0) return;
        event.preventDefault();
        moves[event.key]();
        if (event.key !== "Escape") marks[current].focus({ preventScroll: true });
      });
      drawing.addEventListener("focusin", () => show(current));
      drawing.addEventListener("focusout", hide);
      const point = (event) => {
        const i = nearest(event);
        if (i >= 0) show(i); else if (!drawing.contains(document.activeElement)) hide();
      };
      drawing.addEventListener("pointermove", point);
      drawing.addEventListener("click", point);
      drawing.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") hide(); });

      return () => {
        hide();
        if (current >= 0 && shown(current)) return;
        const winner = marks.findIndex((_, i) => shown(i) && facts[i].kind === "winner");
        choose(winner >= 0 ? winner : marks.findIndex((_, i) => shown(i)));
      };
    });
    return () => refresh.forEach((one) => one());
  }

  function makeFilterable(figure, afterwards) {
    const form = figure.querySelector(".filters"), boxes = all("input", form);
    const tagged = all("[data-series], [data-type]").filter((element) => !form.contains(element));
    const marks = all(".mark", figure.querySelector("svg"));
    function apply() {
      const wanted = ["series", "type", "kind"].map((name) => {
        const group = boxes.filter((box) => name in box.dataset);
        return [name, group.length > 0 && new Set(group.filter((box) => box.checked).map((box) => box.dataset[name]))];
      });
      // A line may be of several element types: it stays while one of them does.
      const isOut = (data) => wanted.some(([name, set]) =>
        set && data[name] && !data[name].split(" ").some((value) => set.has(value)));
      tagged.forEach((element) => element.classList.toggle("out", isOut(element.dataset)));
      const left = marks.filter((mark) => !mark.classList.contains("out")).length;
      form.querySelector("output").textContent = `${left} of ${marks.length} points shown`;
      afterwards();
    }
    form.addEventListener("change", apply);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.hidden = boxes.length === 0;
    apply();
  }

  // --- Folding --------------------------------------------------------------------------------------------

  function openTarget() {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    if (!target) return;
    const inside = target.querySelector("details.chapter");
    if (inside) inside.open = true;
    for (let at = target.closest("details"); at; at = at.parentElement.closest("details")) at.open = true;
    target.scrollIntoView();
  }

  // Paper cannot be unfolded.
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = all("details:not([open])");
    folded.forEach((details) => { details.open = true; });
  });
  addEventListener("afterprint", () => folded.forEach((details) => { details.open = false; }));

  all(".table").forEach((frame) => {
    makeSortable(frame.querySelector("table"));
    makeCopyable(frame);
  });
  all("figure.plot").forEach((figure) => {
    makeFilterable(figure, makeReadable(figure.querySelector(".stage")));
    figure.querySelector(".hint").hidden = false;
  });
  all("details.chapter").forEach((details) => { details.open = false; });
  addEventListener("hashchange", openTarget);
  openTarget();
})();
