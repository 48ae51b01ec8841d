import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { NOTICE_KINDS } from "../../src/sites/notices/notices.ts";
import { type MemberDoor, type MemberName, startMemberDoor } from "../helpers/member-door.ts";
import {
  accessibilityFaults,
  sharedBrowser,
  type TestBrowser,
  type Visit,
  type VisitOptions,
} from "./browser.ts";

setDefaultTimeout(300_000);

/** What the other side was sent, and what it says. */
interface Received {
  path: string;
  signature: string | null;
  notice: Record<string, unknown>;
}

const received: Received[] = [];
let status = 200;
let hook: ReturnType<typeof Bun.serve>;
let browser: TestBrowser;
let door: MemberDoor;
beforeAll(async () => {
  hook = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const signature = request.headers.get("x-docent-signature");
      received.push({ path: new URL(request.url).pathname, signature, notice: Object(await request.json()) });
      return new Response("what it says is for nobody", { status });
    },
  });
  [browser, door] = await Promise.all([
    sharedBrowser(),
    startMemberDoor({ docs: null, settings: { hand_over_hosts: `127.0.0.1:${hook.port}` } }),
  ]);
});
afterEach(() => {
  status = 200;
});
afterAll(async () => {
  await door.close();
  await hook.stop(true);
});

async function withVisit(
  as: MemberName,
  run: (page: Page, visit: Visit) => Promise<void>,
  options: VisitOptions = {},
) {
  const visit = await browser.visit({ expectErrors: /status of 400/, ...options });
  const [name = "", value = ""] = door.cookies[as].split("=");
  await visit.context.addCookies([{ name, value, url: door.url }]);
  await run(visit.page, visit);
  await visit.end();
}

const open = async (page: Page) => {
  await page.goto(`${door.url}/notices`);
  await page.getByRole("heading", { name: "Notices", exact: true }).waitFor();
  await page.getByText("Loading").waitFor({ state: "detached" });
};
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const address = (path: string) => `http://127.0.0.1:${hook.port}${path}`;

/** Fills in what adds a webhook, in the dialog that is open. */
async function fillIn(page: Page, name: string, where: string) {
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Sent by", { exact: true }).selectOption({ label: "Webhook" });
  await page.getByLabel("Address", { exact: true }).fill(where);
}

