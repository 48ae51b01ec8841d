import { describe, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { answered, ask, focused, openWidget } from "./widget-page.ts";
import { WORDS, widgetVisits } from "./widget-visits.ts";

// What browsers, tabs and frames do by themselves, around a widget that is used.

const QUESTION = "How do I install Acme?";
const here = widgetVisits({ reducedMotion: true });
const { visit } = here;

test("by keyboard, an answer that comes can be stopped: the focus stays where it was moved to", async () => {
  here.site.ollama.replyWith({ text: WORDS, tokenMs: 300 });
  const { page } = await visit();
  await openWidget(page);
  await ask(page, "How do I install Acme on Linux?");
  await page.locator(".markdown", { hasText: "You can" }).waitFor();
  await page.keyboard.press("Tab");
  await page.locator(".markdown", { hasText: "with one" }).waitFor();
  expect(await focused(page)).toBe("button send stop");
  await page.keyboard.press("Enter");
  await page.locator(".status", { hasText: "Stopped." }).waitFor();
  expect(await focused(page)).toBe("textarea");
});

describe("a page in a sandbox, which has no origin of its own", () => {
  test("has the whole widget, and asks what its address asks", async () => {
    here.site.serve({ headers: { "content-security-policy": "sandbox allow-scripts" } });
    const { page, requests } = await visit({}, `/guide/install?assistant=${encodeURIComponent(QUESTION)}`);
    await answered(page);
    await page.evaluate(() => {
      location.hash = "linux";
    });
    await ask(page, "How do I install Acme on Linux?");
    await page.locator(".turn").nth(1).waitFor();
    await answered(page);
    expect(requests.filter((each) => each.startsWith("POST") && each.includes("/v2/"))).toHaveLength(2);
  });

  test("sends with the button, where forms are forbidden too", async () => {
    here.site.serve({ headers: { "content-security-policy": "sandbox allow-scripts" } });
    const { page } = await visit();
    await openWidget(page);
    await page.locator(".composer textarea").fill(QUESTION);
    await page.locator("button.send:visible").click();
    await answered(page);
    await page.locator('[aria-label="Not helpful"]').click();
    await page.locator(".feedback textarea").fill("Too short.");
    await page.locator(".feedback button").click();
    await page.locator(".feedback").waitFor({ state: "hidden" });
  });
});

test("a phone that closes the panel by itself leaves the button to open it again", async () => {
  const { page } = await visit({ width: 390, height: 844 }, "/guide/install?assistant=");
  await page.locator(".panel[open]").waitFor();
  // As browsers do for what leads back, where the page was not touched yet: nobody is asked.
  await page.evaluate(() =>
    document.querySelector("docent-widget")?.shadowRoot?.querySelector("dialog")?.close(),
  );
  await page.locator(".launcher").click();
  await page.locator(".panel[open]").waitFor();
});

test("a body in other colours that takes the place of the old one is followed, then and later", async () => {
  here.site.serve({ head: "<style>.night { background: #111 } .day { background: #fff }</style>" });
  const { page } = await visit();
  const shade = () =>
    page.evaluate(() =>
      document
        .querySelector("docent-widget")
        ?.shadowRoot?.querySelector(".docent")
        ?.getAttribute("data-theme"),
    );
  const swap = (name: string) =>
    page.evaluate((className) => {
      const body = document.createElement("body");
      body.className = className;
      document.documentElement.replaceChild(body, document.body);
    }, name);
  await swap("night");
  await page.locator("docent-widget").waitFor({ state: "attached" });
  expect(await shade()).toBe("dark");
  await page.evaluate(() => {
    document.body.className = "day";
  });
  expect(await shade()).toBe("light");
});

test("two tabs share one conversation, and neither loses what was asked in the other", async () => {
  const { page, context } = await visit();
  const other = await context.newPage();
  await other.goto(here.site.address("/guide/next"));
  for (const each of [page, other]) await openWidget(each);
  await ask(page, QUESTION);
  await answered(page);
  await other.locator(".question", { hasText: QUESTION }).waitFor();
  await ask(other, "And on Windows?");
  await other.locator(".turn[aria-busy=false]").nth(1).waitFor();
  await page.locator(".question", { hasText: "And on Windows?" }).waitFor();
  await page.reload();
  await page.locator(".question").nth(1).waitFor();
  expect(await page.locator(".question").count()).toBe(2);
  await other.locator('[aria-label="New conversation"]').click();
  await page.locator(".greeting:visible").waitFor();
});

test("with a nonce alone, what colours code is loaded", async () => {
  here.site.serve({
    html: (tag) =>
      `<!doctype html><title>x</title>${tag.replace("<script", '<script nonce="r4nd0m"')}<main><p>Text</p></main>`,
    headers: {
      "content-security-policy": `default-src 'none'; script-src 'nonce-r4nd0m'; connect-src ${here.site.docent.url}; require-trusted-types-for 'script'`,
    },
  });
  const { page } = await visit();
  await openWidget(page);
  await ask(page, QUESTION);
  await answered(page);
  await page.locator(".hl-keyword, .hl-name").first().waitFor();
});

test("a page that is zoomed by its own rules has the panel on the screen, and the offer at the selection", async () => {
  here.site.serve({ head: "<style>html { font-size: 62.5%; zoom: 1.4 }</style>" });
  const { page } = await visit({ height: 700 });
  await page.locator("#intro").selectText();
  const offer = await page.locator(".offer:visible").boundingBox();
  const intro = await page.locator("#intro").boundingBox();
  const below = (offer?.y ?? 0) - (intro?.y ?? 0) - (intro?.height ?? 0);
  expect(below).toBeGreaterThan(0);
  expect(below).toBeLessThan(20);
  await openWidget(page);
  const box = await page.locator(".panel").boundingBox();
  expect(box?.y).toBeGreaterThan(0);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(700);
});

test("what was stopped before its first word can be asked again", async () => {
  const { page } = await visit();
  await page.route(`${here.site.docent.url}/v2/**`, () => new Promise(() => {}));
  await openWidget(page);
  await ask(page, "How do I install Acme on Linux?");
  await page.locator(".stop:visible").click();
  await page.locator(".status", { hasText: "Stopped." }).waitFor();
  expect(await page.locator(".actions button:visible").count()).toBe(1);
  await page.unroute(`${here.site.docent.url}/v2/**`);
  await page.locator('[aria-label="Try again"]').click();
  await answered(page);
  expect(await page.locator(".turn").count()).toBe(1);
});

test("a tag that cannot work says so in the console, and makes nothing", async () => {
  for (const [wrong, right] of [
    [" defer", ' type="module"'],
    [/data-key="[^"]*"/, ""],
  ] as const) {
    here.site.serve({ html: (tag) => `<!doctype html><title>x</title><body>${tag.replace(wrong, right)}` });
    const { page } = await visit({ expectErrors: /needs data-domain and data-key/ });
    const [error] = await Promise.all([page.waitForEvent("pageerror"), page.reload()]);
    expect(error.message).toContain("data-domain and data-key");
    expect(await page.locator("docent-widget").count()).toBe(0);
  }
});

test("a page that is opened from a file has the whole widget, and does not say where the file lies", async () => {
  const file = join(tmpdir(), `docent-widget-${process.pid}.html`);
  const tag = `<script src="${here.site.docent.url}/widget.js" data-domain="acme" data-key="${here.site.docent.key}"></script>`;
  await Bun.write(file, `<!doctype html><title>x</title><h1 id="a">Text to select</h1>${tag}`);
  const { page } = await visit();
  await page.goto(`file://${file}`);
  await page.locator("#a").selectText();
  await page.locator(".offer:visible").click();
  const body = page.waitForRequest((request) => request.url().includes("/v2/assistant/"));
  await ask(page, QUESTION);
  expect((await body).postData()).not.toContain("docent-widget-");
  await answered(page);
  await rm(file);
});

test("a panel that is drawn anew with the owner's look does not open a second time", async () => {
  const { page } = await visit({ reducedMotion: false });
  await page.locator(".launcher").click();
  await page.locator(".disclaimer", { hasText: "Acme’s docs" }).waitFor();
  const moves = await page.locator(".panel").evaluate((panel) => panel.getAnimations().length);
  expect(moves).toBe(0);
});
