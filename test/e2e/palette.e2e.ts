import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { accessibilityFaults, picture } from "./browser.ts";
import { answered, focused, openWidget } from "./widget-page.ts";
import { widgetVisits } from "./widget-visits.ts";

const here = widgetVisits();
const { visit } = here;

const marked = (page: Page) => page.locator('.palette [aria-selected="true"]');
const hits = (page: Page) => page.locator(".palette a[role=option]");

/** Opens the palette by its keys, and writes in it. */
async function search(page: Page, words: string): Promise<void> {
  await page.locator(".launcher").waitFor();
  await page.keyboard.press("Control+k");
  await page.locator(".palette[open]").waitFor();
  await page.keyboard.type(words);
  // Replies to the letters before come first.
  await page.getByRole("option", { name: `Ask: ${words}` }).waitFor();
}

describe("search over a page", () => {
  test("is fetched when it is called first, finds while one types, and groups what it finds by page", async () => {
    const { page, requests } = await visit();
    const fetched = () => requests.filter((request) => /\/assets\/palette-\w+\.js$/.test(request));
    await page.locator(".launcher").waitFor();
    expect(fetched()).toEqual([]);
    await search(page, "install");
    await hits(page).first().waitFor();
    expect(fetched()).toHaveLength(1);
    expect(await page.locator(".palette [role=group]").count()).toBeGreaterThan(0);
    expect(await page.locator(".palette mark").first().textContent()).toMatch(/install/i);
    expect(await hits(page).first().getAttribute("href")).toStartWith("https://docs.acme.example/");
  });

  test("is used by keyboard alone: arrows, Enter asks where the question is marked, Escape gives the focus back", async () => {
    const { page } = await visit();
    await page.locator("#next").focus();
    await search(page, "install");
    await hits(page).first().waitFor();
    const first = await hits(page).first().getAttribute("id");
    expect(await marked(page).getAttribute("id")).toBe(first);
    expect(await page.locator(".palette input").getAttribute("aria-activedescendant")).toBe(first);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    expect(await marked(page).textContent()).toContain("Ask: install");
    await page.keyboard.press("Escape");
    expect(await page.locator(".palette[open]").count()).toBe(0);
    expect(await focused(page)).toBe("a next");
  });

  test("becomes the conversation in its place, and the conversation becomes the search with the same words", async () => {
    const { page } = await visit();
    await search(page, "How do I install Acme?");
    await page.locator(".palette [role=option]").first().waitFor();
    await page.keyboard.press("Control+Enter");
    await answered(page);
    expect(await page.locator(".palette[open]").count()).toBe(0);
    const box = await page.locator(".panel[open]").boundingBox();
    const width = page.viewportSize()?.width ?? 0;
    expect(Math.abs((box?.x ?? 0) + (box?.width ?? 0) / 2 - width / 2)).toBeLessThan(2);
    await page.getByRole("button", { name: "Search the docs" }).click();
    expect(await page.locator(".palette input").inputValue()).toBe("How do I install Acme?");
    expect(await page.locator(".panel[open]").count()).toBe(0);
    await page.keyboard.press("Escape");
    await openWidget(page);
    expect(await page.locator(".docent").getAttribute("data-variant")).toBe("button");
  });

  test("forgives what is misspelled, and says what was searched for", async () => {
    const { page } = await visit();
    await search(page, "downlod the installer");
    await hits(page).first().waitFor();
    await page.getByText("Showing results for “download the installer”.").first().waitFor();
  });

  test("remembers what was chosen, and offers it before anything is written", async () => {
    const { page } = await visit();
    await search(page, "Which command installs it?");
    await page.locator(".palette [role=option]").first().waitFor();
    await page.keyboard.press("Control+Enter");
    await answered(page);
    await page.reload();
    await page.locator(".panel[open]").waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await page.keyboard.press("Control+k");
    await page.getByRole("option", { name: "Which command installs it?" }).waitFor();
    expect(await page.locator(".palette .group-title").first().textContent()).toBe("Recent");
  });

  test("leaves ⌘K to a page that has a use for it, though it begins to listen later", async () => {
    const { page } = await visit();
    await page.locator(".launcher").waitFor();
    await page.evaluate(() =>
      addEventListener("keydown", (event) => {
        if (!(event instanceof KeyboardEvent) || event.key !== "k") return;
        event.preventDefault();
        document.title = "the page's own";
      }),
    );
    await page.keyboard.press("Control+k");
    await page.waitForFunction(() => document.title === "the page's own");
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 0)));
    expect(await page.locator(".palette").count()).toBe(0);
  });

  test("is called by the page's own code, by another key, or by none", async () => {
    here.site.serve({ attributes: 'data-search-hotkey="none"' });
    const { page } = await visit();
    await page.locator(".launcher").waitFor();
    await page.keyboard.press("Control+k");
    await page.evaluate(() => Reflect.get(Reflect.get(window, "Docent"), "search")("install"));
    await hits(page).first().waitFor();
    expect(await page.locator(".palette input").inputValue()).toBe("install");
  });

  test("leads to the assistant where it cannot be had, and says when it finds nothing or cannot be reached", async () => {
    const { page } = await visit({ expectErrors: /ERR_FAILED|palette/ });
    await page.route(/\/v1\/search\//, (route) => route.abort());
    await search(page, "install");
    await page.getByText("Search cannot be reached.").first().waitFor();
    await page.unroute(/\/v1\/search\//);
    await page.locator(".palette input").fill("qqqqq zzzzz");
    await page.getByText("Nothing was found for “qqqqq zzzzz”.").first().waitFor();
    const other = await visit({ expectErrors: /ERR_FAILED|palette/ });
    await other.page.route(/\/assets\/palette-/, (route) => route.abort());
    await other.page.locator(".launcher").waitFor();
    await other.page.keyboard.press("Control+k");
    await other.page.locator(".panel[open]").waitFor();
  });

  for (const look of [
    { width: 1440, theme: "light" },
    { width: 390, height: 844, theme: "dark" },
  ] as const)
    test(`can be used by everybody, and fits: ${look.width} px, ${look.theme}`, async () => {
      const { page } = await visit(look);
      await search(page, "install");
      await hits(page).first().waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      await picture(page, look.theme === "dark" ? "palette-phone" : "palette");
    });
});
