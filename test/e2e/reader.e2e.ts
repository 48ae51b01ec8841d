import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { OWN_DOCS } from "../../src/cli/own-docs.ts";
import { createEmbeddedReader } from "../../src/sites/ingest/embedded-reader.ts";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { startFakeOllama } from "../helpers/fake-ollama.ts";
import { pngBytes } from "../helpers/image-bytes.ts";
import { cookieOf, type MemberDoor, startMemberDoor } from "../helpers/member-door.ts";
import { addSiteWithPages } from "../helpers/public-site.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";
import {
  accessibilityFaults,
  picture,
  sharedBrowser,
  type TestBrowser,
  type VisitOptions,
} from "./browser.ts";
import { answered, ask, openWidget } from "./widget-page.ts";

const ATTACK = `"><img src=x onerror="document.title='taken'"><script>document.title='taken'</script>`;

/** What Markdown has, as far as the reader's own docs do not. */
const EVERYTHING = [
  "# Everything",
  ...["note", "tip", "important", "warning", "caution"].map(
    (mark) => `> [!${mark}]\n> Text with [a link](x.md).`,
  ),
  ":::danger[Do not]\n## Inside\n\n```make\nall:\n\tgo build\n```\n:::",
  "> A quote.",
  "- [x] done\n- [ ] not yet",
  "| left | right |\n|---|---:|\n| a | b |",
  "- **Term**\\\n  What it means.\n\n  - **Inner**\\\n    More.\n\n- **Other**\\\n  Text.[^1]",
  "[^1]: A note.",
  ":::tab[npm]\n\n**a.sh**\n\n```sh\nnpm install\n```\n\n:::",
  ":::tab[From source]\n\n## Options of the build\n\nClone it first.\n\n:::",
].join("\n\n");

const MATHS = [
  "# Maths",
  "Let $x_1$ be, which costs $5.",
  `$$\n${Array.from({ length: 60 }, (_, index) => `\\frac{a_{${index}}}{b}`).join(" + ")}\n$$`,
  "$$\n\\color{red}{c}\n$$",
  "End.",
].join("\n\n");

let browser: TestBrowser;
let docent: TestDocent;
const ollama = startFakeOllama();
beforeAll(async () => {
  browser = await sharedBrowser();
  docent = await startDocent({ docs: null, ollama: ollama.url });
  const { people, sources } = docent.app.parts;
  await addSiteWithPages(docent, "docent", OWN_DOCS);
  // Only pages of that origin may ask: the reader's own are let in by their pass.
  await people.sites.set("docent", { settings: { origins: ["https://docs.example.com"] } });
  const { id, organizationId } = await people.sites.get("docent");
  await people.keys.create({ organizationId, name: "reader", siteIds: [id] });
  // This one has no key of its own, and so no assistant.
  await addSiteWithPages(docent, "quiet", OWN_DOCS);
  await addSiteWithPages(docent, "evil", {
    "index.md": `---\ntitle: Start\n---\n\n## Zebra ${ATTACK}\n\nA zebra ${ATTACK}\n\n[x](javascript:document.title='taken')`,
    "odd.md": `---\nsidebar_label: ${JSON.stringify(ATTACK)}\n---\n\n# Odd\n\nText.`,
  });
  await addSiteWithPages(docent, "everything", { "index.md": EVERYTHING });
  await addSiteWithPictures();
  await addSiteWithPages(docent, "maths", { "index.md": MATHS });
  const many = await people.sites.add({
    domain: "many",
    name: "Many",
    settings: { public: true, defaultVersion: "2.0" },
  });
  for (const [generation, version] of ["1.0", "2.0"].entries())
    await sources.ingest.run({
      source: { siteId: many.id, kind: "demo", location: version, version, language: "" },
      reader: createEmbeddedReader({
        "index.md": `# Start of ${version}\n\nText.`,
        "a.md": `# A of ${version}\n\nText.`,
      }),
      generation,
      signal: new AbortController().signal,
    });
});
afterAll(async () => {
  await docent.close();
  ollama.stop();
});

