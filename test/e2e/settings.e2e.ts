import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { databaseOf } from "../helpers/database-of.ts";
import { type FakeOllama, startFakeOllama } from "../helpers/fake-ollama.ts";
import { type MemberDoor, type MemberName, startMemberDoor } from "../helpers/member-door.ts";
import {
  accessibilityFaults,
  sharedBrowser,
  type TestBrowser,
  type Visit,
  type VisitOptions,
} from "./browser.ts";

setDefaultTimeout(300_000);

const ATTACK = `<img src=x onerror="window.harmed=1"><script>window.harmed=1</script>`;
const REFUSALS = /Failed to load resource: the server responded with a status of (40\d|409)/;

let browser: TestBrowser;
let ollama: FakeOllama;
let door: MemberDoor;
beforeAll(async () => {
  ollama = startFakeOllama({
    models: [{ name: "tiny:latest" }, { name: "large:7b" }],
    reply: {
      text: `Run the **installer** [1]. ${ATTACK} [out](javascript:window.harmed=1)`.split(/(?<= )/),
      tokenMs: 5,
    },
  });
  [browser, door] = await Promise.all([sharedBrowser(), startMemberDoor({ ollama: ollama.url })]);
});
afterAll(async () => {
  await door.close();
  await ollama.stop();
});

interface As extends VisitOptions {
  as?: MemberName;
}

async function withVisit({ as = "root", ...options }: As, run: (page: Page, visit: Visit) => Promise<void>) {
  const visit = await browser.visit({ expectErrors: REFUSALS, ...options });
  const [name = "", value = ""] = door.cookies[as].split("=");
  await visit.context.addCookies([{ name, value, url: door.url }]);
  await run(visit.page, visit);
  expect(await visit.page.evaluate("window.harmed")).toBeUndefined();
  await visit.end();
}

const at = (page: Page, path: string) => page.goto(`${door.url}/dashboard/default/acme/${path}`);
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const settings = async () => (await door.app.parts.people.sites.get("acme")).settings;
const saved = (page: Page) => page.getByText("Saved.", { exact: true }).first().waitFor();

