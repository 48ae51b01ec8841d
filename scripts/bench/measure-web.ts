import { join } from "node:path";
import type { Page } from "playwright-core";
import { findChromium, openBrowser, type TestBrowser } from "../../test/e2e/browser.ts";
import { type Figure, type Measure, median } from "./figures.ts";
import { type Program, using } from "./processes.ts";
import { prepareSite } from "./site.ts";

const ROUNDS = 20;
const WIDGET_KB_MAX = 30;

/**
 * Measures the size of the browser code, and how soon people can use it: in Chromium, where it is installed.
 */
export async function measureWeb(program: Program, directory: string): Promise<Measure> {
  const data = join(directory, "web");
  const key = await prepareSite(program, data);
  return using(program.serve(data), async ({ url }) => {
    const browser = findChromium() === undefined ? undefined : await openBrowser();
    try {
      const timed = browser === undefined ? [] : await measureTimes(browser, url, key);
      return {
        title: "In the browser",
        how: `What is sent, compressed, and what happens in ${browser === undefined ? "no browser, as none was found" : `Chromium, on this machine, ${ROUNDS} times with an empty cache`}. What the widget costs a page is the page's time to DOMContentLoaded with the widget minus the median without it. The widget counts as open when its field has the focus and the next frame is drawn.`,
        figures: [...(await measureSizes(url)), ...timed],
      };
    } finally {
      await browser?.close();
    }
  });
}

async function measureSizes(url: string): Promise<Figure[]> {
  const page = await (await fetch(`${url}/`)).text();
  const [script = ""] = /[^"]*\/assets\/dashboard-\w+\.js/.exec(page) ?? [];
  const [style = ""] = /[^"]*\/assets\/dashboard-\w+\.css/.exec(page) ?? [];
  return [
    { ...size("The widget", await packedKb(`${url}/widget.js`)), aim: { below: WIDGET_KB_MAX } },
    size("The dashboard's script", await packedKb(new URL(script, url).href)),
    size("The dashboard's styles", await packedKb(new URL(style, url).href)),
  ];
}

const size = (name: string, kb: number): Figure => ({ name: `${name}, packed`, unit: "KB", values: [kb] });

async function packedKb(url: string): Promise<number> {
  // Otherwise Bun would decompress it.
  const response = await fetch(url, { headers: { "accept-encoding": "gzip" }, decompress: false });
  if (response.headers.get("content-encoding") !== "gzip") throw new Error(`${url} was not sent packed`);
  return (await response.arrayBuffer()).byteLength / 1000;
}

async function measureTimes(browser: TestBrowser, url: string, key: string): Promise<Figure[]> {
  const tag = `<script src="${url}/widget.js" data-domain="bench" data-key="${key}" defer></script>`;
  const site = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) =>
      new Response(documentWith(new URL(request.url).pathname === "/with" ? tag : ""), {
        headers: { "content-type": "text/html; charset=utf-8" },
      }),
  });
  try {
    const times = {
      without: [] as number[],
      with: [] as number[],
      open: [] as number[],
      signIn: [] as number[],
    };
    for (let round = 0; round < ROUNDS; round++) {
      await onPage(browser, `${site.url}without`, async (page) => times.without.push(await loadedMs(page)));
      await onPage(browser, `${site.url}with`, async (page) => {
        times.with.push(await loadedMs(page));
        times.open.push(await page.evaluate(openMs));
      });
      await onPage(browser, `${url}/sign-in`, async (page) => {
        await page.locator("input").first().waitFor();
        times.signIn.push(await page.evaluate(() => performance.now()));
      });
    }
    const plain = median(times.without);
    return [
      { name: "What the widget costs a page", unit: "ms", values: times.with.map((each) => each - plain) },
      { name: "The widget opens", unit: "ms", values: times.open },
      { name: "The dashboard can be used, from the click on a link to it", unit: "ms", values: times.signIn },
    ];
  } finally {
    await site.stop(true);
  }
}

async function onPage<T>(browser: TestBrowser, url: string, work: (page: Page) => Promise<T>): Promise<T> {
  // A browser that is not signed in logs these errors.
  const visit = await browser.visit({ expectErrors: /401|404/ });
  try {
    await visit.page.goto(url);
    return await work(visit.page);
  } finally {
    await visit.end();
  }
}

const loadedMs = (page: Page) =>
  page.evaluate(() => {
    const [navigation] = performance.getEntriesByType("navigation");
    return navigation instanceof PerformanceNavigationTiming
      ? navigation.domContentLoadedEventEnd
      : Number.NaN;
  });

/** Runs in the page. */
function openMs(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const { Docent } = window as unknown as { Docent: { open(): void } };
  const since = performance.now();
  const look = () => {
    const isOpen = document.activeElement !== null && document.activeElement !== document.body;
    requestAnimationFrame(isOpen ? () => resolve(performance.now() - since) : look);
  };
  Docent.open();
  look();
  return promise;
}

const documentWith = (tag: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title><link rel="icon" href="data:,">${tag}</head><body><h1>A page</h1><p>Of docs.</p></body></html>`;