describe("an owner", () => {
  test("adds a webhook, tries it, and sees that it arrived; changes what it is told of, and removes it", async () => {
    await withVisit("root", async (page) => {
      await open(page);
      await page.getByText("Nobody is told of anything").waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await button(page, "Add a destination").click();
      await fillIn(page, "Operations", "http://127.0.0.1:1/x");
      expect(await accessibilityFaults(page)).toEqual([]);
      await button(page, "Add it").click();
      await page.getByText("which the server's setting hand_over_hosts does not name").waitFor();
      const everyChange = page.getByRole("switch", { name: "A generation changes something for readers" });
      expect(await everyChange.isChecked()).toBe(false);
      await page.getByLabel("Address", { exact: true }).fill(address("/geheim"));
      await page.getByRole("switch", { name: "More questions go unanswered" }).click();
      await button(page, "Add it").click();
      await page.getByRole("heading", { name: "Operations is added" }).waitFor();
      const secret = await page.getByRole("region", { name: "Secret of Operations" }).textContent();
      expect(secret).toMatch(/docent_whs_\w+/);
      await button(page, "I have saved it").click();

      const added = card(page, "Operations");
      await added.getByText("Nothing was sent there yet.").waitFor();
      await added.getByText("Golden questions get worse").waitFor();
      expect(await added.getByText("More questions go unanswered").count()).toBe(0);
      // Whoever wants to hear of every change says so.
      expect(await added.getByText("A generation changes something for readers").count()).toBe(0);
      expect(await page.content()).not.toContain("geheim");
      received.length = 0;
      await button(page, "Try Operations").click();
      await added.getByRole("status").getByText("The sample arrived.").waitFor();
      await added.getByText("The other side answered with status 200.").waitFor();
      expect(received).toMatchObject([
        { path: "/geheim", signature: expect.stringMatching(/^sha256=/), notice: { kind: "test" } },
      ]);
      expect(await accessibilityFaults(page)).toEqual([]);

      await button(page, "Actions for Operations").click();
      await page.getByRole("menuitem", { name: "Change" }).click();
      await page.getByLabel("Name", { exact: true }).fill("On call");
      for (const kind of await page.getByRole("switch").all()) await kind.uncheck();
      await page.getByLabel("Name", { exact: true }).press("Enter");
      await card(page, "On call").getByText("Never: nothing is chosen.").waitFor();

      await button(page, "Actions for On call").click();
      await page.getByRole("menuitem", { name: "Remove" }).click();
      await button(page, "Remove On call").click();
      await page.getByText("Nobody is told of anything").waitFor();
    });
  });

  test("sees that a sample was refused, why, and what to do; and what of the notices was not delivered", async () => {
    const { notices, storage } = door.app.parts;
    const added = await notices.add({
      organizationId: undefined,
      name: "Chat",
      channel: "chat",
      address: address("/hooks/abc"),
      kinds: ["source-failing"],
    });
    await withVisit("root", async (page) => {
      await open(page);
      const shown = card(page, "Chat");
      for (const [code, says] of [
        [403, "The other side answered with status 403. It does not let Docent in"],
        [503, "The other side answered with status 503. It has a fault of its own."],
      ] as const) {
        status = code;
        await button(page, "Try Chat").click();
        await shown.getByRole("status").getByText("The sample did not arrive.").waitFor();
        await shown.getByText(says).waitFor();
      }
      expect(await accessibilityFaults(page)).toEqual([]);

      // A notice that is refused again and again is given up, and one waits for its next try.
      const at = Date.now();
      const notice = {
        kind: "source-failing",
        state: "bad",
        site: undefined,
        title: "t",
        text: "t",
      } as const;
      const queued = ["a", "b"].map((id) => ({
        id,
        destinationId: added.id,
        notice: { ...notice, id, url: undefined, at },
        madeAt: at,
        tries: 0,
        nextTryAt: at + 3_600_000,
        state: "waiting" as const,
        says: undefined,
        triedAt: undefined,
      }));
      await storage.people.notices.note({ bad: [], over: [] }, queued, 10);
      const failed = { says: "status 503", triedAt: at } as const;
      await storage.people.notices.setTry("a", {
        ...failed,
        tries: 6,
        state: "failed",
        nextTryAt: undefined,
      });
      await storage.people.notices.setTry("b", {
        ...failed,
        tries: 1,
        state: "waiting",
        nextTryAt: at + 3_600_000,
      });
      await open(page);
      await shown.getByText("The last notice was tried just now, and could not be delivered.").waitFor();
      await shown.getByText("1 notice waits to be sent again.").waitFor();
      await shown
        .getByText("1 notice of the last 30 days could not be delivered, and was given up.")
        .waitFor();
      await button(page, "Actions for Chat").click();
      await page.getByRole("menuitem", { name: "Remove" }).click();
      await page.getByText("1 notice that still waits is not sent.").waitFor();
      await button(page, "Remove Chat").click();
      await shown.waitFor({ state: "detached" });
      // The keyboard goes on where the page begins, when the last one is gone.
      expect(await page.evaluate("document.activeElement?.tagName")).toBe("H1");
    });
  });

  test("does all of it by the keyboard, and comes back to where they were", async () => {
    await withVisit("owner", async (page) => {
      await open(page);
      await button(page, "Add a destination").focus();
      await page.keyboard.press("Enter");
      await page.keyboard.type("Docs team");
      await page.keyboard.press("Tab");
      await page.getByLabel("Sent by", { exact: true }).selectOption({ label: "Webhook" });
      await page.keyboard.press("Tab");
      await page.keyboard.type(address("/docs"));
      // Nothing of the server is offered, nor another owner.
      expect(await page.getByRole("switch", { name: "The disk is nearly full" }).count()).toBe(0);
      expect(await page.getByLabel("It is told of").count()).toBe(0);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Docs team is added" }).waitFor();
      await button(page, "I have saved it").press("Enter");
      await button(page, "Try Docs team").press("Enter");
      await card(page, "Docs team").getByText("The sample arrived.").waitFor();
      expect(await page.evaluate("document.activeElement?.getAttribute('aria-label')")).toBe("Try Docs team");
      await card(page, "Docs team").getByText("The sites of default").waitFor();
    });
  });
});

