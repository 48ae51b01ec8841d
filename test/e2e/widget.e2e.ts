import { describe, expect, test } from "bun:test";
import { accessibilityFaults, picture } from "./browser.ts";
import { ANSWER, answered, ask, focused, openWidget } from "./widget-page.ts";
import { WORDS, widgetVisits } from "./widget-visits.ts";

const QUESTION = "How do I install Acme?";
const here = widgetVisits();
const { visit } = here;

const asked = (requests: string[]) => requests.filter((request) => request.includes("/v2/assistant/"));

describe("a plain page", () => {
  test("loads the script and nothing else before the widget is opened", async () => {
    const { page, requests } = await visit();
    await page.locator(".launcher").waitFor();
    await page.waitForLoadState("networkidle");
    expect(requests.filter((request) => request.includes(here.site.docent.url))).toEqual([
      `GET ${here.site.docent.url}/widget.js`,
    ]);
  });

  test("the root is closed, and the page gets one global", async () => {
    const { page } = await visit({ opensShadows: false });
    await page.waitForFunction(() => "Docent" in window);
    expect(await page.evaluate(() => document.querySelector("docent-widget")?.shadowRoot)).toBeNull();
    const added = await page.evaluate(() => {
      const frame = document.body.appendChild(document.createElement("iframe"));
      const own = Object.keys(window).filter((name) => !(name in (frame.contentWindow ?? {})));
      frame.remove();
      return own;
    });
    expect(added.filter((name) => !/^\d+$/.test(name))).toEqual([]);
    expect(await page.evaluate(() => Object.keys(Reflect.get(window, "Docent")).sort())).toEqual(
      ["ask", "close", "destroy", "on", "open", "search", "setContext"].sort(),
    );
  });

  test("a question is answered, with citations that show their passage and lead to it", async () => {
    const { page, requests } = await visit();
    await openWidget(page);
    await picture(page, "widget-greeting");
    await ask(page, QUESTION);
    await answered(page);
    expect(await page.locator(".markdown").textContent()).toContain("You can install Acme with one command");
    const cite = page.locator("a.cite").first();
    expect(await cite.textContent()).toBe("1");
    expect(await cite.getAttribute("href")).toStartWith("https://docs.acme.example/");
    await cite.hover();
    await page.locator(".card:visible").waitFor();
    expect(((await page.locator(".card").textContent()) ?? "").length).toBeGreaterThan(20);
    expect(await page.locator(".sources .source").count()).toBeGreaterThan(0);
    await page.locator(".hl-keyword, .hl-name").first().waitFor();
    expect(requests.some((request) => /\/assets\/highlight-\w+\.js$/.test(request))).toBe(true);
    await picture(page, "widget-answer");
  });

  test("a quote ends where its last words do, be they a heading", async () => {
    const { page } = await visit();
    await openWidget(page);
    await ask(page, QUESTION);
    await answered(page);
    const margin = await page.locator(".markdown").evaluate((markdown) => {
      const quote = markdown.appendChild(document.createElement("blockquote"));
      return getComputedStyle(quote.appendChild(document.createElement("h3"))).marginBottom;
    });
    expect(margin).toBe("0px");
  });

  test("code and answers are copied as they were written", async () => {
    const { page, context } = await visit();
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await openWidget(page);
    await ask(page, QUESTION);
    await answered(page);
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await page.locator(".code").hover();
    await page.locator(".code .icon-button").click();
    await page.locator(".code .is-done").waitFor();
    expect((await copied()).trim()).toBe("curl -fsSL https://get.acme.example | sudo sh");
    await page.locator('.actions [aria-label="Copy the answer"]').click();
    await page.locator(".actions .is-done").waitFor();
    expect(await copied()).toContain("1. Download the **installer**.");
  });

  test("thumbs and what was wrong reach the owner", async () => {
    const { page } = await visit();
    await openWidget(page);
    await ask(page, QUESTION);
    await answered(page);
    const replies: number[] = [];
    page.on("response", (response) => {
      if (response.url().includes("/v1/feedback/") && response.request().method() === "POST")
        replies.push(response.status());
    });
    await page.locator('[aria-label="Not helpful"]').click();
    await page.locator(".feedback textarea").fill("It is for another version.");
    await page.locator(".feedback button").click();
    await page.locator(".said", { hasText: "Thank you." }).waitFor();
    expect(await page.locator('[aria-label="Not helpful"]').getAttribute("aria-pressed")).toBe("true");
    while (replies.length < 2) await page.waitForEvent("response");
    expect(replies).toEqual([204, 204]);
  });

  test("what the docs do not say is said once, with the way on", async () => {
    const { page } = await visit();
    await openWidget(page);
    await ask(page, "What is the recipe for pancakes?");
    await answered(page);
    expect(await page.locator(".markdown").textContent()).toContain("doesn't cover this");
    expect(await page.locator(".sources").count()).toBe(0);
  });
});