describe("settings", () => {
  test("are changed, taken back, and guarded while they are not saved", async () => {
    await withVisit({}, async (page) => {
      await at(page, "settings");
      await page.getByRole("link", { name: "Answers" }).last().click();
      await page.getByPlaceholder("docs@example.com").fill("help@acme.example");
      await page.getByText("You have changes that are not saved.").waitFor();
      await page.getByRole("link", { name: "Limits" }).click();
      await button(page, "Cancel").click();
      await page.goBack();
      await button(page, "Cancel").click();
      expect(await page.getByPlaceholder("docs@example.com").inputValue()).toBe("help@acme.example");
      await button(page, "Save").click();
      await saved(page);
      expect((await settings()).contact).toBe("help@acme.example");
      await button(page, "Undo").click();
      await page.getByText("The change is undone.").waitFor();
      expect((await settings()).contact).toBe("");
      await page.getByPlaceholder("docs@example.com").fill("help@acme.example");
      await page.goBack();
      await button(page, "Leave").click();
      await page.waitForURL(`${door.url}/dashboard/default/acme/settings`);
      expect(await page.title()).toStartWith("General · Settings · ");
    });
  });

  test("what the server refuses stands beside its field", async () => {
    await withVisit({}, async (page) => {
      await at(page, "settings/access");
      await button(page, "Add an origin").click();
      await field(page, "Origin 1").fill("docs.acme.example");
      await button(page, "Save").click();
      await page.getByText(/Number 1 must be like https/).waitFor();
      expect((await settings()).origins).toEqual([]);
      await field(page, "Origin 1").fill("https://docs.acme.example");
      await button(page, "Save").click();
      await saved(page);
      expect((await settings()).origins).toEqual(["https://docs.acme.example"]);
    });
    await door.app.parts.people.sites.set("acme", { settings: { origins: [] } });
  });

  test("that the site moved here from a hosted assistant is one switch", async () => {
    await withVisit({}, async (page) => {
      await at(page, "settings/access");
      await page.getByRole("switch", { name: /moved here/ }).click();
      await button(page, "Save").click();
      await saved(page);
      expect((await settings()).movedFromHosted).toBe(true);
      expect(await accessibilityFaults(page)).toEqual([]);
    });
    await door.app.parts.people.sites.set("acme", { settings: { movedFromHosted: false } });
  });

  test("another model answers the site once it is chosen", async () => {
    await withVisit({}, async (page) => {
      await at(page, "settings/model");
      await page.getByLabel("Answers are written by").selectOption("large:7b");
      await page.getByRole("switch", { name: /A relevance of its own/ }).click();
      await page.getByRole("slider").press("ArrowLeft");
      await button(page, "Save").click();
      await saved(page);
      expect(await settings()).toMatchObject({ model: "large:7b", relevanceMin: 0.45 });
    });
    await door.app.parts.people.sites.set("acme", { settings: { model: "", relevanceMin: null } });
  });

  test("a viewer sees them and can change none; what only owners do is not offered", async () => {
    await withVisit({ as: "viewer" }, async (page) => {
      await at(page, "settings");
      await page.getByText("An owner can change them.").waitFor();
      expect(await field(page, "Name").isDisabled()).toBe(true);
      expect(await page.getByRole("link", { name: "Remove", exact: true }).count()).toBe(0);
      await at(page, "settings/keys");
      await page.getByRole("table").waitFor();
      expect(await button(page, "Make a key").count()).toBe(0);
    });
  });

  test("a site is removed when its domain was typed, and not before", async () => {
    await door.app.parts.people.sites.add({ domain: "old.docs", name: `Old ${ATTACK}` });
    await withVisit({}, async (page) => {
      await page.goto(`${door.url}/dashboard/default/old.docs/settings/remove`);
      await button(page, "Remove this site").click();
      expect(await button(page, "Remove the site").isDisabled()).toBe(true);
      await page.getByLabel("Type old.docs to go on").fill("old.docs");
      await button(page, "Remove the site").click();
      await page.getByText(/is removed\./).waitFor();
      expect((await door.app.parts.people.sites.list()).map(({ domain }) => domain)).not.toContain(
        "old.docs",
      );
    });
  });
});

describe("the widget designer", () => {
  const frame = (page: Page) => page.frameLocator('iframe[title="Preview of the widget"]');

  test("shows the widget itself as it is changed, answers in it, and keeps nothing of that", async () => {
    await withVisit({ opensShadows: true }, async (page, { requests }) => {
      await at(page, "settings/widget");
      await frame(page).getByRole("button", { name: /Ask/ }).first().click();
      await frame(page).getByRole("textbox").fill("How do I install Acme on Linux?");
      await page.keyboard.press("Enter");
      await frame(page).getByText("installer").first().waitFor();
      expect(databaseOf(door.app).query("SELECT id FROM turns").all()).toEqual([]);
      expect(requests.filter((each) => each.includes("/v2/assistant/"))).toEqual([]);

      await page.getByLabel("On the button").fill(`Frag ${ATTACK}`);
      await page.getByLabel("Accent", { exact: true }).last().fill("#b3261e");
      await frame(page).getByText(`Frag ${ATTACK}`).first().waitFor({ state: "attached" });
      expect(
        await frame(page)
          .locator("body")
          .evaluate(() => Reflect.get(window, "harmed")),
      ).toBeUndefined();
      await button(page, "Save").click();
      await saved(page);
      expect((await settings()).widget).toMatchObject({
        accent: "#b3261e",
        labels: { open: `Frag ${ATTACK}` },
      });
      expect(await accessibilityFaults(page)).toEqual([]);
    });
    await door.app.parts.people.sites.set("acme", {
      settings: { widget: { labels: {}, accent: "#2456c9" } },
    });
  });

  test("each shape is seen, on a phone and on a dark page", async () => {
    await withVisit({ opensShadows: true }, async (page) => {
      await at(page, "settings/widget");
      await page.getByLabel("Width of the preview").selectOption("phone");
      await page.getByLabel("Page of the preview").selectOption("dark");
      await page.getByLabel("Shape").selectOption("inline");
      await frame(page).locator("#assistant docent-widget textarea").waitFor();
      await page.getByLabel("Shape").selectOption("modal");
      await frame(page).locator(".launcher").click();
      await frame(page).locator("dialog[open]").waitFor();
      await button(page, "Discard").click();
    });
  });

  test("the snippet holds a key that works", async () => {
    await withVisit({}, async (page) => {
      await at(page, "settings/widget");
      const snippet = await page.getByLabel("Snippet").locator("code").textContent();
      expect(snippet).toContain(`src="${door.url}/widget.js"`);
      const key = /data-key="([^"]+)"/.exec(snippet ?? "")?.[1];
      const reply = await fetch(`${door.url}/v1/widget/acme`, {
        headers: { authorization: `Bearer ${key}` },
      });
      expect(reply.status).toBe(200);
    });
  });
});

