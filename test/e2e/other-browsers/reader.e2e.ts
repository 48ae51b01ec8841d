import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { OWN_DOCS } from "../../../src/cli/own-docs.ts";
import { startDocent, type TestDocent } from "../../helpers/docent.ts";
import { startFakeOllama } from "../../helpers/fake-ollama.ts";
import { addSiteWithPages } from "../../helpers/public-site.ts";
import { OTHER_BROWSERS } from "./browsers.ts";
import type { Driver } from "./driver.ts";
import { openShadowsOf } from "./open-shadows.ts";
import { type Person, personAt } from "./person.ts";

let docent: TestDocent;
let front: ReturnType<typeof openShadowsOf>;
const ollama = startFakeOllama();
beforeAll(async () => {
  docent = await startDocent({ docs: null, ollama: ollama.url });
  front = openShadowsOf(docent.url);
  const { people } = docent.app.parts;
  await addSiteWithPages(docent, "docent", OWN_DOCS);
  const { id, organizationId } = await people.sites.get("docent");
  await people.keys.create({ organizationId, name: "reader", siteIds: [id] });
  // This one has no key of its own, and so no assistant.
  await addSiteWithPages(docent, "quiet", OWN_DOCS);
  await addSiteWithPages(docent, "tabs", {
    "index.md": "# Tabs\n\n:::tab[One]\n\nFirst.\n\n:::\n\n:::tab[Two]\n\nSecond.\n\n:::\n",
  });
});
afterAll(async () => {
  await front.close();
  await docent.close();
  await ollama.stop();
});

const ground = () => getComputedStyle(document.documentElement).backgroundColor;
const WIDE = [1280, 800] as const;
const NARROW = [480, 800] as const;

for (const { name, isInstalled, start } of OTHER_BROWSERS)
  describe.skipIf(!isInstalled)(`the reader site in ${name}`, () => {
    let driver: Driver;
    let person: Person;
    beforeAll(async () => {
      driver = await start();
      person = personAt(driver);
    });
    afterAll(() => driver.close());
    const goTo = (path: string) => person.goTo(`${front.url}/sites/${path}`);
    const isAt = (pattern: string) => person.finds("true", (end) => location.href.endsWith(end), pattern);

    test("a page has its menu, which leads on, and colours its code", async () => {
      await goTo("docent/security");
      await person.sees("h1", "Security");
      await person.sees(".tree a[aria-current]", "Security");
      await person.sees("pre :is(.hl-comment, .hl-keyword, .hl-name, .hl-string)");
      await person.click('.tree a[href$="/gaps"]');
      await isAt("/gaps");
      await person.sees("h1", "Gaps");
    });

    test("of tabs, the one that is clicked is shown, and no other", async () => {
      const shown = () =>
        [...document.querySelectorAll(".tab-panel")]
          .filter((panel) => panel.checkVisibility({ contentVisibilityAuto: true }) && panel.clientHeight > 0)
          .map((panel) => panel.textContent?.trim())
          .join();
      await goTo("tabs/");
      await person.finds("First.", shown);
      await person.click(".tab + .tab > summary");
      await person.finds("Second.", shown);
    });

    test("code is copied", async () => {
      await goTo("docent/security");
      await person.pointAt(".code");
      await person.click(".code button");
      await person.sees('.code button[aria-label="Copied"]');
    });

    test("colours are chosen, and travel with links", async () => {
      await goTo("docent/security");
      await person.sees("h1");
      const before = await person.read(ground);
      await person.click('.top [data-set-theme="dark"]');
      await isAt("/security?theme=dark");
      await person.sees("h1");
      expect(await person.read(ground)).not.toBe(before);
      await person.click('.tree a[href*="/gaps"]');
      await isAt("/gaps?theme=dark");
      // The address is the new page's before the page has a body.
      await person.sees("h1");
      expect(await person.read(ground)).not.toBe(before);
    });

    test("search over the page finds, and Enter leads to the page that is marked", async () => {
      await goTo("docent/");
      await person.sees(".launcher");
      await person.press("Control", "k");
      await person.sees(".palette[open]");
      await person.type("trusted proxies");
      await person.sees(".palette [role=option]", "Ask: trusted proxies");
      const marked = '.palette a[role=option][aria-selected="true"]';
      await person.sees(marked);
      const address = await person.attribute(marked, "href");
      await person.press("Enter");
      await person.finds(address, () => location.href);
      await person.sees("h1");
    });

    test("where there is no assistant, the list below the box does, by arrows", async () => {
      await goTo("quiet/");
      await person.sees('form.search input[type="search"]');
      await person.press("/");
      await person.type("trusted proxies");
      await person.sees(".found [role=option]");
      await person.press("ArrowDown");
      const marked = '.found [aria-selected="true"]';
      await person.sees(marked);
      const address = await person.attribute(marked, "href");
      await person.press("Enter");
      await isAt(address);
    });

    test("the assistant in it answers", async () => {
      ollama.replyWith({ text: ["An assistant key is public", " and may be read by anyone. [1]"] });
      await goTo("docent/security");
      await person.click(".launcher");
      await person.sees(".panel[open]");
      await person.click(".composer textarea");
      await person.type("Who can read an assistant key?");
      await person.press("Enter");
      await person.sees(".turn[aria-busy=false] .actions");
      await person.sees(".markdown", "An assistant key is public");
      const address = await person.attribute(".sources a.source", "href");
      expect(address).toStartWith(`${docent.url}/sites/docent/`);
    });

    test("in a narrow window the menu comes in over the page, and Escape closes it", async () => {
      await driver.resize(...NARROW);
      await goTo("docent/security");
      await person.sees("h1");
      await person.seesNo("nav.menu");
      await person.click(".menu-open");
      await person.sees(".tree a[aria-current]", "Security");
      await person.press("Escape");
      await person.seesNo("nav.menu");
      await person.finds("menu-open", () => document.activeElement?.className);
      expect(await person.read(() => document.documentElement.scrollWidth <= innerWidth)).toBe("true");
      await driver.resize(...WIDE);
    });
  });