describe("the page's address", () => {
  test("?assistant= opens, and asks nothing", async () => {
    const { page, requests } = await visit({}, "/guide/install?assistant=&a=1");
    await page.locator(".panel[open]").waitFor();
    expect(page.url()).toBe(here.site.address("/guide/install?a=1"));
    expect(asked(requests)).toEqual([]);
  });

  test("?assistant=<text> asks once, and not again after a reload", async () => {
    const { page, requests } = await visit({}, `/guide/install?assistant=${encodeURIComponent(QUESTION)}`);
    await answered(page);
    expect(await page.locator(".question").textContent()).toContain(QUESTION);
    expect(page.url()).toBe(here.site.address());
    await page.reload();
    await page.locator(".question").waitFor();
    expect(asked(requests).filter((request) => request.startsWith("POST"))).toHaveLength(1);
  });
});

describe("what is asked about", () => {
  test("a selection is offered, and goes with the question", async () => {
    const { page } = await visit();
    await page.locator("#intro").selectText();
    await page.locator(".offer:visible", { hasText: "Ask about this" }).click();
    await page.locator(".composer .context").waitFor();
    const body = page.waitForRequest((request) => request.url().includes("/v2/assistant/"));
    await page.keyboard.type("Why root?");
    await page.keyboard.press("Enter");
    expect((await body).postDataJSON()).toMatchObject({
      currentPath: "/guide/install",
      context: [
        {
          type: "textSelection",
          value: "The installer needs root only when it writes to a system folder.",
          path: "/guide/install",
          elementId: "intro",
        },
      ],
    });
    expect(await page.locator(".composer .context").count()).toBe(0);
  });

  test("code is offered under the pointer without moving anything, and goes with its element's id", async () => {
    const { page } = await visit();
    const before = await page.locator("main").boundingBox();
    await page.locator("pre").hover();
    await page.locator(".offer:visible", { hasText: "Ask about this code" }).click();
    expect(await page.locator("main").boundingBox()).toEqual(before);
    const body = page.waitForRequest((request) => request.url().includes("/v2/assistant/"));
    await page.keyboard.press("Enter");
    expect((await body).postDataJSON()).toMatchObject({
      context: [{ type: "code", value: "curl -fsSL https://get.acme.example | sh", elementId: "linux" }],
      messages: [{ parts: [{ type: "text", text: "Explain this." }] }],
    });
  });

  test("by keyboard, the hotkey asks about the code that has the focus", async () => {
    const { page } = await visit();
    await page.locator("pre").focus();
    await page.keyboard.press("Control+i");
    expect(await page.locator(".composer .context").textContent()).toContain("curl -fsSL");
  });
});

describe("keyboard", () => {
  test("opens, asks, moves through all of it, and gives the focus back", async () => {
    const { page } = await visit();
    await page.locator("#next").focus();
    await page.keyboard.press("Control+i");
    expect(await focused(page)).toBe("textarea");
    await page.keyboard.type(QUESTION);
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("On Linux.");
    await page.keyboard.press("Enter");
    await answered(page);
    expect(await page.locator(".question").textContent()).toContain(`${QUESTION}\nOn Linux.`);
    const stops: string[] = [];
    while (stops.length < 20 && stops.at(-1) !== "a cite") {
      await page.keyboard.press("Shift+Tab");
      stops.push(await focused(page));
    }
    expect(stops).toEqual([
      ...["icon-button", "icon-button", "icon-button", "icon-button"].map((each) => `button ${each}`),
      "a chip",
      "a source",
      "button icon-button",
      "pre",
      "a cite",
    ]);
    // What a citation shows is closed first.
    await page.locator(".card:visible").waitFor();
    await page.keyboard.press("Escape");
    expect(await page.locator(".card:visible, .panel[open]").count()).toBe(1);
    await page.keyboard.press("Escape");
    await page.locator(".launcher:visible").waitFor();
    expect(await focused(page)).toBe("a next");
  });

  test("a field of the page keeps its keys, and the widget's are not the page's", async () => {
    here.site.serve({
      head: "<script>addEventListener('keydown', (event) => { if (event.key === '/' && !/INPUT/.test(event.target.tagName)) { event.preventDefault(); document.querySelector('#search').focus(); } })</script>",
    });
    const { page } = await visit();
    await page.locator("#search").focus();
    await page.keyboard.press("Control+i");
    expect(await page.locator(".panel[open]").count()).toBe(0);
    await openWidget(page);
    await page.keyboard.type("a/b");
    expect(await page.locator(".composer textarea").inputValue()).toBe("a/b");
  });

  test("a modal keeps the focus, and Escape closes it", async () => {
    here.site.serve({ attributes: 'data-variant="modal"' });
    const { page } = await visit();
    await openWidget(page);
    for (let stop = 0; stop < 8; stop++) {
      await page.keyboard.press("Tab");
      expect(await focused(page)).not.toBe("a next");
    }
    await page.keyboard.press("Escape");
    await page.locator(".launcher:visible").waitFor();
    expect(await focused(page)).toBe("button launcher");
  });
});

