import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { GOLDEN_DOCS, writeDocs } from "../helpers/golden-site.ts";
import { type MemberDoor, type MemberName, startMemberDoor } from "../helpers/member-door.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";
import { addTurn } from "../helpers/turn-data.ts";
import { accessibilityFaults, sharedBrowser, type TestBrowser } from "./browser.ts";

setDefaultTimeout(300_000);

const INSTALL = "How do I install Acme on Linux?";

let browser: TestBrowser;
let door: MemberDoor;
let folder: ReturnType<typeof temporaryDirectory>;
let docs: string;
beforeAll(async () => {
  folder = temporaryDirectory();
  docs = join(folder.path, "docs");
  writeDocs(docs, GOLDEN_DOCS);
  [browser, door] = await Promise.all([sharedBrowser(), startMemberDoor({ docs })]);
});
afterAll(async () => {
  await door.close();
  folder[Symbol.dispose]();
});

async function withVisit(as: MemberName, run: (page: Page) => Promise<void>) {
  const visit = await browser.visit({ expectErrors: /status of 400/ });
  const [name = "", value = ""] = door.cookies[as].split("=");
  await visit.context.addCookies([{ name, value, url: door.url }]);
  await run(visit.page);
  await visit.end();
}

const at = (page: Page, path: string) => page.goto(`${door.url}/dashboard/default/acme/${path}`);
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Reads the docs again, as a schedule does. */
async function readAgain() {
  const { people, sources } = door.app.parts;
  const site = await people.sites.get("acme");
  const [source] = await sources.ofSites.list(site.id);
  if (source === undefined) throw new Error("there is no source");
  return sources.ofSites.run(site, source, { signal: new AbortController().signal });
}

test("an owner adds a golden question, requires it, sees why a run is not published, publishes it, and reads what changed", async () => {
  await withVisit("root", async (page) => {
    await at(page, "content/golden");
    await page.getByText("No golden questions yet").waitFor();
    await button(page, "Add a question").click();
    await page.getByLabel("Question", { exact: true }).fill(INSTALL);
    await page.getByLabel("Pages that answer it").fill("nowhere");
    await button(page, "Add it").click();
    await page.getByText("names no page of the site").waitFor();
    await page.getByLabel("Pages that answer it").fill("/install");
    await button(page, "Add it").click();
    await page.getByRole("table", { name: "Golden questions" }).getByText(INSTALL).waitFor();
    await button(page, "Ask them now").click();
    await page.getByText("Place 1", { exact: true }).waitFor();
    await page.getByRole("switch", { name: /Keep a run from readers/ }).click();
    await page.getByRole("switch", { name: /Keep a run from readers/, checked: true }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);

    const { id } = await door.app.parts.people.sites.get("acme");
    const asked = { text: "What do giraffes eat?" };
    const end = { outcome: "unanswered" } as const;
    await addTurn(door.app.parts.storage.conversations.threads, { siteId: id, id: "g", asked, end });
    writeDocs(docs, { "install.md": undefined, "giraffe.md": "# Giraffes\n\nGiraffes eat acacia." });
    expect((await readAgain()).refused).toBeDefined();
    await at(page, "content/golden");
    await page.getByText("The last run is not published: readers still see generation 1.").waitFor();
    const worse = page.getByRole("table", { name: "Questions that got worse" });
    await worse.getByText(INSTALL).waitFor();
    await worse.getByText("the page install is gone").waitFor();
    await worse.getByText("Place 1", { exact: true }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);

    await button(page, "Publish all the same").click();
    await page.getByRole("dialog").getByRole("button", { name: "Publish all the same" }).click();
    await page.getByText("Generation 2", { exact: true }).waitFor();
    await page.getByRole("link", { name: "What changed" }).first().click();
    await page.getByRole("table", { name: "Answered now" }).getByText("What do giraffes eat?").waitFor();
    await page.getByText("1 added, 0 changed, 1 removed, 0 moved.").waitFor();
    await page.getByRole("table", { name: "Questions that got worse" }).getByText(INSTALL).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);

    await page.getByRole("link", { name: "All generations" }).click();
    await page.getByRole("link", { name: "1 added, 1 removed, 2 unchanged" }).click();
    await page.getByRole("table", { name: "Answered now" }).waitFor();

    await at(page, "content/golden");
    await button(page, `Remove “${INSTALL}”`).click();
    await button(page, "Remove it").click();
    await page.getByText("No golden questions yet").waitFor();
  });
});