describe("keys", () => {
  test("one is made for the site, and revoked", async () => {
    await withVisit({ as: "owner" }, async (page) => {
      await at(page, "settings/keys");
      await button(page, "Make a key").click();
      await page.getByLabel(/^Name/).fill("Docs widget");
      await page.getByLabel("Ends").selectOption("90");
      await page.getByText("Only from some addresses").click();
      await button(page, "Add an address").click();
      await field(page, "Address 1").fill("nonsense");
      await button(page, "Make the key").click();
      await page.getByText(/is not an address/).waitFor();
      await field(page, "Address 1").fill("10.0.0.0/8");
      expect(await accessibilityFaults(page)).toEqual([]);
      await button(page, "Make the key").click();
      await page.getByText("The key is made.").waitFor();
      const made = (await door.app.parts.people.keys.list()).find(({ name }) => name === "Docs widget");
      expect(made).toMatchObject({ addresses: ["10.0.0.0/8"], allSites: false });
      await button(page, "Revoke Docs widget").click();
      await button(page, "Revoke the key").click();
      await page.getByText("Docs widget is revoked.").waitFor();
      expect(await page.getByText("Admin keys").count()).toBe(0);
    });
  });

  test("an admin key is shown once, to an owner of the server", async () => {
    await withVisit({}, async (page) => {
      await at(page, "settings/keys");
      await button(page, "Make an admin key").click();
      await page.getByLabel("Name", { exact: true }).fill("Reports");
      await button(page, "Make the key").click();
      const text = await page.getByLabel("Admin key", { exact: true }).locator("code").textContent();
      expect(text).toStartWith("docent_adm_");
      await button(page, "I have saved it").click();
      await page.reload();
      await page.getByText("Reports").waitFor();
      expect(await page.content()).not.toContain(text ?? "");
    });
  });
});

