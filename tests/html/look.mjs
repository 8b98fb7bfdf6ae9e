// Each page of a folder in Chromium, in both sizes and both colours: it is shown as it should be,
// can be read with keys alone, runs nothing, asks for nothing, and moves nothing sideways.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const folder = process.argv[2];
const sizes = { wide: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
// What must be there, by page; a page that is missing here fails.
const servers = {
  one: 1, forty: 40, "five-hundred": 500, "all-drifted": 500, green: 40, change: 4, ordinary: 8, hostile: 8, real: 1, rich: 2,
};
// Every element of these is looked at, not the first thousands.
const small = ["one", "forty", "green", "change", "ordinary", "hostile", "real", "rich"];

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });

for (const file of readdirSync(folder).filter((file) => file.endsWith(".html"))) {
  const name = file.replace(/\.html$/, "");
  for (const [size, viewport] of Object.entries(sizes)) {
    for (const colorScheme of ["light", "dark"]) {
      await look(name, pathToFileURL(join(folder, file)).href, { size, viewport, colorScheme });
    }
  }
  console.log(`looked at ${name} (${Math.round(performance.now())} ms)`);
}
await printed("forty");
await stopped("one");
await browser.close();

async function look(name, url, { size, viewport, colorScheme }) {
  const what = `${name}, ${size}, ${colorScheme}`;
  const { page, heard, context } = await open(url, { viewport, colorScheme });
  await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`) });
  const found = await page.evaluate(inPage, { all: small.includes(name) });
  assert.deepEqual(heard, [], what);
  assert.deepEqual(found.strangers, [], `${what}: elements that are not ours`);
  assert.deepEqual(found.links, [], `${what}: links that lead elsewhere`);
  assert.equal(found.rows, servers[name], `${what}: a row for each server`);
  assert.ok(found.styled, `${what}: the style sheet was refused`);
  assert.deepEqual(found.landmarks, [1, 1, 1], `${what}: header, main, footer`);
  assert.deepEqual(found.headless, [], `${what}: cells without a header`);
  assert.deepEqual(found.levels, [], `${what}: a heading level is left out`);
  assert.ok(found.width <= viewport.width, `${what}: ${found.width} wide`);
  assert.deepEqual(found.wide, [], `${what}: wider than the page`);
  assert.deepEqual(found.faint, [], `${what}: contrast below 4.5`);
  await keys(page, what);
  // What is taller no browser draws at once.
  if (small.includes(name) && await page.evaluate(() => document.scrollingElement.scrollHeight < 12000)) {
    await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}-whole.png`), fullPage: true });
  }
  assert.deepEqual(heard, [], what);
  await context.close();
}

/** Opens a page; `heard` is whatever it says, asks for or runs into. */
async function open(url, settings) {
  const context = await browser.newContext(settings);
  const page = await context.newPage();
  const heard = [];
  page.on("console", (message) => heard.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => heard.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => heard.push(`dialog: ${dialog.message()}`) && dialog.dismiss());
  page.on("request", (request) => request.url() !== url && heard.push(`request: ${request.url()}`));
  page.on("popup", (popup) => heard.push(`popup: ${popup.url()}`));
  await page.goto(url, { waitUntil: "load" });
  assert.equal(page.url(), url);
  return { page, heard, context };
}

