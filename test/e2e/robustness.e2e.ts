import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { type MemberDoor, PASSWORD, startMemberDoor } from "../helpers/member-door.ts";
import {
  accessibilityFaults,
  sharedBrowser,
  type TestBrowser,
  type Visit,
  type VisitOptions,
} from "./browser.ts";

// What goes wrong around the dashboard: servers that are gone, sessions that end, browsers that keep nothing, and names
// that no layout was made for.

setDefaultTimeout(300_000);

/** As long as a name may be, without a place to break it. */
const LONG_NAME = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
  .repeat(2)
  .slice(0, 100);
const RIGHT_TO_LEFT = "وثائق الأحجار الكريمة للمبتدئين";
const REFUSALS = /Failed to load resource/;

let browser: TestBrowser;
let door: MemberDoor;
let site: string;
beforeAll(async () => {
  [browser, door] = await Promise.all([sharedBrowser(), startMemberDoor()]);
  const { people } = door.app.parts;
  const { id } = await people.sites.addOrganization(LONG_NAME);
  await people.sites.add({ domain: "long", name: LONG_NAME, organization: id, settings: { public: true } });
  await people.sites.add({ domain: "rtl", name: RIGHT_TO_LEFT, organization: id });
  await people.keys.create({ organizationId: id, name: LONG_NAME });
  await people.members.invite(LONG_NAME, { organizationId: id, role: "viewer" });
  site = `/dashboard/${encodeURIComponent(LONG_NAME)}/long`;
});
afterAll(async () => {
  await door.close();
});

async function signedIn(options: VisitOptions, run: (page: Page, visit: Visit) => Promise<void>) {
  const visit = await browser.visit({ expectErrors: REFUSALS, ...options });
  const [name = "", value = ""] = door.cookies.root.split("=");
  await visit.context.addCookies([{ name, value, url: door.url }]);
  await run(visit.page, visit);
  await visit.end();
}

const OF_SITE = [
  "",
  "/conversations",
  "/gaps",
  "/answers",
  "/answers/new",
  "/content",
  "/content/pages",
  "/playground",
  "/settings",
  "/settings/widget",
  "/settings/keys",
  "/settings/remove",
  "/nothing",
];
const OF_SERVER = ["/", "/new", "/members", "/account", "/server"];
const settled = (page: Page) => page.waitForLoadState("networkidle");

describe("every page on a phone", () => {
  /** Each is opened once for all that is looked at. */
  const looks: { path: string; wider: unknown; small: string[] }[] = [];
  beforeAll(async () => {
    await signedIn({ width: 390, height: 844 }, async (page) => {
      for (const path of [...OF_SERVER, ...OF_SITE.map((each) => site + each), "/sites/long/"]) {
        await page.goto(door.url + path);
        await settled(page);
        const wider = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
        looks.push({ path, wider, small: await page.evaluate(writtenInTooSmall) });
      }
    });
  });

  test("is no wider than it, whatever name without a space it shows, as long as one may be", () => {
    expect(looks.length).toBeGreaterThan(OF_SERVER.length + OF_SITE.length);
    expect(looks.filter(({ wider }) => wider !== 0)).toEqual([]);
  });

  test("has letters large enough, where something is written in, that the phone does not zoom", () => {
    expect(looks.filter(({ small }) => small.length > 0)).toEqual([]);
  });

  test("shows the role behind a name without a space", async () => {
    await signedIn({ width: 390, height: 844 }, async (page) => {
      await page.goto(`${door.url}/members`);
      const role = page.getByText(/: viewer$/).last();
      await role.waitFor();
      const box = await role.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThan(390);
    });
  });
});

/** Runs in the page: the fields whose letters are so small that a phone zooms to them. */
function writtenInTooSmall(): string[] {
  return [...document.querySelectorAll("input, select, textarea")]
    .filter((each) => !/checkbox|radio|file|range|color/.test(each.getAttribute("type") ?? ""))
    .filter((each) => each.checkVisibility() && Number.parseFloat(getComputedStyle(each).fontSize) < 16)
    .map((each) => each.outerHTML.slice(0, 120));
}

