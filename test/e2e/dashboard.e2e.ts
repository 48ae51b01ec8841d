import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import {
  accessibilityFaults,
  sharedBrowser,
  type TestBrowser,
  type Visit,
  type VisitOptions,
} from "./browser.ts";

setDefaultTimeout(300_000);

const PASSWORD = "correct horse battery";
/** Browsers write down that a request was refused, even where that is the answer that was looked for. */
const REFUSALS = /Failed to load resource: the server responded with a status of 40[0134]/;

let browser: TestBrowser;
let docent: TestDocent;
let cookies: Awaited<ReturnType<Visit["context"]["cookies"]>>;
beforeAll(async () => {
  [browser, docent] = await Promise.all([sharedBrowser(), startDocent()]);
  await docent.app.parts.people.sites.addOrganization("Northwind");
  await docent.app.parts.people.sites.add({
    domain: "docs.northwind",
    name: "Northwind",
    organization: "Northwind",
  });
});
afterAll(async () => {
  await docent.close();
});

async function withVisit(options: VisitOptions, run: (page: Page, visit: Visit) => Promise<void>) {
  const visit = await browser.visit({ expectErrors: REFUSALS, ...options });
  await run(visit.page, visit);
  await visit.end();
}

/** A browser in which Ada, who owns the server, is signed in. */
async function signedIn(options: VisitOptions, run: (page: Page, visit: Visit) => Promise<void>) {
  await withVisit(options, async (page, visit) => {
    await visit.context.addCookies(cookies);
    await run(page, visit);
  });
}

const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true }).waitFor();

describe("signing in", () => {
  test("the first link: a name and a password, by the keyboard alone, make the server's owner", async () => {
    await withVisit({}, async (page, { context }) => {
      const link = await docent.app.parts.people.members.firstLink();
      await page.goto(`${docent.url}/sign-in#link=${link?.text}`);
      await heading(page, "Welcome to Docent");
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.keyboard.type("Ada Lovelace");
      await page.keyboard.press("Tab");
      await page.keyboard.type("short");
      await page.keyboard.press("Enter");
      await page.getByText("Must have at least 10 characters").waitFor();
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.type(PASSWORD);
      await page.keyboard.press("Enter");
      await heading(page, "Sites");
      expect(page.url()).toBe(`${docent.url}/`);
      cookies = await context.cookies();
      // The session, and that this name has signed in here.
      expect(cookies.map(({ httpOnly, sameSite }) => ({ httpOnly, sameSite }))).toEqual([
        { httpOnly: true, sameSite: "Strict" },
        { httpOnly: true, sameSite: "Strict" },
      ]);
      expect(await page.evaluate("document.cookie")).toBe("");
    });
  });

  test("a page that was asked for is shown after signing in, at its whole address", async () => {
    await withVisit({ width: 390, height: 844, theme: "dark" }, async (page) => {
      await page.goto(`${docent.url}/members?from=mail`);
      await heading(page, "Sign in");
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.getByLabel("Name", { exact: true }).fill("ada lovelace");
      await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await heading(page, "Members");
      expect(page.url()).toBe(`${docent.url}/members?from=mail`);
    });
  });

  test("no address of elsewhere is gone to", async () => {
    await signedIn({}, async (page) => {
      for (const next of [
        "//evil.example/",
        "https://evil.example/",
        "/\\evil.example",
        "javascript:alert(1)",
      ]) {
        await page.goto(`${docent.url}/sign-in?next=${encodeURIComponent(next)}`);
        await heading(page, "Sites");
        expect(page.url()).toBe(`${docent.url}/`);
      }
    });
  });

  test("a session that ends in mid-work loses nothing that was typed", async () => {
    await withVisit({}, async (page) => {
      await page.goto(docent.url);
      await page.getByLabel("Name", { exact: true }).fill("Ada Lovelace");
      await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await page.keyboard.press("Enter");
      await heading(page, "Sites");
      await page.getByRole("link", { name: "Members" }).click();
      await page.getByRole("button", { name: "Invite someone" }).click();
      await page.getByLabel("Name", { exact: true }).fill("Grace Hopper");
      await page.context().clearCookies();
      await page.getByRole("button", { name: "Make the invitation" }).click();
      await heading(page, "Please sign in again");
      expect(await accessibilityFaults(page)).toEqual([]);
      // Browsers close a dialog that does not let go.
      for (let time = 0; time < 4; time++) await page.keyboard.press("Escape");
      await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await page.keyboard.press("Enter");
      await heading(page, "Grace Hopper is invited");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "I have copied it" }).click();
      await page.getByRole("rowheader", { name: /Grace Hopper/ }).waitFor();
    });
  });
});