describe("time", () => {
  test("a conversation goes on after a reload", async () => {
    const { page, requests } = await visit();
    await openWidget(page);
    await ask(page, QUESTION);
    await answered(page);
    await page.reload();
    await page.locator(".question", { hasText: QUESTION }).waitFor();
    expect(await page.locator("a.cite").count()).toBe(1);
    const body = page.waitForRequest((request) => request.url().includes("/v2/assistant/"));
    await ask(page, "And on Windows?");
    expect((await body).postDataJSON().threadId).toMatch(/^[0-9A-Z]{26}$/);
    await page.locator(".turn").nth(1).waitFor();
    await page.locator('[aria-label="New conversation"]').click();
    await page.locator(".greeting:visible").waitFor();
    await page.reload();
    await page.locator(".greeting:visible").waitFor();
    expect(asked(requests).filter((request) => request.startsWith("POST"))).toHaveLength(2);
  });

  test("what was cut off by a reload is there, and can be asked again", async () => {
    here.site.ollama.replyWith({ text: WORDS, tokenMs: 400 });
    const { page } = await visit();
    await openWidget(page);
    await ask(page, "How do I install Acme on Linux?");
    await page.locator(".markdown", { hasText: "You can" }).waitFor();
    await page.waitForTimeout(1200);
    await page.reload();
    await page.locator(".status", { hasText: "Stopped." }).waitFor();
    here.site.ollama.replyWith({ text: WORDS });
    await page.locator('[aria-label="Try again"]').click();
    await answered(page);
    await page.locator(".markdown", { hasText: "That is all it takes." }).waitFor();
    expect(await page.locator(".turn").count()).toBe(1);
  });

  test("stop ends the answer here and in the model", async () => {
    here.site.ollama.replyWith({ text: WORDS, tokenMs: 300 });
    const { page } = await visit();
    await openWidget(page);
    await ask(page, "How do I install Acme from the terminal?");
    await page.locator(".markdown", { hasText: "You" }).waitFor();
    const chat = here.site.ollama.chats.at(-1);
    await page.locator(".stop").click();
    await page.locator(".status", { hasText: "Stopped." }).waitFor();
    expect(await focused(page)).toBe("textarea");
    await here.site.ollama.until(() => chat?.aborted === true);
  });

  test("an answer that is longer than the panel is read from its question on", async () => {
    here.site.ollama.replyWith({ text: Array.from({ length: 60 }, (_, step) => `Step ${step}.\n\n`) });
    const { page } = await visit();
    await openWidget(page);
    for (const question of ["How do I install Acme on Linux?", "How do I install Acme on a Mac?"]) {
      await ask(page, question);
      await page.locator(".turn[aria-busy=false]:last-child", { hasText: question }).waitFor();
    }
    const below = (selector: string) =>
      page.locator(selector).evaluate((element) => {
        const pane = element.closest(".transcript")?.getBoundingClientRect().top ?? Number.NaN;
        return element.getBoundingClientRect().top - pane;
      });
    const top = await below(".turn:last-child .question");
    expect(top).toBeGreaterThanOrEqual(0);
    expect(top).toBeLessThan(60);
    expect(await page.locator(".latest").isVisible()).toBe(true);
  });

  test("a reader who reads further up is left there", async () => {
    const steps = Array.from(
      { length: 60 },
      (_, step) => `Step ${step} copies file ${step * 3} of ${step * 7}.\n\n`,
    );
    here.site.ollama.replyWith({ text: steps, tokenMs: 40 });
    const { page } = await visit();
    await openWidget(page);
    await ask(page, "How do I install Acme on Linux?");
    await page.locator(".markdown", { hasText: "Step 20" }).waitFor();
    await page.locator(".transcript").hover();
    await page.mouse.wheel(0, -4000);
    await page.locator(".latest:visible").waitFor();
    // The first turn of the wheel may end where a word that came in it had scrolled to.
    await page.mouse.wheel(0, -4000);
    const top = () => page.locator(".transcript").evaluate((element) => element.scrollTop);
    await page.waitForFunction(
      () =>
        document.querySelector("docent-widget")?.shadowRoot?.querySelector(".transcript")?.scrollTop === 0,
    );
    await page.locator(".markdown", { hasText: "Step 40" }).waitFor();
    expect(await top()).toBe(0);
    await page.locator(".latest").click();
    await answered(page);
    const left = await page
      .locator(".transcript")
      .evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
    expect(left).toBeLessThan(2);
  });
});

