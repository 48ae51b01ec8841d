import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { accessibilityFaults, picture } from "./browser.ts";
import { answered, ask, focused, openWidget } from "./widget-page.ts";
import { widgetVisits } from "./widget-visits.ts";

const NOT_COVERED = "How do I bake a cheesecake with strawberries?";
const received: Record<string, unknown>[] = [];
let isBroken = false;
const hook = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    if (isBroken) return new Response(null, { status: 500 });
    received.push(Object(await request.json()));
    return new Response();
  },
});
const here = widgetVisits({}, () => ({ hand_over_hosts: `127.0.0.1:${hook.port}` }));
beforeAll(async () => {
  const handOver = `http://127.0.0.1:${hook.port}/hook`;
  await here.site.docent.app.parts.people.sites.set("acme", { settings: { handOver } });
});
afterAll(() => hook.stop(true));

describe("a reader whom the docs do not help", () => {
  test("sends the conversation to a person, with the keyboard alone", async () => {
    const { page } = await here.visit({ expectErrors: /503/ });
    await openWidget(page);
    await ask(page, NOT_COVERED);
    await answered(page);
    await page.locator(".person button[aria-expanded]").focus();
    await page.keyboard.press("Enter");
    expect(await focused(page)).toStartWith("input");
    await page.keyboard.type("Ada");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    // Without an address nobody could answer.
    expect(received).toEqual([]);
    await page.keyboard.type("ada@reader.example");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Please help.");
    expect(await accessibilityFaults(page)).toEqual([]);
    await picture(page, "widget-person");
    await page.keyboard.press("Tab");
    isBroken = true;
    await page.keyboard.press("Enter");
    await page.locator(".person .said", { hasText: "did not work" }).waitFor();
    isBroken = false;
    await page.keyboard.press("Enter");
    await page.locator(".person .said", { hasText: "It was sent" }).waitFor();
    expect(received).toMatchObject([
      {
        reader: { name: "Ada", email: "ada@reader.example" },
        message: "Please help.",
        turns: [{ question: NOT_COVERED }],
      },
    ]);
    expect(await page.locator(".person form:visible").count()).toBe(0);
  });

  test("is not offered it below an answer, before they say that it did not help", async () => {
    const { page } = await here.visit();
    await openWidget(page);
    await ask(page, "How do I install Acme?");
    await answered(page);
    expect(await page.locator(".person:visible").count()).toBe(0);
    await page.locator('[aria-label="Not helpful"]').click();
    await page.locator(".person:visible").waitFor();
  });
});