describe("a server that fails", () => {
  const isData = ({ pathname }: URL) =>
    pathname.startsWith("/v1/") && pathname !== "/v1/session" && pathname !== "/v1/admin/sites";
  const FAULTS: [how: string, fulfil: Parameters<Page["route"]>[1]][] = [
    [
      "says so",
      (route) => route.fulfill({ status: 500, json: { message: "Internal error", code: "internal" } }),
    ],
    [
      "is a proxy's page",
      (route) => route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad</h1>" }),
    ],
    ["breaks off", (route) => route.fulfill({ contentType: "application/json", body: '{"pages": [' })],
    ["is gone", (route) => route.abort("connectionrefused")],
  ];
  /** What asks nothing before something is pressed, or can do without, is left out. */
  const READING = ["", "/conversations", "/gaps", "/answers", "/content", "/content/pages", "/settings/keys"];

  /** Each part that failed has its own way back; what is read again by itself may be faster. */
  async function recover(page: Page): Promise<void> {
    const alerts = page.getByRole("alert");
    for (const endsAt = Date.now() + 120_000; (await alerts.count()) > 0; ) {
      const again = alerts.getByRole("button", { name: "Try again" }).first();
      await again.click({ timeout: 1000 }).catch(() => {});
      await settled(page);
      if (Date.now() > endsAt) throw new Error(`still failed: ${page.url()}`);
    }
  }

  test.each(FAULTS)(
    "is told of on every page that reads from it, and can be asked again: %s",
    async (how, fulfil) => {
      await signedIn({}, async (page) => {
        for (const path of ["/members", "/account", "/server", ...READING.map((each) => site + each)]) {
          await page.route(isData, fulfil);
          await page.goto(door.url + path);
          await page.getByRole("alert").first().waitFor();
          // Whatever the fault, the same is built in its place: whether everybody can read it is asked of the first.
          if (how === FAULTS[0]?.[0]) expect(await accessibilityFaults(page)).toEqual([]);
          await page.unroute(isData);
          await recover(page);
        }
      });
    },
  );
});

test("a browser that keeps nothing shows everything", async () => {
  await signedIn({ opensShadows: true }, async (page, { context }) => {
    await context.addInitScript(() => {
      for (const name of ["localStorage", "sessionStorage"])
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException("denied", "SecurityError");
          },
        });
    });
    for (const path of [...OF_SERVER, ...OF_SITE.map((each) => site + each)]) {
      await page.goto(door.url + path);
      await page.getByRole("heading", { level: 1 }).waitFor();
    }
    await page.getByRole("button", { name: /^Theme/ }).click();
    await page.getByRole("menuitem", { name: "Dark" }).click();
    await page.getByRole("button", { name: "Theme: dark" }).waitFor();
  });
});

test("signed out in one tab, the other asks for the password and goes on", async () => {
  await signedIn({}, async (page, { context }) => {
    const cookie = await door.signIn("root");
    const [name = "", value = ""] = cookie.split("=");
    await context.addCookies([{ name, value, url: door.url }]);
    await page.goto(`${door.url}/members`);
    await page.getByRole("table").waitFor();
    const other = await context.newPage();
    await other.goto(`${door.url}/`);
    await other.getByRole("button", { name: /^Account of/ }).click();
    await other.getByRole("menuitem", { name: "Sign out" }).click();
    await other.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.getByRole("link", { name: "Server" }).click();
    await page.getByRole("heading", { name: "Please sign in again" }).waitFor();
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByText("Where it is").waitFor();
  });
});

test("without JavaScript the dashboard says what it needs, and the reader needs nothing", async () => {
  const visit = await browser.visit({ javaScript: false });
  await visit.page.goto(`${door.url}/members`);
  await visit.page.locator("noscript p", { hasText: "needs JavaScript" }).waitFor();
  await door.app.parts.people.sites.set("acme", { settings: { public: true } });
  await visit.page.goto(`${door.url}/sites/acme/`);
  await visit.page.getByRole("searchbox").fill("install");
  await visit.page.keyboard.press("Enter");
  await visit.page.locator(".results a").first().click();
  await visit.page.getByRole("heading", { level: 1 }).waitFor();
  await visit.end();
});

describe("the reference of the API", () => {
  test.each(["light", "dark"] as const)("can be read by everybody, in the %s", async (theme) => {
    await signedIn({ width: 390, theme }, async (page) => {
      await page.goto(`${door.url}/reference`);
      expect(await accessibilityFaults(page)).toEqual([]);
    });
  });
});
