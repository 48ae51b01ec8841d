import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { signInLink } from "../../src/running/app/addresses.ts";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { startFakeSite } from "../helpers/fake-site.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";
import {
  accessibilityFaults,
  picture,
  sharedBrowser,
  type TestBrowser,
  type Visit,
  type VisitOptions,
} from "./browser.ts";

setDefaultTimeout(300_000);

const PASSWORD = "correct horse battery";
const REFUSALS = /Failed to load resource: the server responded with a status of (40\d|41\d|503)/;
const ATTACK = `<img src=x onerror="window.harmed=1"><script>window.harmed=1</script>`;

let browser: TestBrowser;
let docent: TestDocent;
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

let folder: ReturnType<typeof temporaryDirectory>;
let cookies: Awaited<ReturnType<Visit["context"]["cookies"]>>;
beforeAll(async () => {
  folder = temporaryDirectory();
  for (const [name, text] of Object.entries({
    "index.md": "# Acme handbook\n\nAcme keeps zebras and lions.\n\n![A zebra](./zebra.png)",
    "guide/zebras.md": "# Zebras\n\n## Feeding\n\nFeed a zebra two bales of hay at noon.",
    "guide/lions.md": "# Lions\n\nA lion sleeps for twenty hours a day.",
    "guide/attack.md": `# A title \`${ATTACK}\`\n\nA giraffe says \`${ATTACK}\`, and ${ATTACK}.`,
    "guide/hidden.md": "---\nnoindex: true\n---\n# Hidden\n\nA zebra nobody finds.",
    "_part.md": "# Part",
    "logo.png": "not a picture",
    "node_modules/pkg/readme.md": "# Secret package",
    ".env": "TOKEN=secret",
  })) {
    const file = join(folder.path, "handbook", name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  writeFileSync(join(folder.path, "handbook/zebra.png"), Buffer.from(PNG, "base64"));
  const settings = { private_hosts: "127.0.0.1", source_roots: "" };
  [browser, docent] = await Promise.all([sharedBrowser(), startDocent({ docs: null, settings })]);
});
afterAll(async () => {
  await docent.close();
  folder[Symbol.dispose]();
});

async function withVisit(options: VisitOptions, run: (page: Page, visit: Visit) => Promise<void>) {
  const visit = await browser.visit({ expectErrors: REFUSALS, ...options });
  if (cookies !== undefined) await visit.context.addCookies(cookies);
  await run(visit.page, visit);
  expect(await visit.page.evaluate("window.harmed")).toBeUndefined();
  await visit.end();
}

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const text = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor();
const content = async (path = "") => {
  const [organization] = await docent.app.parts.people.sites.listOrganizations();
  return `${docent.url}/dashboard/${organization?.name}/acme-handbook/content${path}`;
};

describe("the first run", () => {
  test("leads from the printed link to an answer from one's own docs, and to the snippet", async () => {
    await withVisit({}, async (page, { context, requests }) => {
      // Browsers keep it from pages without TLS.
      await page.addInitScript("delete Crypto.prototype.randomUUID");
      const link = await docent.app.parts.people.members.firstLink();
      await page.goto(signInLink(docent.url, link?.text ?? ""));
      await field(page, "Your name").fill("Ada");
      await field(page, "Password").fill(PASSWORD);
      await page.keyboard.press("Enter");
      await page.getByRole("link", { name: "Add a site" }).first().click();

      await field(page, "Name").fill("Acme Handbook");
      expect(await field(page, "Domain").inputValue()).toBe("acme-handbook");
      expect(await accessibilityFaults(page)).toEqual([]);
      await button(page, "Continue").click();
      // What was pressed is gone: the keyboard is at the next step.
      await page.locator("h2:focus", { hasText: "Point at your docs" }).waitFor();

      await page.locator('input[data-choose="folder"]').setInputFiles(join(folder.path, "handbook"));
      await text(page, /5 pages|6 pages/);
      await text(page, /Stays on your machine: 1 file that no page shows, 2 hidden files/);
      expect(await accessibilityFaults(page)).toEqual([]);
      await picture(page, "first-run");
      await button(page, /^Upload \d/).click();

      await field(page, "Your question").fill("How much hay does a zebra get?");
      await button(page, "Ask").click();
      await text(page, "two bales of hay");
      await text(page, "From your docs");
      await text(page, "1 file was left out");
      expect(await accessibilityFaults(page)).toEqual([]);

      await text(page, "Your docs site is live.");
      const opened = page.waitForEvent("popup");
      await page.getByRole("link", { name: "Open the site" }).click();
      const reader = await opened;
      await reader.getByRole("heading", { name: "Acme handbook" }).waitFor();
      await reader.waitForFunction(
        () => document.querySelector<HTMLImageElement>("main img")?.naturalWidth === 1,
      );
      await reader.close();

      const snippet = await page.getByLabel("Snippet", { exact: true }).locator("code").textContent();
      const [key] = await docent.app.parts.people.keys.list();
      expect(snippet).toBe(
        `<script src="${docent.url}/widget.js" data-domain="acme-handbook" data-key="${key?.key}" defer></script>`,
      );
      // What was looked at twice has one key.
      expect(await docent.app.parts.people.keys.list()).toHaveLength(1);
      expect(requests.filter((each) => each.startsWith("POST") && each.includes("/uploads"))).toHaveLength(1);
      cookies = await context.cookies();
    });
    const site = await docent.app.parts.people.sites.get("acme-handbook");
    const pages = await docent.app.parts.content.inventory.list({ siteId: site.id, query: "", limit: 100 });
    expect(pages.map(({ path }) => path)).toEqual([
      "",
      "guide/attack",
      "guide/hidden",
      "guide/lions",
      "guide/zebras",
    ]);
  });

  test("goes on where it was left, from its address alone", async () => {
    await withVisit({ width: 390, height: 844, theme: "dark" }, async (page) => {
      await page.goto(`${docent.url}/new?site=acme-handbook&source=1&run=long-forgotten`);
      await text(page, "5 pages are in the index");
      await field(page, "Your question").waitFor();
      await page.goto(`${docent.url}/new?site=acme-handbook`);
      await text(page, "handbook.zip");
      await button(page, "Go on with it").click();
      await field(page, "Your question").waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.goto(`${docent.url}/new?site=nowhere`);
      await text(page, "There is no site nowhere that you can set up");
    });
  });

  test("says what is wrong with a name, and keeps what was typed", async () => {
    await withVisit({}, async (page) => {
      await page.goto(`${docent.url}/new`);
      await button(page, "Continue").click();
      await text(page, "Give it a name");
      await field(page, "Name").fill("Acme Handbook");
      await button(page, "Continue").click();
      await text(page, "Another site has this domain");
      await page.getByLabel(/^Where your docs are published/).fill("https://docs.second.example/guide");
      expect(await field(page, "Domain").inputValue()).toBe("docs.second.example");
      await field(page, "Domain").fill("second site");
      await button(page, "Continue").click();
      await text(page, "Only a to z, 0 to 9, dots and hyphens");
      await field(page, "Domain").fill("second");
      await button(page, "Continue").click();
      await text(page, "Drop your docs here");
    });
  });

  test("shows what was recognized, with its menu, addresses and open questions, before anything is published", async () => {
    const root = join(folder.path, "generated");
    for (const [name, text] of Object.entries({
      "docusaurus.config.js":
        "module.exports = { presets: [['classic', { docs: { routeBasePath: process.env.BASE } }]] };",
      "docs/01-start.md": "# Start here\n\nThe quokka smiles.",
      "docs/guides/deep.md": "# Deep\n\nThe wombat digs.",
    })) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
    await withVisit({}, async (page) => {
      await page.goto(`${docent.url}/new?site=second`);
      await page.locator('input[data-choose="folder"]').setInputFiles(root);
      await button(page, /^Upload \d/).click();
      await text(page, "This looks like Docusaurus");
      await text(page, "Nothing is published yet");
      await text(page, "Start here");
      const link = page.getByRole("link", { name: "/docs/start" });
      expect(await link.getAttribute("href")).toBe("https://docs.second.example/guide/docs/start");
      expect((await docent.app.parts.people.sites.get("second")).generation).toBe(0);
      expect(await accessibilityFaults(page)).toEqual([]);
      await picture(page, "first-run-recognized");
      const question = page.getByLabel(/^What is routeBasePath/);
      expect(await question.inputValue()).toBe("docs");
      await question.fill("/");
      await button(page, "Look again with these answers").click();
      await page.getByRole("link", { name: "/start", exact: true }).waitFor();
      expect((await docent.app.parts.people.sites.get("second")).generation).toBe(0);
      await button(page, "Read these docs").click();
      await text(page, "2 pages are in the index");
      await page.getByText("Its menu, some of its addresses").click();
      await page.getByRole("link", { name: "/guides/deep", exact: true }).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
    });
  });

  test("shows a website as it is read, and leads on from one that cannot be", async () => {
    const gate = Promise.withResolvers<void>();
    await using site = startFakeSite({
      "/": '<main><h1>Home</h1><p>Words of home.</p><a href="/slow">Slow</a> <a href="/gone">Gone</a></main>',
      "/slow": async () => {
        await gate.promise;
        return "<main><h1>Slow</h1><p>A tortoise arrives late.</p></main>";
      },
    });
    await withVisit({}, async (page) => {
      await page.goto(`${docent.url}/new?site=second`);
      await page.getByRole("tab", { name: "Folder on the server" }).click();
      await text(page, "source_roots");
      await page.getByRole("tab", { name: "Website" }).click();
      await button(page, "Read the website").click();
      await text(page, "Give the whole address");
      await field(page, "Address").fill("http://127.0.0.1:1/");
      await button(page, "Read the website").click();
      await button(page, "Choose other docs").click();
      await page.getByRole("tab", { name: "Website" }).click();
      await field(page, "Address").fill(`${site.url}/`);
      await button(page, "Read the website").click();
      await text(page, /1 page so far|Reading pages/);
      gate.resolve();
      await text(page, "2 pages are in the index");
      await page.getByText("What was left out, and why").click();
      await text(page, "/gone");
    });
  });

  test("takes a file that is dropped, and says what is wrong with others", async () => {
    await withVisit({}, async (page) => {
      await page.goto(`${docent.url}/new?site=second`);
      const drop = async (name: string, words: string) => {
        const data = await page.evaluateHandle(
          ([file = "", inside = ""]) => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([inside], file));
            return transfer;
          },
          [name, words],
        );
        await page.getByLabel("Your docs", { exact: true }).dispatchEvent("drop", { dataTransfer: data });
      };
      await drop("photo.jpg", "x");
      await text(page, "There is nothing in it that Docent reads");
      await drop("broken.zip", "PK\x03\x04 and no more");
      await button(page, /^Upload \d/).click();
      await text(page, "The archive is damaged");
      await drop("note.md", "# A note\n\nThe okapi is shy.");
      await button(page, /^Upload \d/).click();
      await text(page, "1 page is in the index");
    });
  });
});

