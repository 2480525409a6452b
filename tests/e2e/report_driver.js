// Does with a report of two results what a reader would do, and writes a line for each thing that it checks:
// "ok …" or "FAIL …". Put into a copy of the page by report_page_test.cpp.
"use strict";
(async () => {
  const lines = [];
  const check = (name, ok, found = "") => lines.push(`${ok ? "ok" : "FAIL"} ${name}${ok ? "" : ` (found: ${found})`}`);
  const one = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
  const shown = (element) => element.getClientRects().length > 0;
  try {
    const svg = all(".stage svg").find(shown);
    const tip = one(".tip");
    const marks = () => all(".mark", svg).filter(shown);
    const winner = (series) => all(`.mark[data-series="${series}"][data-kind="winner"]`, svg)[0];
    const box = (name, value) => one(`.filters input[data-${name}="${value}"]`);

    // --- Layout
    check("the page is no wider than the window", document.documentElement.scrollWidth <= innerWidth,
      `${document.documentElement.scrollWidth} > ${innerWidth}`);
    check("one drawing is shown", all(".stage svg").filter(shown).length === 1);
    check("the title stays a text", one("h1").textContent.includes("<script>") && !window.planted);

    // --- Filters
    check("filters are shown", shown(one(".filters")));
    check("crowds of several problems are off at first", marks().every((m) => m.dataset.kind !== "measured"));
    const before = marks().length;
    box("kind", "measured").click();
    check("measured variants can be added", marks().length > before + 100, marks().length);
    check("the count is told", /^\d+ of \d+ points shown$/.test(one("output").textContent), one("output").textContent);
    box("series", "1").click();
    check("a kernel is filtered", marks().every((m) => m.dataset.series === "0") && marks().length > 0);
    check("its row of the table as well", !shown(one('tr[data-series="1"]')) && shown(one('tr[data-series="0"]')));
    check("and its chapter", !shown(one("#result-2")) && shown(one("#result-1")));
    box("series", "1").click();
    box("type", "f64").click();
    check("a precision is filtered", marks().every((m) => m.dataset.type === "f32") && marks().length > 0);
    check("and its roofs", all('svg g[data-type="f64"]', one(".stage")).every((g) => !shown(g)));
    box("type", "f64").click();
    box("kind", "measured").click();
    check("everything is back", marks().length === before, marks().length);

    // --- Pointer
    const point = (mark, dx = 0, dy = 0) => {
      const at = mark.getBoundingClientRect();
      svg.dispatchEvent(new PointerEvent("pointermove", { bubbles: true, pointerType: "mouse",
        clientX: at.left + at.width / 2 + dx, clientY: at.top + at.height / 2 + dy }));
    };
    check("nothing is told at first", tip.hidden);
    point(winner(0));
    check("a mark under the pointer tells its variant", shown(tip) && tip.textContent.includes("SELL-16-512"), tip.textContent);
    for (const [what, text] of [["its share of attainable", "of 7.20 Gflop/s, its own bound"],
      ["its binding ceiling", "DRAM reads"], ["its interval", "6.53 Gflop/s to 6.68 Gflop/s"]])
      check(what, tip.textContent.includes(text), tip.textContent);
    const frame = tip.getBoundingClientRect();
    check("within the window", frame.left >= -1 && frame.right <= innerWidth + 1, `${frame.left} ${frame.right}`);
    point(winner(0), 4, 3);
    check("a near miss is enough", shown(tip) && tip.textContent.includes("SELL-16-512"));
    svg.dispatchEvent(new PointerEvent("pointerleave", { pointerType: "mouse" }));
    check("leaving hides it", tip.hidden);
    box("kind", "winner").click();
    point(winner(0));
    check("what is filtered tells nothing", tip.hidden || !tip.textContent.includes("SELL-16-512 with"), tip.textContent);
    svg.dispatchEvent(new PointerEvent("pointerleave", { pointerType: "mouse" }));
    box("kind", "winner").click();

    // --- Keyboard
    const stops = all('.mark[tabindex="0"]', svg);
    check("the plot is one stop of Tab", stops.length === 1 && shown(stops[0]), stops.length);
    const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    stops[0].focus();
    check("focus tells as well", document.activeElement === stops[0] && shown(tip), document.activeElement.outerHTML.slice(0, 80));
    check("to those who do not see it too", (stops[0].getAttribute("aria-label") || "").includes("Binding ceiling: "));
    const walked = new Set([document.activeElement]);
    press("Home");
    for (let i = 0; i < 40; ++i) { walked.add(document.activeElement); press("ArrowRight"); }
    check("arrow keys reach every mark", marks().every((m) => walked.has(m)), `${walked.size} of ${marks().length}`);
    check("still one stop", all('.mark[tabindex="0"]', svg).length === 1);
    press("Escape");
    check("Escape hides it", tip.hidden);
    document.activeElement.blur();

    // --- Tables
    const table = one("#summary table");
    const heads = all("th", table);
    const column = (i) => all("tbody tr", table).map((row) => row.cells[i].textContent);
    one("button", heads[2]).click();
    check("ascending by numbers", heads[2].getAttribute("aria-sort") === "ascending" && column(2).join() !== "", column(2).join());
    const up = column(0).join("|");
    one("button", heads[2]).click();
    check("descending at the second press", heads[2].getAttribute("aria-sort") === "descending");
    check("the order is turned", column(0).join("|") === up.split("|").reverse().join("|"), column(0).join("|"));
    one("button", heads[0]).click();
    check("one column at a time", heads[2].getAttribute("aria-sort") === "none");
    const classes = one("#result-1 [id^=certificate] table");
    one("#result-1 > details").open = true;
    one("button", all("th", classes)[1]).click();
    const counts = all("tbody tr", classes).map((row) => Number(row.cells[1].dataset.key));
    check("numbers sort as numbers", counts.every((n, i) => i === 0 || counts[i - 1] <= n), counts.join());
    let copied = "";
    Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText: async (text) => { copied = text; } } });
    const copy = one("#summary .copy");
    copy.click();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const rows = copied.split("\n");
    check("a table is copied as tab-separated text", rows[0].startsWith("problem\twinner\t") && rows.length === 4, copied);
    check("and says so", copy.textContent === "Copied", copy.textContent);
    Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText: async () => { throw new Error("denied"); } } });
    copy.click();
    await new Promise((resolve) => setTimeout(resolve, 50));
    check("a refused clipboard is no error", /^(Copied|Could not be copied)$/.test(copy.textContent), copy.textContent);

    // --- Folds and paper
    location.hash = "#result-2";
    await new Promise((resolve) => setTimeout(resolve, 50));
    check("a link opens what it leads to", one("#result-2 > details").open);
    const closed = all("details:not([open])").length;
    dispatchEvent(new Event("beforeprint"));
    check("everything is unfolded for paper", closed > 0 && all("details:not([open])").length === 0);
    dispatchEvent(new Event("afterprint"));
    check("and folded again", all("details:not([open])").length === closed);
  } catch (error) {
    lines.push(`FAIL the driver stopped: ${error.stack}`);
  }
  for (const message of window.pageErrors) lines.push(`FAIL error on the page: ${message}`);
  const verdict = document.createElement("pre");
  verdict.id = "verdict";
  verdict.textContent = lines.join("\n");
  document.body.append(verdict);
})();