describe("getting about", () => {
  test("by links: the address, the title and the keyboard go along, and back is back", async () => {
    await signedIn({}, async (page) => {
      await page.goto(docent.url);
      await heading(page, "Sites");
      await page.getByRole("link", { name: "Members" }).click();
      await heading(page, "Members");
      expect(new URL(page.url()).pathname).toBe("/members");
      expect(await page.title()).toBe("Members · Docent");
      expect(await page.evaluate("document.activeElement?.tagName")).toBe("H1");
      await page.goBack();
      await heading(page, "Sites");
      await page.goForward();
      await heading(page, "Members");
    });
  });

  test("the first press of Tab offers to skip to the page", async () => {
    await signedIn({}, async (page) => {
      await page.goto(`${docent.url}/account`);
      await heading(page, "Your account");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      expect(await page.evaluate("document.activeElement?.id")).toBe("main");
      expect(new URL(page.url()).pathname).toBe("/account");
    });
  });

  test("a theme that was chosen is there after a reload", async () => {
    await signedIn({ theme: "light" }, async (page) => {
      await page.goto(docent.url);
      await page.getByRole("button", { name: "Theme: as the system" }).click();
      await page.getByRole("menuitem", { name: "Dark" }).click();
      const ground = () => page.evaluate("getComputedStyle(document.body.parentElement).backgroundColor");
      const dark = await ground();
      await page.reload();
      await page.getByRole("button", { name: "Theme: dark" }).waitFor();
      expect(await ground()).toBe(dark);
      expect(dark).not.toBe("rgb(246, 247, 248)");
    });
  });

  test("on a phone, the menu is a drawer: it keeps the focus, closes by Escape and by a choice", async () => {
    await signedIn({ width: 390, height: 844 }, async (page) => {
      await page.goto(`${docent.url}/dashboard/Northwind/docs.northwind`);
      const open = page.getByRole("button", { name: "Open the menu" });
      await open.click();
      await page.getByRole("dialog", { name: "Menu" }).getByRole("link", { name: "Gaps" }).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.keyboard.press("Escape");
      expect(await open.evaluate((button) => button === document.activeElement)).toBe(true);
      await open.click();
      await page.getByRole("dialog", { name: "Menu" }).getByRole("link", { name: "Members" }).click();
      await heading(page, "Members");
      expect(await page.getByRole("dialog").count()).toBe(0);
    });
  });

  test("an organization's former name in an address is put right", async () => {
    await signedIn({}, async (page) => {
      await page.goto(`${docent.url}/dashboard/Old%20name/docs.northwind/nothing?a=b`);
      await page.waitForURL(`${docent.url}/dashboard/Northwind/docs.northwind/nothing?a=b`);
      await heading(page, "There is no such page");
    });
  });
});

describe("every look", () => {
  for (const theme of ["light", "dark"] as const)
    for (const [path, title] of [
      ["/", "Sites"],
      ["/members", "Members"],
      ["/notices", "Notices"],
      ["/audit", "Audit log"],
      ["/account", "Your account"],
    ] as const)
      test(`${path}, ${theme}: no fault for screen readers, and nothing is wider than the window, at any width`, async () => {
        await signedIn({ width: 390, theme }, async (page) => {
          await page.goto(docent.url + path);
          await heading(page, title);
          await page.getByText("Loading").waitFor({ state: "detached" });
          for (const width of [390, 720, 1440, 2560]) {
            await page.setViewportSize({ width, height: 900 });
            expect({ width, faults: await accessibilityFaults(page) }).toEqual({ width, faults: [] });
            const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
            expect({ width, isWider: Number(overflow) > 0 }).toEqual({ width, isWider: false });
          }
        });
      });
});

test("in forced colours, what is current is told apart by a line around it", async () => {
  await signedIn({}, async (page) => {
    const lineAround = (link: Element) => getComputedStyle(link).outlineStyle;
    await page.goto(`${docent.url}/members`);
    const current = page.locator(".sidebar-link[aria-current]");
    expect(await current.evaluate(lineAround)).toBe("none");
    await page.emulateMedia({ forcedColors: "active" });
    expect(await current.evaluate(lineAround)).toBe("solid");
  });
});

test("on paper there is what a page says, and nothing to press", async () => {
  await signedIn({}, async (page) => {
    await page.goto(`${docent.url}/members`);
    await heading(page, "Members");
    await page.emulateMedia({ media: "print" });
    expect(await page.getByRole("heading", { name: "Members", exact: true }).isVisible()).toBe(true);
    for (const role of ["navigation", "button", "banner"] as const)
      expect([role, await page.getByRole(role).count()]).toEqual([role, 0]);
  });
});

test("names are text wherever they stand, whatever is in them", async () => {
  const { parts } = docent.app;
  const EVIL = '<img src=x onerror="document.title=1">';
  const organization = await parts.people.sites.addOrganization(EVIL);
  await parts.people.sites.add({ domain: "evil", name: EVIL, organization: EVIL });
  await parts.people.members.invite(`${EVIL} 2`, { organizationId: organization.id, role: "viewer" });
  await signedIn({}, async (page) => {
    for (const path of ["/", "/members", "/account", `/dashboard/${encodeURIComponent(EVIL)}/evil/nothing`]) {
      await page.goto(docent.url + path);
      await page.getByText(EVIL).first().waitFor();
      expect({ path, images: await page.locator("img").count() }).toEqual({ path, images: 0 });
      expect(await page.title()).toContain("Docent");
    }
  });
});