async function addSiteWithPictures(): Promise<void> {
  const { people, sources } = docent.app.parts;
  const site = await people.sites.add({ domain: "pictures", name: "Pictures", settings: { public: true } });
  using folder = temporaryDirectory();
  await Bun.write(join(folder.path, "large.png"), pngBytes(2400, 900));
  await Bun.write(join(folder.path, "small.png"), pngBytes(40, 30));
  const page = "# Pictures\n\n![The whole machine](large.png)\n\n![A bolt](small.png)";
  await Bun.write(join(folder.path, "index.md"), page);
  await sources.ingest.run({
    source: { siteId: site.id, kind: "folder", location: folder.path, version: "", language: "" },
    reader: sources.readFolder(folder.path),
    generation: 0,
    signal: new AbortController().signal,
  });
}

let ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  const open = ends;
  ends = [];
  for (const end of open) await end();
});

async function visit(path: string, options: VisitOptions = {}) {
  const visitor = await browser.visit(options);
  ends.push(visitor.end);
  await visitor.page.goto(`${docent.url}/sites/${path}`);
  return visitor;
}

const PHONE = { width: 390, height: 844 };

describe("search over the page, where there is the assistant", () => {
  test("is called by / and by the box, and leads to the reader's own pages", async () => {
    const { page } = await visit("docent/", { opensShadows: true });
    await page.locator(".launcher").waitFor();
    await page.keyboard.press("/");
    await page.locator(".palette[open]").waitFor();
    const best = page.locator(".palette a[role=option]").first();
    // What was found for its beginnings is shown while a question is typed.
    const answered = page.waitForResponse((reply) =>
      /trusted(?: |%20|\+)proxies/.test(reply.url() + (reply.request().postData() ?? "")),
    );
    await page.keyboard.type("trusted proxies");
    await answered;
    await best.waitFor();
    await picture(page, "reader-search");
    await page.keyboard.press("Escape");
    await page.locator('form.search input[type="search"]').click();
    await best.waitFor();
    const href = (await best.getAttribute("href")) ?? "";
    expect(href).toStartWith(`${docent.url}/sites/docent/`);
    await page.keyboard.press("Enter");
    await page.waitForURL(href);
  });

  test("loses no letter of who writes before it has come", async () => {
    const { page } = await visit("docent/", { opensShadows: true });
    let letCome = () => {};
    const held = new Promise<void>((resolve) => {
      letCome = resolve;
    });
    await page.route(/\/assets\/palette-/, async (route) => {
      await held;
      await route.continue();
    });
    await page.locator(".launcher").waitFor();
    await page.locator('form.search input[type="search"]').click();
    await page.keyboard.type("trusted");
    letCome();
    await page.locator(".palette[open]").waitFor();
    await page.locator(".palette a[role=option]").first().waitFor();
    await page.keyboard.type(" proxies");
    expect(await page.locator(".palette input").inputValue()).toBe("trusted proxies");
  });
});

describe("a picture that is larger than the text is wide", () => {
  test("is shown over the page by keyboard and by a click, and goes with Escape; a small one stays as it is", async () => {
    const { page } = await visit("pictures/", { expectErrors: /Content Security Policy/ });
    const large = page.locator("article img.enlargeable");
    await large.waitFor();
    expect(await page.locator("article img").count()).toBe(2);
    expect(await large.count()).toBe(1);
    await large.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "The whole machine" }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.locator("dialog.enlarged").waitFor({ state: "detached" });
    expect(await large.evaluate((image) => document.activeElement === image)).toBe(true);
    await large.click();
    await page.locator("dialog.enlarged").click();
    await page.locator("dialog.enlarged").waitFor({ state: "detached" });
  });
});