describe("the playground", () => {
  test("asks as a reader would, shows what is behind the answer, and runs nothing of it", async () => {
    await withVisit({}, async (page) => {
      await at(page, "playground");
      await page.getByRole("textbox", { name: "Question" }).fill("How do I install Acme on Linux?");
      await page.keyboard.press("Enter");
      await page.getByText("Answered").waitFor();
      await page.getByText("tiny:latest").first().waitFor();
      await page.getByText("cited").first().waitFor();
      await page.getByRole("tab", { name: /Stream/ }).click();
      await page.getByText("text-delta", { exact: true }).click();
      await page.getByText(/"type":"text-delta"/).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.getByLabel("Model").selectOption("large:7b");
      await page.getByLabel("Passages", { exact: true }).fill("1");
      await page.getByRole("textbox", { name: "Question" }).fill("How do I install Acme on Windows?");
      await page.keyboard.press("Enter");
      await page.getByText("large:7b").first().waitFor();
      await page.getByRole("tab", { name: /^Passages ?1$/ }).waitFor();
      expect(databaseOf(door.app).query("SELECT id FROM turns").all()).toEqual([]);
    });
  });

  test("colours code, and its field covers nothing in a low window", async () => {
    ollama.replyWith({
      text: `Run it [1].\n\n\`\`\`js\nconst one = 1;\n\`\`\`\n\n${"A line.\n\n".repeat(20)}`,
    });
    await withVisit({ width: 720, height: 450 }, async (page) => {
      await at(page, "playground");
      const field = page.getByRole("textbox", { name: "Question" });
      await field.fill("How do I install Acme on Linux?");
      await page.keyboard.press("Enter");
      await page.locator(".markdown-text .hl-keyword", { hasText: "const" }).waitFor();
      const answer = await page.locator(".try-turn").boundingBox();
      expect((await field.boundingBox())?.y).toBeGreaterThan((answer?.y ?? 0) + (answer?.height ?? 0));
    });
    ollama.replyWith({ text: "Run the installer [1]." });
  });

  test("an answer is stopped, and the model with it", async () => {
    ollama.replyWith({ text: ["word "], endless: true, tokenMs: 20 });
    await withVisit({ as: "viewer" }, async (page) => {
      await at(page, "playground");
      await page.getByRole("textbox", { name: "Question" }).fill("How do I install Acme on macOS?");
      await page.keyboard.press("Enter");
      await page.getByText("word word").waitFor();
      await button(page, "Stop").click();
      await page.getByText("Stopped.").waitFor();
      await ollama.until(() => ollama.chats.at(-1)?.aborted === true);
    });
    ollama.replyWith({ text: "Run the installer [1]." });
  });
});

describe("the server", () => {
  test("says how it is, takes an organization, and gives a backup", async () => {
    await withVisit({}, async (page) => {
      await page.goto(`${door.url}/server`);
      await page.getByText("Ready").waitFor();
      await page.getByText("Sites may choose: large:7b, tiny:latest.").waitFor();
      await page.getByText("No: it may connect to what its settings and sources name.").waitFor();
      expect(await page.getByText("Last bundle").count()).toBe(0);
      await button(page, "Add one").click();
      await page.getByLabel("Name", { exact: true }).fill("Third");
      await button(page, "Add it").click();
      await page.getByRole("rowheader", { name: "Third" }).waitFor();
      const download = page.waitForEvent("download");
      await button(page, "Download a backup").click();
      expect((await download).suggestedFilename()).toMatch(/^docent-backup-\d{4}-\d\d-\d\d\.db$/);
      expect(await accessibilityFaults(page)).toEqual([]);
    });
  });

  test("is not there for whom it does not belong to", async () => {
    await withVisit({ as: "owner" }, async (page) => {
      await page.goto(`${door.url}/server`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      expect(await page.getByText("Download a backup").count()).toBe(0);
      expect(await page.content()).not.toContain(door.data);
    });
  });
});

describe("everywhere", () => {
  const PAGES = [
    "settings",
    "settings/answers",
    "settings/model",
    "settings/limits",
    "settings/access",
    "settings/widget",
  ];
  test.each([
    { width: 390, theme: "dark" },
    { width: 1440, theme: "light" },
  ] as const)("nothing is wider than the screen, and nobody is kept out, at %j", async (options) => {
    await withVisit(options, async (page) => {
      for (const path of [...PAGES, "settings/keys", "settings/remove", "playground"]) {
        await at(page, path);
        await page.getByRole("heading", { level: 1 }).waitFor();
        await page.waitForLoadState("networkidle");
        expect(`${path}: ${await accessibilityFaults(page)}`).toBe(`${path}: `);
        const beyond = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
        expect(`${path}: ${await page.evaluate(beyond)}`).toBe(`${path}: 0`);
      }
    });
  });
});
