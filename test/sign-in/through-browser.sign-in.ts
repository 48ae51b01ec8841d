import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { findChromium, openBrowser } from "../e2e/browser.ts";
import { COMPANIES } from "./companies.ts";
import { startDocentOf } from "./docent-of.ts";

// The last of the files, as they are sorted: a browser waits for less than Keycloak's first pages take.

/** Browsers write down that a request was refused, even where that is the answer that was looked for. */
const REFUSALS = /Failed to load resource: the server responded with a status of 40[0134]/;
const FIELDS: Record<string, { login: string; password: string; send: string }> = {
  Keycloak: { login: "#username", password: "#password", send: "#kc-login" },
  Dex: { login: "#login", password: "#password", send: "#submit-login" },
};

for (const { name, isHere, start } of COMPANIES)
  describe.skipIf(!isHere || findChromium() === undefined)(`a browser with ${name}`, () => {
    test("comes into the dashboard by the provider's own page, and stays in when it is loaded again", async () => {
      await using docentOf = await startDocentOf(start);
      const { company, url } = docentOf;
      const browser = await openBrowser();
      const visit = await browser.visit({ expectErrors: REFUSALS });
      try {
        await visit.page.goto(`${url}/v1/sign-in/company?returnTo=/members`);
        expect(new URL(visit.page.url()).hostname).toBe("localhost");
        await fillIn(visit.page, FIELDS[name], company.credentials("ada"));
        await visit.page.getByText("Ada Lovelace").first().waitFor();
        expect(visit.page.url()).toBe(`${url}/members`);
        expect(await visit.page.evaluate("document.cookie")).toBe("");
        await visit.page.reload();
        await visit.page.getByText("Ada Lovelace").first().waitFor();
        const kept = await visit.context.cookies(url);
        expect(kept.map((cookie) => [cookie.httpOnly, cookie.sameSite])).toEqual([[true, "Strict"]]);
        await visit.end();
      } finally {
        await browser.close();
      }
    });
  });

async function fillIn(
  page: Page,
  fields: (typeof FIELDS)[string] | undefined,
  { login, password }: { login: string; password: string },
): Promise<void> {
  if (fields === undefined) throw new Error("nobody knows that page");
  await page.fill(fields.login, login);
  await page.fill(fields.password, password);
  await page.click(fields.send);
}