describe("a small screen", () => {
  test("has no button over a drawer, a search or the keyboard of the page", async () => {
    const { page } = await visit({ width: 390, height: 844 });
    const button = page.locator(".launcher");
    await button.waitFor();
    await page.locator("#search").focus();
    await button.waitFor({ state: "hidden" });
    await page.locator("#search").blur();
    await button.waitFor();
    await page.evaluate(() => document.body.classList.add("drawer-is-open"));
    await button.waitFor();
    await page.evaluate(() => document.body.style.setProperty("overflow", "hidden"));
    await button.waitFor({ state: "hidden" });
    await page.evaluate(() => document.body.style.removeProperty("overflow"));
    await button.waitFor();
  });

  test("keeps the button on a page that never scrolls as a whole", async () => {
    here.site.serve({ head: "<style>body { overflow: hidden }</style>" });
    const { page } = await visit({ width: 390, height: 844 });
    await page.locator(".launcher").waitFor();
    await page.locator(".launcher").click();
    await page.locator(".panel[open]").waitFor();
  });
});

describe("when it does not work", () => {
  test("an answer that breaks off says so, and can be asked again", async () => {
    here.site.ollama.replyWith({ text: WORDS.slice(0, 8), end: "error", error: "UPSTREAM-SECRET" });
    const { page } = await visit();
    await openWidget(page);
    await ask(page, "How do I install Acme on Linux?");
    await page.locator(".error").waitFor();
    expect(await page.locator(".panel").textContent()).not.toContain("UPSTREAM-SECRET");
    here.site.ollama.replyWith({ text: WORDS });
    await page.locator(".error button").click();
    await answered(page);
    expect(await page.locator(".error").count()).toBe(0);
  });

  test("a server that is away is said to be, without a word of the browser's", async () => {
    const { page } = await visit({ expectErrors: /Failed to load resource/ });
    await page.route(`${here.site.docent.url}/v**`, (route) => route.abort("connectionrefused"));
    await openWidget(page);
    await ask(page, QUESTION);
    await page.locator(".error", { hasText: "cannot be reached" }).waitFor();
    await page.unroute(`${here.site.docent.url}/v**`);
    await page.locator(".error button").click();
    await answered(page);
  });

  test("a limit says when to come back", async () => {
    const { page } = await visit({ expectErrors: /429/ });
    await page.route(`${here.site.docent.url}/v2/**`, (route) =>
      route.fulfill({
        status: 429,
        headers: {
          "retry-after": "17",
          "access-control-allow-origin": "*",
          "access-control-expose-headers": "retry-after",
        },
        json: { code: "rate_limited", message: "no" },
      }),
    );
    await openWidget(page);
    await ask(page, QUESTION);
    await page.locator(".error", { hasText: "Try again in 17 seconds" }).waitFor();
  });

  test("being offline is noticed, and being back too", async () => {
    const { page, context } = await visit({ expectErrors: /Failed to load resource/ });
    await openWidget(page);
    await context.setOffline(true);
    await page.locator(".offline:visible").waitFor();
    await ask(page, QUESTION);
    await page.locator(".error", { hasText: "was not sent" }).waitFor();
    await context.setOffline(false);
    await page.locator(".offline").waitFor({ state: "hidden" });
    await page.locator(".error button").click();
    await answered(page);
  });
});

