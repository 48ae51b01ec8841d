import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import type { WikiServer } from "../contract/connector.ts";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { startMediaWiki } from "../reading/connectors/servers/mediawiki.ts";
import { accessibilityFaults, sharedBrowser, type TestBrowser, type Visit } from "./browser.ts";

setDefaultTimeout(300_000);

let browser: TestBrowser;
let docent: TestDocent;
let wiki: WikiServer;
beforeAll(async () => {
  wiki = startMediaWiki();
  const { host } = new URL(wiki.address);
  wiki.put({ title: "Zebras", words: "Feed a zebra two bales of hay at noon.", showsImage: true });
  wiki.put({ title: "Lions", words: "A lion sleeps for twenty hours a day.", linksTo: "Zebras" });
  const settings = {
    private_hosts: "127.0.0.1",
    source_variables: `WIKI_BOT@${host},OTHER@elsewhere.example`,
  };
  const environment = { WIKI_BOT: wiki.secret };
  [browser, docent] = await Promise.all([
    sharedBrowser(),
    startDocent({ docs: null, settings, environment }),
  ]);
});
afterAll(async () => {
  await docent.close();
  await wiki[Symbol.asyncDispose]();
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const text = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor();

async function withVisit(run: (page: Page, visit: Visit) => Promise<void>) {
  const visit = await browser.visit({});
  await run(visit.page, visit);
  await visit.end();
}

test("a wiki is named in the dashboard with what it signs in with, looked at, read, and kept for some", async () => {
  await withVisit(async (page) => {
    const link = await docent.app.parts.people.members.firstLink();
    await page.goto(`${docent.url}/sign-in#link=${link?.text}`);
    await page.getByRole("heading", { name: "Welcome to Docent", exact: true }).waitFor();
    await page.keyboard.type("Ada Lovelace");
    await page.keyboard.press("Tab");
    await page.keyboard.type("correct horse battery");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Sites", exact: true }).waitFor();
    const [organization] = await docent.app.parts.people.sites.listOrganizations();
    await page.goto(`${docent.url}/dashboard/${organization?.name}/acme/content`);
    await button(page, "Add a source").first().click();
    await page.getByRole("tab", { name: "Wiki or tracker" }).click();
    await page.getByLabel("What it is").selectOption({ label: "MediaWiki" });
    await button(page, "Read the server").click();
    await text(page, "Give the address as your browser shows it.");
    await field(page, "Address").fill(wiki.address);
    await page.getByLabel("Sign in with").selectOption({ label: "WIKI_BOT" });
    expect(await page.getByRole("option", { name: "OTHER" }).count()).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    await button(page, "Read the server").click();
    await text(page, /MediaWiki 1\.39/);
    await text(page, "Zebras");
    await button(page, "Read these docs").click();
    await text(page, "2 added");
    await page.getByLabel("Only for these groups").fill("ops, admins");
    await button(page, "Save").click();
    await text(page, "for ops, admins");
    await button(page, "Read now").click();
    await text(page, "2 changed");
    expect(await accessibilityFaults(page)).toEqual([]);
  });
});