describe("content", () => {
  test("why a page is found, or not: the search in steps, for this page and for one that was left out", async () => {
    await withVisit({}, async (page) => {
      await page.goto(await content("/find"));
      await field(page, "Question").fill("How much hay does a zebra get?");
      await page.getByLabel(/^Page that should be found/).fill("guide/zebras");
      await page.keyboard.press("Enter");
      await text(page, "Near enough to answer from");
      await text(page, "It is found: its best passage is number 1");
      expect(await accessibilityFaults(page)).toEqual([]);
      await picture(page, "content-find");
      for (const [path, words] of [
        ["guide/hidden", "It is hidden"],
        ["_part.md", "begins with an underscore"],
        ["nowhere", "no source has met it"],
      ]) {
        await page.getByLabel(/^Page that should be found/).fill(path ?? "");
        await button(page, "Search").click();
        await text(page, words ?? "");
      }
      await field(page, "Question").fill(`giraffe ${ATTACK}`);
      await button(page, "Search").click();
      await text(page, "A title <img");
    });
  });

  test("pages and passages, sources, ledger and generations, on a phone and in the dark too", async () => {
    await withVisit({ width: 390, height: 844, theme: "dark" }, async (page) => {
      for (const [path, words] of [
        ["", "handbook.zip"],
        ["/pages", "A title <img"],
        ["/pages?query=zebra", "guide/zebras"],
        ["/pages?query=none", "No page is called that"],
        ["/page?path=guide/zebras", "Feed a zebra two bales"],
        ["/page?path=guide/hidden", "asks that search does not show it"],
        ["/page?path=nowhere", "The index has no such page"],
        ["/sources/1", "begins with an underscore"],
        ["/sources/1?ledger=changes", "guide/lions.md"],
        ["/sources/999", "has no source 999"],
        ["/report", "Every link within the site leads to a page."],
        ["/generations", "Readers see this one"],
      ]) {
        await page.goto(await content(path));
        await text(page, words ?? "");
        expect([path, await accessibilityFaults(page)]).toEqual([path, []]);
        const width = await page.evaluate("document.documentElement.scrollWidth");
        expect([path, width]).toEqual([path, 390]);
      }
    });
  });

  test("the report opens the examples of what it counts, each with its page", async () => {
    await withVisit({}, async (page) => {
      await page.goto(await content("/report"));
      const left = page.locator(".card", { has: page.getByRole("heading", { name: "Left out" }) });
      await left.getByText("1 example").click();
      await left.getByText("_part.md").waitFor();
      await page.getByRole("link", { name: "Report" }).and(page.locator("[aria-current]")).waitFor();
    });
  });

  test("a source is added, read and removed; readers are shown an earlier generation, and the later one again", async () => {
    await using site = startFakeSite({ "/": "<main><h1>Otter</h1><p>The otter swims.</p></main>" });
    await withVisit({}, async (page) => {
      await page.goto(await content());
      await button(page, "Add a source").click();
      await page.getByRole("tab", { name: "Website" }).click();
      await field(page, "Address").fill(`${site.url}/`);
      await button(page, "Read the website").click();
      await text(page, "1 page is in the index");
      await page.getByRole("combobox", { name: "Read it again" }).selectOption({ label: "Every hour" });
      await text(page, "The schedule was changed");
      await button(page, "Undo").click();
      await button(page, "Read now").click();
      await text(page, "Up to date");

      await page.goto(await content("/generations"));
      await button(page, "Go back to it").click();
      await button(page, "Show generation 1").click();
      await text(page, "Readers see generation 1");
      await button(page, "Undo").click();
      await page.getByRole("row", { name: /^2/ }).getByText("Readers see this one").waitFor();

      await page.goto(await content());
      await page.getByRole("link", { name: `${site.url}/` }).click();
      await button(page, "Remove the source").click();
      await page.getByRole("dialog").getByRole("button", { name: "Remove the source" }).click();
      await page.waitForURL(/content$/);
      await page.getByRole("link", { name: `${site.url}/` }).waitFor({ state: "detached" });
    });
  });

  test("a folder of mixed files shows of each what it became, and of those that stayed why", async () => {
    const documents = join(import.meta.dir, "../fixtures/documents");
    const mixed = join(folder.path, "mixed");
    mkdirSync(join(mixed, "files"), { recursive: true });
    for (const name of ["columns.pdf", "password.pdf", "deck.pptx", "people.xlsx"])
      copyFileSync(join(documents, name), join(mixed, "files", name));
    for (const [name, words] of [
      ["index.md", "# Mixed\n\nAll of it."],
      ["files/broken.docx", "PK and no more"],
      ["files/old.doc", "x"],
      ["files/run.sh", "x"],
    ] as const)
      writeFileSync(join(mixed, name), words);
    await withVisit({}, async (page) => {
      await page.goto(await content());
      await button(page, "Add a source").click();
      await page.locator('input[data-choose="folder"]').setInputFiles(mixed);
      await page.getByText("What stays on your machine, and why").click();
      await page.getByRole("row", { name: /old\.doc A format of Office 2003 and older/ }).waitFor();
      await page.getByRole("row", { name: /run\.sh No format that Docent reads/ }).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await button(page, /^Upload \d/).click();

      for (const row of [
        /^files\/columns\.pdf.* PDF, \d pages?, \d+ passages?.* Added/,
        /^files\/deck\.pptx.* Slides, \d slides?, \d+ passages?.* Added/,
        /^files\/people\.xlsx.* Spreadsheet, \d+ passages?.* Added/,
        /^files\/password\.pdf.* No page.* is encrypted: it needs a password.* Left out/,
        /^files\/broken\.docx.* No page.* is not a Word document.* Left out/,
        /^index\.md.* Mixed Page, 1 passage Added/,
      ])
        await page.getByRole("row", { name: row }).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page
        .getByRole("row", { name: /^index\.md/ })
        .getByRole("link", { name: "Mixed" })
        .click();
      await page.getByRole("heading", { name: "Mixed" }).first().waitFor();
    });
  });

  test("an upload is stopped with the dialog that it is in, and leads nowhere afterwards", async () => {
    await withVisit({}, async (page) => {
      const isUpload = (request: { url(): string }) => request.url().includes("/uploads");
      await page.route("**/uploads*", () => {});
      await page.goto(await content());
      await button(page, "Add a source").click();
      await page.locator('input[data-choose="folder"]').setInputFiles(join(folder.path, "handbook"));
      await Promise.all([page.waitForRequest(isUpload), button(page, /^Upload \d/).click()]);
      await button(page, "Stop").waitFor();
      await Promise.all([page.waitForEvent("requestfailed", isUpload), page.keyboard.press("Escape")]);
      expect(page.url()).toBe(await content());
    });
  });

  test("who only looks sees all of it, and nothing that changes it", async () => {
    const { people } = docent.app.parts;
    const { organizationId } = await people.sites.get("acme-handbook");
    const { link } = await people.members.invite("Vera", { organizationId, role: "viewer" });
    const owners = cookies;
    cookies = [];
    await withVisit({}, async (page) => {
      await page.goto(signInLink(docent.url, link.text));
      await field(page, "Password").fill(PASSWORD);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Sites", exact: true }).waitFor();
      for (const [path, words] of [
        ["", "handbook.zip"],
        ["/sources/1", "begins with an underscore"],
        ["/generations", "Readers see this one"],
      ]) {
        await page.goto(await content(path));
        await text(page, words ?? "");
        const names = /add a source|read now|upload again|remove|go (back|forward)|more for/i;
        expect([path, await page.getByRole("button", { name: names }).count()]).toEqual([path, 0]);
      }
      await page.goto(`${docent.url}/new`);
      await text(page, "Only owners add sites");
    });
    cookies = owners;
  });
});
