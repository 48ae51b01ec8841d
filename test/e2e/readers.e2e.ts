import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { addSiteWithPages } from "../helpers/public-site.ts";
import { type SignInDoor, startSignInDoor } from "../helpers/sign-in-door.ts";
import { letReadersSignIn } from "../helpers/signed-in-site.ts";
import { accessibilityFaults, sharedBrowser, type TestBrowser } from "./browser.ts";
import { answered, ask, openWidget } from "./widget-page.ts";
import { widgetVisits } from "./widget-visits.ts";

describe("the widget on the page of a site that vouches for its readers", () => {
  const here = widgetVisits();

  test("sends what the page's own function gives, and asks it once more when that is refused", async () => {
    const site = await letReadersSignIn(here.site.docent);
    const old = await site.tokenFor("ada", { iat: 1_700_000_000, exp: 1_700_000_300 });
    const tokens = JSON.stringify([old, await site.tokenFor()]);
    const head = `<script>window.asked = 0; window.shop = { token: async () => ${tokens}[Math.min(window.asked++, 1)] }</script>`;
    here.site.serve({ head, attributes: `data-get-token="shop.token"` });
    const { page, requests } = await here.visit({ expectErrors: /401/ });
    await openWidget(page);
    await ask(page, "How do I install Acme?");
    await answered(page);
    expect(await page.evaluate(() => Reflect.get(window, "asked"))).toBe(2);
    expect(requests.filter((request) => request.includes("eyJ"))).toEqual([]);
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain("eyJ");
  });
});

describe("the reader site for readers who sign in", () => {
  let browser: TestBrowser;
  let door: SignInDoor;
  let at: string;
  beforeAll(async () => {
    browser = await sharedBrowser();
    door = await startSignInDoor({}, "    readers: true\n");
    at = door.app.publicUrl;
    await addSiteWithPages(door, "inside", {
      "index.md": "# Start\n\nThe handbook of [engines](guide.md).",
      "guide.md": "# Engines\n\n## Turn it on\n\nTurn the engine on with the red key.",
    });
    const { people } = door.app.parts;
    const { id, organizationId } = await people.sites.set("inside", { settings: { readers: "signed-in" } });
    await people.keys.create({ organizationId, name: "inside", siteIds: [id] });
  });
  afterAll(async () => {
    await door.close();
  });

  test("leads to the provider and back, searches and answers for its reader, and signs them out", async () => {
    const visit = await browser.visit({
      opensShadows: true,
      expectErrors: /401|404|Content Security Policy/,
    });
    const { page } = visit;
    door.provider.whoSignsIn = "eve";
    await page.goto(`${at}/sites/inside/guide`);
    const button = page.getByRole("link", { name: "Sign in with Company account" });
    // Nothing runs on this page, what looks for faults in it neither.
    await button.click();
    await page.getByRole("heading", { name: "Engines" }).waitFor();
    expect(page.url()).toBe(`${at}/sites/inside/guide`);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole("link", { name: "Start" }).first().click();
    await page.getByText("The handbook of").waitFor();
    await page.locator(".launcher").waitFor();
    await page.keyboard.press("/");
    await page.locator(".palette[open]").waitFor();
    await page.keyboard.type("red key");
    await page.locator(".palette a[role=option]").first().waitFor();
    await page.keyboard.press("Escape");
    await openWidget(page);
    await ask(page, "How do I turn the engine on?");
    await answered(page);
    expect(await page.locator(".markdown").first().textContent()).toContain("red key");
    await page.getByRole("link", { name: "Sign out" }).click();
    await button.waitFor();
    await visit.end();
  });
});