/** Looks at the page from within; every fold is open when this ends. */
function inPage({ all }) {
  const each = (selector) => [...document.querySelectorAll(selector)];
  const ours = ("html head meta title style body header main footer nav section article div p h1 h2 h3 h4 h5 ul ol li dl dt dd a b "
    + "strong code bdi span del ins details summary table thead tbody tr th td").split(" ");
  const rows = each("#servers tbody tr").length;
  each("details").forEach((one) => { one.open = true; });
  const told = (one) => `${one.localName}.${one.className}: ${one.textContent.trim().slice(0, 60)}`;
  const headings = each("h1, h2, h3, h4, h5").map((one) => Number(one.localName[1]));
  return {
    rows,
    strangers: each("*").filter((one) => !ours.includes(one.localName) || one.namespaceURI !== "http://www.w3.org/1999/xhtml").map(told),
    links: each("[href], [src], [action], [style]").map((one) => one.getAttribute("href") ?? told(one)).filter((to) => !document.querySelector(to)),
    styled: getComputedStyle(document.querySelector(".top")).borderTopStyle === "solid",
    landmarks: ["body > header", "body > main", "body > footer"].map((one) => each(one).length),
    headless: each("table").filter((one) => one.querySelectorAll("thead th[scope=col]").length !== 4
      || [...one.querySelectorAll("tbody tr")].some((row) => !row.querySelector("th[scope=row]"))).map(told),
    levels: headings.filter((level, index) => index > 0 && level > headings[index - 1] + 1),
    width: document.scrollingElement.scrollWidth,
    wide: each(all ? "body *" : "h1, h2, h3, table, article").filter((one) => {
      const box = one.getBoundingClientRect();
      return box.right > innerWidth + 1 && box.width > 0;
    }).map(told).slice(0, 5),
    faint: all ? faint() : [],
  };

  /** Texts that are too little unlike what is behind them (WCAG 2.2, 1.4.3). */
  function faint() {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = new Set();
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (node.data.trim() === "" || !element.checkVisibility()) continue;
      const ratio = contrast(colour(getComputedStyle(element).color), colour(behind(element)));
      if (ratio < 4.5) found.add(`${ratio.toFixed(2)} ${told(element)}`);
    }
    return [...found].slice(0, 5);
  }
  function behind(element) {
    for (let one = element; one; one = one.parentElement) {
      const background = getComputedStyle(one).backgroundColor;
      if (background !== "rgba(0, 0, 0, 0)") return background;
    }
    return "rgb(255, 255, 255)";
  }
  function colour(text) {
    return text.match(/[\d.]+/g).slice(0, 3).map(Number);
  }
  function contrast(one, other) {
    const light = (parts) => {
      const [r, g, b] = parts.map((part) => part / 255).map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const [high, low] = [light(one), light(other)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  }
}

/** With keys alone: the first Tab skips, a later one folds and unfolds. */
async function keys(page, what) {
  await page.keyboard.press("Tab");
  const first = await page.evaluate(() => {
    const { className, innerText } = document.activeElement;
    const box = document.activeElement.getBoundingClientRect();
    return { className, innerText, seen: box.left >= 0 && box.top >= 0, outline: getComputedStyle(document.activeElement).outlineStyle };
  });
  assert.deepEqual([first.className, first.seen, first.outline], ["skip", true, "solid"], `${what}: the skip link`);
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "main", `${what}: it skips`);
  if (await page.evaluate(() => !document.querySelector("main summary"))) return;
  // From what comes before the first fold, one Tab further.
  await page.evaluate(() => {
    const stops = [...document.querySelectorAll("main a, main summary")];
    stops[stops.findIndex((one) => one.localName === "summary") - 1]?.focus();
  });
  await page.keyboard.press("Tab");
  const isOpen = () => page.evaluate(() => document.activeElement.parentElement.open);
  const before = await isOpen();
  assert.equal(typeof before, "boolean", `${what}: no fold is reached by keys`);
  assert.equal(await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle), "solid", `${what}: focus is not seen`);
  await page.keyboard.press("Enter");
  assert.equal(await isOpen(), !before, `${what}: a fold does not move`);
  await page.keyboard.press("Enter");
}

/** On paper everything is unfolded. */
async function printed(name) {
  const { page, context } = await open(pathToFileURL(join(folder, `${name}.html`)).href, { viewport: sizes.wide });
  await page.emulateMedia({ media: "print" });
  // What was folded is laid out with the next frame.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  const hidden = await page.evaluate(() => [...document.querySelectorAll("details table, details .text")]
    .filter((one) => !one.checkVisibility({ contentVisibilityAuto: true }) || one.getBoundingClientRect().height === 0).length);
  assert.equal(hidden, 0, "folds are closed on paper");
  await page.pdf({ path: join(folder, `${name}.pdf`) });
  await context.close();
}

/** What the policy is for: whatever else came into the page would not run, fetch or show. */
async function stopped(name) {
  const { page, context } = await open(pathToFileURL(join(folder, `${name}.html`)).href, { viewport: sizes.wide });
  let asked = 0;
  const server = createServer((request, response) => { asked += 1; response.end(); });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const ran = await page.evaluate(async (port) => {
    const refused = [];
    document.addEventListener("securitypolicyviolation", (event) => refused.push(event.effectiveDirective));
    document.body.insertAdjacentHTML("beforeend", `<img src=http://127.0.0.1:${port}/ onerror="window.ran = 1"><style>body{display:none}</style><p style="color:red">x</p>`);
    const script = document.createElement("script");
    script.textContent = "window.ran = 1";
    document.body.append(script);
    await new Promise((resolve) => setTimeout(resolve, 200));
    return { ran: window.ran ?? 0, refused: refused.sort(), shown: getComputedStyle(document.body).display };
  }, server.address().port);
  assert.deepEqual(ran, { ran: 0, refused: ["img-src", "script-src-attr", "script-src-elem", "style-src-attr", "style-src-elem"], shown: "block" });
  assert.equal(asked, 0, "something was fetched");
  server.close();
  await context.close();
}