describe("who may do what", () => {
  test("a viewer looks, and owners of other organizations see nothing of it", async () => {
    await withVisit("viewer", async (page) => {
      await open(page);
      await card(page, "Docs team").waitFor();
      for (const name of ["Add a destination", "Try Docs team", "Actions for Docs team"])
        expect([name, await button(page, name).count()]).toEqual([name, 0]);
      // It is no place of theirs, as what owners do besides.
      expect(await page.getByRole("link", { name: "Notices" }).count()).toBe(0);
    });
    await withVisit("foreign", async (page) => {
      await open(page);
      await page.getByText("Nobody is told of anything").waitFor();
    });
  });
});

const WIDTHS = [390, 1440];

/** Nobody is kept out, and nothing is wider than the window. */
async function atEachWidth(page: Page): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(
      Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth")),
    ).toBeLessThanOrEqual(0);
  }
}

describe("every look", () => {
  for (const theme of ["light", "dark"] as const)
    test(`${theme}, at ${WIDTHS.join(" and ")} px: with a long address and whatever went wrong`, async () => {
      status = 410;
      const looks = { theme, height: 900 };
      await withVisit(
        "root",
        async (page) => {
          const { id } = await door.app.parts.notices.add({
            organizationId: undefined,
            name: `Averyveryverylongnamewithoutanyspaceinit${"x".repeat(40)}`,
            channel: "chat",
            address: address("/x"),
            kinds: NOTICE_KINDS.filter((kind) => kind !== "backup-failed"),
          });
          await open(page);
          await page.getByRole("button", { name: /^Try Avery/ }).click();
          await page.getByText("There is nothing at this address any more.").waitFor();
          await atEachWidth(page);
          await page.getByRole("button", { name: /^Actions for Avery/ }).click();
          await page.getByRole("menuitem", { name: "Change" }).click();
          await page.getByRole("switch").first().waitFor();
          await atEachWidth(page);
          await door.app.parts.notices.remove(id);
        },
        looks,
      );
    });
});

describe("a sealed server", () => {
  test("says that it sends nothing and why, shows what is wrong, and offers no destination", async () => {
    const sealed = await startMemberDoor({ docs: null, settings: { sealed: "on" } });
    try {
      const { people, sources, storage } = sealed.app.parts;
      const site = await people.sites.get("acme");
      const { id } = await storage.content.sources.open(
        { siteId: site.id, kind: "folder", location: "/nowhere/at/all", version: "", language: "" },
        1,
      );
      const run = sources.ofSites.run(site, await sources.ofSites.get(site.id, id), {
        signal: new AbortController().signal,
      });
      await expect(run).rejects.toThrow();
      await storage.people.notices.addDestination(
        {
          id: "before",
          organizationId: undefined,
          name: "Chat",
          channel: "chat",
          address: "https://chat.example.com/hooks/x",
          secret: undefined,
          kinds: ["source-failing"],
          createdAt: 1,
        },
        20,
      );
      for (const theme of ["light", "dark"] as const) {
        const visit = await browser.visit({ theme });
        const [name = "", value = ""] = sealed.cookies.root.split("=");
        await visit.context.addCookies([{ name, value, url: sealed.url }]);
        await visit.page.goto(`${sealed.url}/notices`);
        await visit.page.getByText("This server is sealed").waitFor();
        expect(await button(visit.page, "Add a destination").count()).toBe(0);
        await button(visit.page, "Try Chat").click();
        await card(visit.page, "Chat").getByText("for a program inside to fetch.").waitFor();
        await card(visit.page, "Wrong now").getByText("/nowhere/at/all could not be read").waitFor();
        await atEachWidth(visit.page);
        await visit.page.goto(`${sealed.url}/server`);
        await visit.page.getByText("It connects to Ollama and its database alone.").waitFor();
        await atEachWidth(visit.page);
        await visit.end();
      }
    } finally {
      await sealed.close();
    }
  });
});
