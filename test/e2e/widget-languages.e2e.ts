import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { accessibilityFaults } from "./browser.ts";
import { answered, ask, openWidget } from "./widget-page.ts";
import { WORDS, widgetVisits } from "./widget-visits.ts";

const QUESTION = "How do I install Acme?";
const here = widgetVisits();
const { visit } = here;

const pageIn = (lang: string, dir = "ltr") => ({
  html: (tag: string) =>
    `<!doctype html><html lang="${lang}" dir="${dir}"><title>x</title>${tag}<main><h1>Acme</h1><p>Text</p></main>`,
});

/** Runs in the page: keeps every size that the button was seen in, and every place. */
function watchButton(): void {
  const seen = new Set<string>();
  Reflect.set(window, "seen", seen);
  const look = () => {
    const root = document.querySelector("docent-widget")?.shadowRoot?.querySelector(".docent");
    const button = root?.querySelector(".launcher");
    if (root && button && getComputedStyle(root).opacity === "1") {
      const { left, width } = button.getBoundingClientRect();
      seen.add(`${button.textContent} ${left} ${width}`);
    }
    requestAnimationFrame(look);
  };
  look();
}

/** Loads the page anew, slowly where labels are concerned, and tells how the button was seen. */
async function buttonsSeen(page: Page): Promise<string[]> {
  await page.addInitScript(watchButton);
  await page.route("**/assets/labels-*", async (route) => {
    await Bun.sleep(300);
    await route.continue();
  });
  await page.reload();
  await page.waitForFunction(() => (Reflect.get(window, "seen") as Set<string>).size > 0);
  await page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
  return page.evaluate(() => [...(Reflect.get(window, "seen") as Set<string>)]);
}

describe("a page in another language", () => {
  test("has the widget in that language, and a button that does not change before the reader's eyes", async () => {
    here.site.serve(pageIn("de"));
    const { page, requests } = await visit();
    const seen = await buttonsSeen(page);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toStartWith("Fragen ");
    // Once for each time that the page was loaded; the first time it may have gone before the widget started.
    const labels = requests.filter((request) => /\/assets\/labels-de-\w+\.js$/.test(request));
    expect([1, 2]).toContain(labels.length);
    await openWidget(page);
    expect(await page.locator(".greeting h3").textContent()).toBe("Wonach suchen Sie?");
    expect(await page.locator(".docent").getAttribute("lang")).toBe("de");
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test("has it in English where the labels cannot be had", async () => {
    here.site.serve(pageIn("de"));
    const { page, context } = await visit({ expectErrors: /Failed to load|ERR_FAILED/ });
    await context.route("**/assets/labels-*", (route) => route.abort());
    await page.reload();
    await page.locator(".launcher", { hasText: "Ask" }).waitFor();
    expect(await page.locator(".docent").evaluate((root) => getComputedStyle(root).opacity)).toBe("1");
  });

  test("that changes its language has the widget follow", async () => {
    const { page } = await visit();
    await openWidget(page);
    await page.locator(".composer textarea").fill("Wie");
    await page.evaluate(() => {
      document.documentElement.lang = "de";
      document.body.append(document.createElement("hr"));
    });
    await page.locator(".greeting h3", { hasText: "Wonach suchen Sie?" }).waitFor();
    expect(await page.locator(".composer textarea").inputValue()).toBe("Wie");
    expect(await page.locator(".panel[open]").count()).toBe(1);
  });
});

describe("Arabic", () => {
  test("is written from right to left, and nothing jumps", async () => {
    here.site.serve(pageIn("ar", "rtl"));
    const { page } = await visit();
    const seen = await buttonsSeen(page);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toStartWith("اسأل ");
    await openWidget(page);
    expect(await page.locator(".docent").getAttribute("dir")).toBe("rtl");
    expect(await accessibilityFaults(page)).toEqual([]);
    here.site.ollama.replyWith({ text: "يمكنك تثبيت Acme بأمر واحد `<a />` من سطر الأوامر [1]." });
    await ask(page, QUESTION);
    await answered(page);
    expect(await page.locator(".answer").getAttribute("dir")).toBe("rtl");
    const direction = (code: Element) => getComputedStyle(code).direction;
    expect(await page.locator(".answer code").evaluate(direction)).toBe("ltr");
    here.site.ollama.replyWith({ text: WORDS });
    await ask(page, "How do I install Acme on Linux?");
    await page.locator(".answer[dir=ltr]").waitFor();
  });

  test("is told of by the tag where the page is in English, whose answers stay as they are written", async () => {
    here.site.serve({ attributes: 'data-language="ar"' });
    const { page } = await visit();
    await openWidget(page);
    await ask(page, QUESTION);
    await answered(page);
    expect(await page.locator(".docent").getAttribute("dir")).toBe("rtl");
    expect(await page.locator(".answer").getAttribute("dir")).toBe("ltr");
    expect(await page.locator(".answer").getAttribute("lang")).toBe("en");
  });
});
