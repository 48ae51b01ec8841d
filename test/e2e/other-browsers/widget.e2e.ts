import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { ANSWER, startWidgetSite, type WidgetSite } from "../widget-page.ts";
import { OTHER_BROWSERS } from "./browsers.ts";
import type { Driver } from "./driver.ts";
import { type Person, personAt } from "./person.ts";

const QUESTION = "How do I install Acme?";
const WORDS = ANSWER.split(/(?<=\s)/);

/** Opens the widget's root, which the page cannot see into, and keeps what the page complains of. */
const OPENED = `<script>
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (init) { return attach.call(this, { ...init, mode: "open" }) };
  window.complaints = [];
  addEventListener("error", (event) => complaints.push(event.message));
  addEventListener("unhandledrejection", (event) => complaints.push(String(event.reason)));
</script>`;

/** Runs in the page: what has the focus in the widget, or else around it. */
const focused = () => {
  const root = document.querySelector("docent-widget")?.shadowRoot;
  const element = root?.activeElement ?? document.activeElement;
  return `${element?.localName} ${element?.id}`.trim();
};

for (const { name, isInstalled, start } of OTHER_BROWSERS)
  describe.skipIf(!isInstalled)(`the widget in ${name}`, () => {
    let driver: Driver;
    let site: WidgetSite;
    let person: Person;
    beforeAll(async () => {
      [driver, site] = await Promise.all([start(), startWidgetSite()]);
      person = personAt(driver);
      // Results lead to pages that are there.
      await site.docent.app.parts.people.sites.set("acme", { url: new URL(site.address()).origin });
    });
    afterAll(async () => {
      await driver.close();
      await site.close();
    });
    beforeEach(async () => {
      site.serve({ head: OPENED });
      site.ollama.replyWith({ text: WORDS });
      await person.goTo(site.address());
      await person.read(() => localStorage.clear());
      await person.read(() => sessionStorage.clear());
      await person.goTo(site.address());
      await person.sees(".launcher");
    });
    afterEach(async () => {
      expect(await person.read(() => Reflect.get(window, "complaints").join("\n"))).toBe("");
    });

    const asks = async (question: string) => {
      await person.click(".launcher");
      await person.sees(".panel[open]");
      await person.click(".composer textarea");
      await person.type(question);
      await person.press("Enter");
    };
    const isAnswered = () => person.sees(".turn[aria-busy=false] .actions");

    test("a question is answered word by word, with citations that lead to their passage", async () => {
      site.ollama.replyWith({ text: WORDS, tokenMs: 100 });
      await asks(QUESTION);
      await person.sees(".turn[aria-busy=true] .markdown", "You can");
      await isAnswered();
      await person.sees(".markdown", "That is all it takes.");
      expect(await person.sees("a.cite")).toBe("1");
      expect(await person.attribute("a.cite", "href")).toStartWith(new URL(site.address()).origin);
      expect(await person.attribute(".sources a.source", "href")).toStartWith(new URL(site.address()).origin);
      await person.sees(":is(.hl-keyword, .hl-name)");
      await person.pointAt("a.cite");
      await person.sees(".card");
    });

    test("code is copied, and what is selected is offered and asked about", async () => {
      await asks(QUESTION);
      await isAnswered();
      await person.pointAt(".code");
      await person.click(".code .icon-button");
      await person.sees(".code .is-done");
      await person.click('[aria-label="Close"]');
      await person.seesNo(".panel[open]");
      await person.read(() =>
        getSelection()?.selectAllChildren(document.querySelector("#intro") ?? document),
      );
      await person.click(".offer");
      await person.sees(".composer .context", "The installer needs root");
    });

    test("in a narrow window the panel fills it", async () => {
      await driver.resize(470, 800);
      await person.click(".launcher");
      await person.finds("true", () => {
        const root = document.querySelector("docent-widget")?.shadowRoot;
        const box = root?.querySelector(".panel[open]")?.getBoundingClientRect();
        const { width = 0, height = 0 } = box ?? {};
        return Math.round(width) === innerWidth && Math.round(height) === innerHeight;
      });
      await person.click('[aria-label="Close"]');
      await person.seesNo(".panel[open]");
      await driver.resize(1280, 800);
    });

    test("a conversation goes on after a reload, and Escape gives the focus back", async () => {
      await asks(QUESTION);
      await isAnswered();
      await person.goTo(site.address());
      await person.sees(".panel[open] .question", QUESTION);
      await person.click(".composer textarea");
      await person.press("Escape");
      await person.seesNo(".panel[open]");
      await person.click("#search");
      await person.press("Tab");
      await person.press("Control", "i");
      await person.finds("textarea", focused);
      await person.press("Escape");
      await person.seesNo(".panel[open]");
    });

    test("an answer that comes can be stopped", async () => {
      site.ollama.replyWith({ text: WORDS, tokenMs: 300 });
      await asks("How do I install Acme on Linux?");
      await person.sees(".markdown", "You can");
      await person.click(".stop");
      await person.sees(".status", "Stopped.");
    });

    test("the palette finds with every letter, and Enter leads to a page", async () => {
      await person.press("Control", "k");
      await person.sees(".palette[open]");
      await person.type("inst");
      await person.sees(".palette a[role=option] mark", "nst");
      await person.type("all");
      await person.sees(".palette [role=option]", "Ask: install");
      await person.sees(".palette a[role=option] mark", "nstall");
      const marked = '.palette a[role=option][aria-selected="true"]';
      await person.sees(marked);
      await person.press("ArrowDown");
      await person.press("ArrowUp");
      const address = await person.attribute(marked, "href");
      expect(address).toStartWith(new URL(site.address()).origin);
      await person.press("Enter");
      await person.finds(address, () => location.href);
    });

    test("the palette becomes the conversation in its place, and leads back", async () => {
      await person.press("Control", "k");
      await person.sees(".palette[open]");
      await person.type(QUESTION);
      await person.sees(".palette [role=option]", `Ask: ${QUESTION}`);
      await person.press("Control", "Enter");
      await isAnswered();
      await person.seesNo(".palette[open]");
      await person.click('[aria-label="Search the docs"]');
      await person.sees(".palette[open]");
      await person.press("Escape");
      await person.seesNo(".palette[open]");
    });
  });