describe("search as one types, where there is no assistant", () => {
  test("goes by keyboard alone: / to the box, arrows, Enter opens, Escape closes", async () => {
    const { page } = await visit("quiet/");
    await page.keyboard.press("/");
    const answered = page.waitForResponse(/q=trusted\+proxies$/);
    await page.keyboard.type("trusted proxies");
    await answered;
    const options = page.locator(".found [role=option]");
    await options.first().waitFor();
    const box = page.getByRole("combobox");
    expect(await box.getAttribute("aria-expanded")).toBe("true");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    expect(await page.locator('.found [aria-selected="true"]').getAttribute("id")).toBe(
      await box.getAttribute("aria-activedescendant"),
    );
    await page.keyboard.press("Escape");
    expect(await page.locator(".found").isHidden()).toBe(true);
    await page.keyboard.type(" header");
    await options.first().waitFor();
    await page.keyboard.press("ArrowDown");
    const href = await options.first().getAttribute("href");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${docent.url}${href}`);
  });

  test("Enter without a choice leads to the page of results", async () => {
    const { page } = await visit("quiet/");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("limits");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\?q=limits$/);
    expect(await page.locator(".results li").count()).toBeGreaterThan(2);
    expect(await page.locator(".found").isHidden()).toBe(true);
  });

  test("does not take a slash from somebody who writes", async () => {
    const { page } = await visit("quiet/");
    await page.getByRole("combobox").fill("a");
    await page.keyboard.press("/");
    expect(await page.getByRole("combobox").inputValue()).toBe("a/");
  });

  test("what comes after the list was closed does not open it again", async () => {
    const { page } = await visit("quiet/");
    const held = Promise.withResolvers<void>();
    await page.route(/search\.json.*q=limits/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.keyboard.press("/");
    await page.keyboard.type("backup");
    await page.locator(".found a").first().waitFor();
    const asked = page.waitForRequest(/q=limits/);
    await page.getByRole("combobox").fill("limits");
    const request = await asked;
    await page.keyboard.press("Escape");
    held.resolve();
    await request.response().catch(() => null);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    expect(await page.locator(".found").isHidden()).toBe(true);
  });

  test("says when it could not be asked", async () => {
    const { page } = await visit("quiet/", { expectErrors: /ERR_FAILED/ });
    await page.route(/search\.json/, (route) => route.abort());
    await page.keyboard.press("/");
    await page.keyboard.type("limits");
    await page.getByText("Search is busy right now").waitFor();
  });
});

describe("what a page may hold", () => {
  for (const theme of ["light", "dark"] as const)
    test(`can be told apart and read by everyone, ${theme}`, async () => {
      const { page } = await visit("everything/", { theme, expectErrors: /Content Security Policy/ });
      expect(await page.getByRole("note").count()).toBe(6);
      expect(await page.getByRole("checkbox", { name: "Not done" }).isChecked()).toBe(false);
      expect(await accessibilityFaults(page)).toEqual([]);
    });

  test.each([true, false])("has tabs, of which one is open (JavaScript: %p)", async (javaScript) => {
    const { page } = await visit("everything/", { javaScript });
    const [first, second] = [page.getByText("npm install"), page.getByText("Clone it first.")];
    expect([await first.isVisible(), await second.isVisible()]).toEqual([true, false]);
    await page.getByText("From source").focus();
    await page.keyboard.press("Enter");
    expect([await first.isVisible(), await second.isVisible()]).toEqual([false, true]);
    await page.getByText("npm", { exact: true }).click();
    expect([await first.isVisible(), await second.isVisible()]).toEqual([true, false]);
    await page.emulateMedia({ media: "print" });
    expect([await first.isVisible(), await second.isVisible()]).toEqual([true, true]);
  });

  test("in forced colours, the page that one is on is told apart in the menu, and callouts keep their signs", async () => {
    const { page } = await visit("docent/security");
    await page.emulateMedia({ forcedColors: "active" });
    const lineAround = (link: Element) => getComputedStyle(link).outlineStyle;
    expect(await page.locator(".tree a[aria-current]").first().evaluate(lineAround)).toBe("solid");
    await page.goto(`${docent.url}/sites/everything/`);
    const sign = (title: Element) => getComputedStyle(title, "::before").backgroundColor;
    const ground = () => getComputedStyle(document.body).backgroundColor;
    expect(await page.locator(".callout-title").first().evaluate(sign)).not.toBe(await page.evaluate(ground));
  });

  test("has nothing to press on paper", async () => {
    const { page } = await visit("docent/security");
    await page.emulateMedia({ media: "print" });
    expect(await page.getByRole("heading", { name: "Security", level: 1 }).isVisible()).toBe(true);
    for (const role of ["navigation", "button", "banner", "search"] as const)
      expect([role, await page.getByRole(role).count()]).toEqual([role, 0]);
    expect(await page.locator("main > footer").isVisible()).toBe(false);
  });

  test.each([390, 720, 2560])("is no wider than a window of %p px", async (width) => {
    for (const path of ["everything/", "docent/configuration", "maths/"]) {
      const { page } = await visit(path, { width });
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect({ path, isWider: over > 0 }).toEqual({ path, isWider: false });
    }
  });

  test("opens the tab that a link leads into", async () => {
    const { page } = await visit("everything/#options-of-the-build");
    await page.getByText("Clone it first.").waitFor();
    expect(await page.getByText("npm install").isVisible()).toBe(false);
  });

  test("is as the docs have it: columns aligned, tabs in code", async () => {
    const { page } = await visit("everything/");
    const align = (cell: Element) => getComputedStyle(cell).textAlign;
    expect(await page.locator("td").last().evaluate(align)).toMatch(/right/);
    expect(await page.locator("pre").first().textContent()).toBe("all:\n\tgo build\n");
    const left = async (words: string) =>
      (await page.getByText(words, { exact: true }).boundingBox())?.x ?? 0;
    expect(await left("What it means.")).toBeGreaterThan(await left("Term"));
    expect(await left("More.")).toBeGreaterThan(await left("Inner"));
  });

  test("is drawn where it is a formula, without a style of its own, and scrolled where it is wide", async () => {
    // A style on an element would be a complaint of the page's console.
    const { page } = await visit("maths/", { width: PHONE.width, height: PHONE.height });
    const fractions = page.locator("mfrac");
    expect(await fractions.count()).toBe(60);
    expect((await fractions.first().boundingBox())?.height).toBeGreaterThan(20);
    const isScrolled = (box: Element) => box.scrollWidth > box.clientWidth;
    expect(await page.locator(".maths").first().evaluate(isScrolled)).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    const color = page.locator("[mathcolor]").evaluate((formula) => getComputedStyle(formula).color);
    expect(await color).toBe("rgb(255, 0, 0)");
  });

  test("can be read by everyone where it is a formula", async () => {
    const { page } = await visit("maths/", { expectErrors: /Content Security Policy/ });
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test("is copied with the TeX of its formulas", async () => {
    const { page } = await visit("maths/");
    const copied = await page.evaluate(() => {
      const [first, last] = [
        document.querySelector("msub mn"),
        document.querySelector("main p:last-of-type"),
      ];
      if (!first || !last) return "";
      getSelection()?.setBaseAndExtent(first, 0, last, last.childNodes.length);
      const event = new ClipboardEvent("copy", { clipboardData: new DataTransfer(), cancelable: true });
      document.dispatchEvent(event);
      return event.clipboardData?.getData("text/plain") ?? "";
    });
    expect(copied).toStartWith("$x_1$ be, which costs $5.");
    expect(copied).toContain("\\frac{a_{0}}{b} + ");
    expect(copied).toEndWith("\n$$ \\color{red}{c} $$\n\nEnd.");
  });

  test("is printed dark on white, whatever the colours on the screen", async () => {
    const { page } = await visit("everything/?theme=dark");
    await page.emulateMedia({ media: "print" });
    expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe("rgb(27, 30, 34)");
  });
});

describe("colours", () => {
  test("change at once, and travel with links and the search: the page can keep nothing", async () => {
    const { page } = await visit("quiet/security");
    const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await ground();
    await page.locator('.top [data-set-theme="dark"]').click();
    expect(await ground()).not.toBe(light);
    expect(await page.evaluate(() => location.search)).toBe("?theme=dark");
    await page.locator(".tree a", { hasText: "Gaps" }).click();
    await page.waitForURL(/\/gaps\?theme=dark$/);
    expect(await ground()).not.toBe(light);
    await page.locator('form.search input[type="search"]').fill("limits");
    await page.keyboard.press("Enter");
    await page.waitForURL(/q=limits&theme=dark$/);
    await page.locator('.top [data-set-theme=""]').click();
    expect(await ground()).toBe(light);
  });

  test("are the system's unless something else was chosen", async () => {
    const { page } = await visit("docent/api", { theme: "dark" });
    const ground = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    expect(ground).toBe("rgb(19, 21, 23)");
    await picture(page, "reader-dark");
  });
});

describe("on a phone", () => {
  test("the menu comes in over the page, keeps the focus, and gives it back", async () => {
    const { page } = await visit("docent/security", PHONE);
    await picture(page, "reader-phone");
    const menu = page.locator("nav.menu");
    expect(await menu.isVisible()).toBe(false);
    await page.locator(".menu-open").press("Enter");
    await page.locator(".tree a[aria-current]").waitFor();
    const inView = (closer: Element) => closer.getBoundingClientRect().top >= 0;
    expect(await page.locator(".menu-close").evaluate(inView)).toBe(true);
    for (let step = 0; step < 60; step++) {
      await page.keyboard.press("Tab");
      const isInside = await page.evaluate(() => {
        const active = document.activeElement;
        return active === document.body || active?.closest("nav.menu, docent-widget") !== null;
      });
      expect(isInside).toBe(true);
    }
    await page.keyboard.press("Escape");
    expect(await page.evaluate(() => document.activeElement?.className)).toBe("menu-open");
    await page.locator(".menu-open").click();
    await page.locator(".tree a", { hasText: "Gaps" }).click();
    await page.waitForURL(/\/gaps$/);
  });

  test("nothing is wider than the screen", async () => {
    for (const path of ["docent/api", "docent/configuration", "docent/?q=limits", "evil/"]) {
      const { page } = await visit(path, PHONE);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(390);
    }
  });
});

describe("without scripts", () => {
  test("everything is there: menu, folders, search, versions, colours", async () => {
    const { page, context } = await visit("many/");
    const plain = await context.browser()?.newContext({ javaScriptEnabled: false, viewport: PHONE });
    if (!plain) throw new Error("no browser");
    ends.push(() => plain.close());
    const still = await plain.newPage();
    await still.goto(page.url());
    await still.locator(".menu-open").click();
    await still.locator(".menu .choice summary").click();
    await still.locator(".menu .choice a", { hasText: "1.0" }).click();
    expect(await still.locator("h1").textContent()).toBe("Start of 1.0");
    await still.locator(".menu-open").click();
    await still.locator('.menu [data-set-theme="dark"]').click();
    expect(new URL(still.url()).search).toBe("?version=1.0&theme=dark");
    await still.locator('.search input[name="q"]').fill("A");
    await still.keyboard.press("Enter");
    await still.locator(".results a").first().click();
    expect(new URL(still.url()).searchParams.get("version")).toBe("1.0");
    expect(new URL(still.url()).searchParams.get("theme")).toBe("dark");
  });
});

describe("a page", () => {
  test("colours code, copies it, and marks where one reads", async () => {
    const { page, requests } = await visit("docent/security");
    await page.locator("pre .hl-comment, pre .hl-keyword, pre .hl-name, pre .hl-string").first().waitFor();
    const block = page.locator(".code").first();
    await block.hover();
    await block.getByRole("button", { name: "Copy" }).click();
    await block.getByRole("button", { name: "Copied" }).waitFor();
    await page.locator("#thread-ids-are-secrets").scrollIntoViewIfNeeded();
    await page.locator("nav.outline [aria-current]").waitFor();
    expect(requests.every((request) => request.includes(docent.url))).toBe(true);
  });

  test("has an origin of its own: it reaches neither cookies, nor storage, nor what needs them", async () => {
    const { page } = await visit("docent/", { expectErrors: /CORS policy|ERR_FAILED/ });
    const reached = await page.evaluate(async (url) => {
      const nameOf = (error: unknown) => (error instanceof Error ? error.name : "no error");
      const tried = [() => document.cookie, () => localStorage.length, () => indexedDB.open("x")].map(
        (touch) => {
          try {
            return String(touch());
          } catch (error) {
            return nameOf(error);
          }
        },
      );
      const admin = await fetch(`${url}/v1/admin/sites`, { credentials: "include" }).catch(nameOf);
      return [self.origin, ...tried, String(admin)];
    }, docent.url);
    expect(reached).toEqual(["null", "SecurityError", "SecurityError", "SecurityError", "TypeError"]);
  });

  test("runs nothing that docs, titles, headings, queries or addresses say", async () => {
    const encoded = encodeURIComponent(ATTACK);
    for (const path of [
      "evil/",
      "evil/odd",
      `evil/?q=${encoded}`,
      `evil/?version=${encoded}&language=${encoded}&theme=${encoded}`,
      `evil/${encoded}`,
    ]) {
      const { page } = await visit(path, { expectErrors: /404/ });
      await page.keyboard.press("/");
      await page.keyboard.press("Control+a");
      await page.keyboard.type("zebra");
      await page.locator(".found a").first().waitFor();
      expect(await page.title(), path).not.toBe("taken");
      expect(await page.locator("img, main script").count()).toBe(0);
    }
  });

  test("a script that got in all the same would not run", async () => {
    const { page } = await visit("evil/", { expectErrors: /Content Security Policy/ });
    await page.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "document.title = 'taken'";
      document.body.append(script);
      const button = document.createElement("button");
      button.setAttribute("onclick", "document.title = 'taken'");
      document.body.append(button);
      button.click();
    });
    expect(await page.title()).not.toBe("taken");
  });

  for (const [path, options] of [
    ["docent/security", {}],
    ["docent/api", { theme: "dark" }],
    ["docent/security", PHONE],
    ["docent/?q=limits", {}],
    ["docent/nothing", { expectErrors: /404/ }],
    ["many/", { theme: "dark" }],
  ] as const)
    test(`keeps nobody out: ${path} ${JSON.stringify(options)}`, async () => {
      const { page } = await visit(path, { ...options, expectErrors: /404|Content Security Policy/ });
      expect(await accessibilityFaults(page)).toEqual([]);
      if (path === "docent/security" && !("width" in options)) await picture(page, "reader");
    });
});

describe("the widget in it", () => {
  test("answers, though the site names the origins it is open to", async () => {
    ollama.replyWith({ text: ["An assistant key is public", " and may be read by anyone. [1]"] });
    const { page } = await visit("docent/security", { opensShadows: true });
    await openWidget(page);
    await ask(page, "Who can read an assistant key?");
    await answered(page);
    expect(await page.locator(".markdown").first().textContent()).toContain("An assistant key is public");
    await picture(page, "reader-widget");
  });
});

describe("a member", () => {
  let door: MemberDoor;
  beforeAll(async () => {
    door = await startMemberDoor();
  });
  afterAll(() => door.close());

  test("goes through a site that is not public, by links and by the search form", async () => {
    const visitor = await browser.visit();
    ends.push(visitor.end);
    const { page, context } = visitor;
    const [name = "", value = ""] = cookieOf(new Headers({ "set-cookie": door.cookies.viewer })).split("=");
    await context.addCookies([{ name, value, url: door.url, httpOnly: true, sameSite: "Strict" }]);
    await page.goto(`${door.url}/sites/acme/`);
    const links = page.locator(".tree a");
    expect(await links.count()).toBeGreaterThan(1);
    await links.nth(1).click();
    await page.waitForLoadState();
    expect(await links.count()).toBeGreaterThan(1);
    await page.keyboard.press("/");
    await page.keyboard.type("install");
    await page.keyboard.press("Enter");
    await page.locator(".results a").first().click();
    expect(await page.locator("article").count()).toBe(1);
    expect(visitor.requests.filter((request) => request.includes("search.json"))).toEqual([]);
  });

  test("who is not signed in finds where to do so at a page that is not shown", async () => {
    const visitor = await browser.visit({ expectErrors: /404|401/ });
    ends.push(visitor.end);
    const { page } = visitor;
    await page.goto(`${door.url}/sites/acme/`);
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.waitForURL(`${door.url}/sign-in`);
    await page.getByRole("heading").first().waitFor();
  });
});
