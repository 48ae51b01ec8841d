import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { accessibilityFaults, findChromium, sharedBrowser, type TestBrowser } from "../e2e/browser.ts";
import { COMPANIES, type Company } from "./companies.ts";
import { type DocentOf, startDocentOf } from "./docent-of.ts";

// The last of the files, as they are sorted: a browser waits for less than Keycloak's first pages take.

/** Browsers write down that a request was refused, even where that is the answer that was looked for. */
const REFUSALS = /Failed to load resource: the server responded with a status of 40[0134]/;
const BUTTON = { name: "Sign in with Account of company" };
/** What is filled in on a provider's page, and what sends it. */
const FIELDS: Record<string, { login: string; password: string; send: string }> = {
  Keycloak: { login: "#username", password: "#password", send: "#kc-login" },
  Dex: { login: "#login", password: "#password", send: "#submit-login" },
};

let browser: TestBrowser;
beforeAll(async () => {
  if (findChromium() !== undefined) browser = await sharedBrowser();
});

for (const { name, isHere, start } of COMPANIES)
  describe.skipIf(!isHere || findChromium() === undefined)(`a browser with ${name}`, () => {
    const fields = FIELDS[name];
    if (fields === undefined) throw new Error(`nobody knows the page of ${name}`);

    async function fillIn(page: Page, company: Company, login: string): Promise<void> {
      // Another site than Docent's, as everywhere else.
      await page.waitForURL(/^http:\/\/localhost:/);
      const { password, login: own } = company.credentials(login);
      await page.fill(fields?.login ?? "", own);
      await page.fill(fields?.password ?? "", password);
      await page.click(fields?.send ?? "");
    }

    async function withVisit(run: (page: Page, docentOf: DocentOf) => Promise<void>): Promise<void> {
      await using docentOf = await startDocentOf(start);
      const visit = await browser.visit({ expectErrors: REFUSALS });
      await run(visit.page, docentOf);
      await visit.end();
    }

    test("goes by the provider's own page to the page that was asked for, stays in, and leaves in both places", async () => {
      await withVisit(async (page, { company, url }) => {
        await page.goto(`${url}/members?from=mail`);
        await page.getByRole("link", BUTTON).click();
        await fillIn(page, company, "ada");
        await page.getByRole("heading", { name: "Members", exact: true }).waitFor();
        expect(page.url()).toBe(`${url}/members?from=mail`);
        expect(await page.evaluate("document.cookie")).toBe("");
        await page.reload();
        await page.getByRole("heading", { name: "Members", exact: true }).waitFor();
        const kept = await page.context().cookies(url);
        expect(kept.map((cookie) => [cookie.httpOnly, cookie.sameSite])).toEqual([[true, "Strict"]]);
        await page.getByRole("button", { name: "Account of Ada Lovelace" }).click();
        await page.getByRole("menuitem", { name: "Sign out" }).click();
        await page.getByRole("link", BUTTON).click();
        // Nobody who comes after them is let in unasked.
        await fillIn(page, company, "grace");
        await page.getByRole("button", { name: "Account of Grace Hopper" }).waitFor();
      });
    });

    test("is told why nobody came in, and what helps", async () => {
      await withVisit(async (page, { company, url }) => {
        await page.goto(url);
        await page.getByRole("link", BUTTON).click();
        await fillIn(page, company, "eve");
        await page.getByRole("alert").waitFor();
        expect(await page.getByRole("alert").textContent()).toContain("none of your groups");
        expect(await accessibilityFaults(page)).toEqual([]);
      });
    });
  });