const READ_ALOUD = `- region "Conversation":
  - article:
    - 'heading "You asked: How do I install Acme?" [level=3]'
    - group "Answer":
      - paragraph:
        - text: You can install Acme with one command
        - 'link "Source 1: Install Acme › Linux"':
          - /url: https://docs.acme.example/guide/install#linux
          - text: "1"
        - text: .
      - list:
        - listitem:
          - paragraph:
            - text: Download the
            - strong: installer
            - text: .
        - listitem:
          - paragraph: "Run it:"
      - code: curl -fsSL https://get.acme.example | sudo sh
      - button "Copy the code"
      - paragraph: That is all it takes.
      - navigation "Sources":
        - heading "Sources" [level=4]
        - list:
          - listitem:
            - link "1 Install Acme › Linux":
              - /url: https://docs.acme.example/guide/install#linux
      - navigation "Read next":
        - heading "Read next" [level=4]
        - list:
          - listitem:
            - link "Configuration":
              - /url: https://docs.acme.example/guide/configure
      - button "Copy the answer"
      - button "Try again"
      - button "Helpful"
      - button "Not helpful"
      - status`;

describe("accessibility", () => {
  test.each(["light", "dark"] as const)("axe-core finds no fault of any weight in the %s", async (theme) => {
    here.site.serve({
      head: "<style>:root{color-scheme:light dark}</style>",
      attributes: 'data-accent="#e11d48"',
    });
    const { page } = await visit({ theme, reducedMotion: true });
    await openWidget(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await ask(page, QUESTION);
    await answered(page);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test("read aloud, an answer is the question, its words with their numbers, its sources, and what one can do", async () => {
    const { page } = await visit();
    await openWidget(page);
    await ask(page, QUESTION);
    await answered(page);
    expect(await page.getByRole("region", { name: "Conversation" }).ariaSnapshot()).toBe(READ_ALOUD);
  });

  test("a number is read aloud as its source is called, which comes when the answer was written", async () => {
    here.site.ollama.replyWith({ text: ANSWER.split(/(?<=\n)/), tokenMs: 200 });
    const { page } = await visit();
    await openWidget(page);
    await ask(page, QUESTION);
    await answered(page);
    expect(await page.locator("a.cite").first().getAttribute("aria-label")).toBe(
      "Source 1: Install Acme › Linux",
    );
  });

  test("the end of an answer is announced, its words are not", async () => {
    const { page } = await visit();
    await openWidget(page);
    await page.waitForFunction(() => {
      const region = document
        .querySelector("docent-widget")
        ?.shadowRoot?.querySelector(".panel > [role=status]");
      if (!region) return false;
      const heard: string[] = [];
      Reflect.set(window, "heard", heard);
      new MutationObserver(() => heard.push(region.textContent ?? "")).observe(region, { childList: true });
      return true;
    });
    await ask(page, QUESTION);
    await answered(page);
    await page.waitForFunction(() => Reflect.get(window, "heard").at(-1) === "The answer is complete.");
    const heard: string[] = await page.evaluate(() => Reflect.get(window, "heard"));
    expect(heard.join(" ")).not.toContain("installer");
    expect(heard.length).toBeLessThanOrEqual(3);
  });

  test("where motion is not wanted, nothing moves", async () => {
    const { page } = await visit({ reducedMotion: true });
    await openWidget(page);
    // Drawn anew once the site has said what it says of itself.
    await page.locator(".disclaimer", { hasText: "Acme’s docs" }).waitFor();
    expect(await page.locator(".panel").evaluate((panel) => getComputedStyle(panel).animationName)).toBe(
      "none",
    );
  });
});

describe("a phone", () => {
  test("the panel is the screen, and nothing is written smaller than what makes a phone zoom", async () => {
    const { page } = await visit({ width: 390, height: 844, reducedMotion: true });
    await openWidget(page);
    const box = await page.locator(".panel").boundingBox();
    expect(box).toEqual({ x: 0, y: 0, width: 390, height: 844 });
    expect(
      await page
        .locator("textarea")
        .first()
        .evaluate((field) => getComputedStyle(field).fontSize),
    ).toBe("16px");
    await ask(page, QUESTION);
    await answered(page);
    const wide = await page
      .locator(".transcript")
      .evaluate((element) => element.scrollWidth - element.clientWidth);
    expect(wide).toBe(0);
    await picture(page, "widget-phone");
  });
});
