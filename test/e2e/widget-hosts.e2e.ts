import { describe, expect, test } from "bun:test";
import { answered, ask, openWidget } from "./widget-page.ts";
import { widgetVisits } from "./widget-visits.ts";

const QUESTION = "How do I install Acme?";
const here = widgetVisits({ reducedMotion: true });
const { visit } = here;

describe("a page that is being read", () => {
  test("does not wait for the widget, which is there as soon as the page asks for it", async () => {
    here.site.serve({
      head: `<script>document.addEventListener("DOMContentLoaded", () => {
        const isThere = () => document.querySelector("docent-widget") !== null;
        window.seen = [isThere(), typeof Docent.open, isThere()];
      })</script>`,
    });
    const { page } = await visit();
    expect(await page.evaluate("window.seen")).toEqual([false, "function", true]);
    await page.locator(".launcher").waitFor();
  });

  test("may call something of its own by the widget's name", async () => {
    here.site.serve({
      head: `<script>document.addEventListener("DOMContentLoaded", () => { "use strict"; window.Docent = 1; })</script>`,
    });
    const { page } = await visit();
    await page.locator(".launcher").waitFor();
    expect(await page.evaluate("window.Docent")).toBe(1);
    expect(await page.locator("docent-widget").count()).toBe(1);
  });
});

describe("hostile CSS", () => {
  const HOSTILE = `<style>
    * { all: unset !important }
    body { transform: none; opacity: 1 }
    docent-widget, docent-widget * { display: none !important; position: static !important; visibility: hidden !important;
      opacity: 0 !important; color: red !important; font: 60px serif !important; transform: scale(3) !important;
      pointer-events: none !important; filter: invert(1) !important; direction: rtl !important }
    * { --ground: red !important; --text: lime !important; --accent: hotpink !important; --size: 90px !important;
      --fill: red !important; --corner: 99px !important; --sans: cursive !important }
    button, textarea, dialog, [hidden] { display: none !important }
  </style>`;

  /** What makes a look, of everything that is seen. */
  const parts = [".panel", ".panel h2", "textarea", ".send", ".cite", ".question", ".disclaimer"];
  const look = (part: string) => {
    const root = document.querySelector("docent-widget")?.shadowRoot;
    return [...(root?.querySelectorAll(part) ?? [])].map((element) => {
      const {
        color,
        fontSize,
        fontFamily,
        backgroundColor,
        display,
        opacity,
        borderRadius,
        visibility,
        direction,
      } = getComputedStyle(element);
      const { width, height } = element.getBoundingClientRect();
      return {
        color,
        fontSize,
        fontFamily,
        backgroundColor,
        display,
        opacity,
        borderRadius,
        visibility,
        direction,
        width,
        height,
      };
    });
  };

  test("the widget looks as it does on a plain page", async () => {
    const looks: unknown[][][] = [];
    for (const head of ["", HOSTILE]) {
      here.site.serve({ head, attributes: 'data-theme="light" data-accent="#0f766e"' });
      const { page } = await visit();
      await openWidget(page);
      await ask(page, QUESTION);
      await answered(page);
      looks.push(await Promise.all(parts.map((part) => page.evaluate(look, part))));
    }
    const [plain, hostile] = looks;
    expect(parts.filter((_, place) => plain?.[place]?.length === 0)).toEqual([]);
    expect(hostile).toEqual(plain);
  });

  test("the page looks as it did without the widget", async () => {
    const styles = () =>
      [...document.querySelectorAll("body, main, h1, p, a, pre, input")].map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return { x, y, width, height, color: getComputedStyle(element).color };
      });
    here.site.serve({
      html: () =>
        "<!doctype html><title>x</title><main><h1>One</h1><p>Two <a href=/>three</a></p><pre>four</pre></main>",
    });
    const without = await (await visit()).page.evaluate(styles);
    here.site.serve({
      html: (tag) =>
        `<!doctype html><title>x</title>${tag}<main><h1>One</h1><p>Two <a href=/>three</a></p><pre>four</pre></main>`,
    });
    const { page } = await visit();
    await openWidget(page);
    expect(await page.evaluate(styles)).toEqual(without);
  });
});

describe("a strict Content-Security-Policy", () => {
  const policy = (scripts: string) =>
    [
      "default-src 'none'",
      `script-src ${scripts}`,
      `connect-src ${here.site.docent.url}`,
      "img-src 'self'",
      "base-uri 'none'",
      "require-trusted-types-for 'script'",
    ].join("; ");

  async function works(): Promise<void> {
    // Whatever the policy refuses, the browser complains of, and the visit fails.
    const { page, requests } = await visit();
    await openWidget(page);
    await ask(page, QUESTION);
    await answered(page);
    await page.locator(".hl-keyword, .hl-name").first().waitFor();
    await page.locator("a.cite").first().hover();
    await page.locator(".card:visible").waitFor();
    expect(requests.some((request) => request.includes("/assets/highlight-"))).toBe(true);
  }

  test("that names the server", async () => {
    here.site.serve({
      html: (tag) => `<!doctype html><title>x</title>${tag}<main><p>Text</p></main>`,
      headers: { "content-security-policy": policy(here.site.docent.url) },
    });
    await works();
  });

  test("with a nonce", async () => {
    here.site.serve({
      html: (tag) =>
        `<!doctype html><title>x</title>${tag.replace("<script", '<script nonce="r4nd0m"')}<main><p>Text</p></main>`,
      headers: { "content-security-policy": policy("'nonce-r4nd0m' 'strict-dynamic'") },
    });
    await works();
  });

  test("with the script's hash", async () => {
    const script = await (await fetch(`${here.site.docent.url}/widget.js`)).bytes();
    const hash = `sha256-${new Bun.CryptoHasher("sha256").update(script).digest("base64")}`;
    here.site.serve({
      html: (tag) =>
        `<!doctype html><title>x</title>${tag.replace("<script", `<script integrity="${hash}" crossorigin`)}<main><p>Text</p></main>`,
      headers: { "content-security-policy": policy(`'${hash}' ${here.site.docent.url}/assets/`) },
    });
    await works();
  });
});

describe("a page that replaces itself", () => {
  test("a body that is swapped keeps the widget, open and with its conversation, and the question names the new page", async () => {
    const { page } = await visit();
    await openWidget(page);
    await ask(page, QUESTION);
    await answered(page);
    await page.evaluate(() => {
      const body = document.createElement("body");
      body.append(Object.assign(document.createElement("h1"), { textContent: "Next" }));
      history.pushState(null, "", "/guide/next");
      document.documentElement.replaceChild(body, document.body);
    });
    await page.locator("body > h1", { hasText: "Next" }).waitFor();
    expect(await page.locator("docent-widget").count()).toBe(1);
    expect(await page.locator(".panel[open] .question").textContent()).toContain(QUESTION);
    const body = page.waitForRequest((request) => request.url().includes("/v2/assistant/"));
    await ask(page, "And on Windows?");
    expect((await body).postDataJSON().currentPath).toBe("/guide/next");
  });

  test("a modal that was open is in front again", async () => {
    here.site.serve({ attributes: 'data-variant="modal"' });
    const { page } = await visit();
    await openWidget(page);
    await page.evaluate(() =>
      document.documentElement.replaceChild(document.createElement("body"), document.body),
    );
    await page.waitForFunction(() =>
      document.querySelector("docent-widget")?.shadowRoot?.querySelector("dialog")?.matches(":modal"),
    );
    await page.locator(".composer textarea").fill("still here");
  });

  test("a script that runs again makes no second widget", async () => {
    const { page } = await visit();
    await openWidget(page);
    await page.evaluate(() => {
      const old = document.querySelector("script");
      const again = document.createElement("script");
      for (const { name, value } of old?.attributes ?? []) again.setAttribute(name, value);
      return new Promise((resolve) => {
        again.onload = resolve;
        document.body.append(again);
      });
    });
    expect(await page.locator("docent-widget").count()).toBe(1);
    expect(await page.locator(".panel[open]").count()).toBe(1);
  });

  test("a page that takes it away each time is not fought for ever", async () => {
    const { page } = await visit();
    await page.evaluate(() => {
      new MutationObserver(() => document.querySelector("docent-widget")?.remove()).observe(document, {
        childList: true,
        subtree: true,
      });
      document.body.append("x");
    });
    expect(await page.evaluate(() => new Promise((resolve) => setTimeout(() => resolve("alive"), 50)))).toBe(
      "alive",
    );
  });

  test("the page's theme is followed when it changes", async () => {
    here.site.serve({ head: "<style>:root { color-scheme: light }</style>" });
    const { page } = await visit();
    await openWidget(page);
    const ground = () => page.locator(".panel").evaluate((panel) => getComputedStyle(panel).backgroundColor);
    await page.evaluate(() => document.documentElement.setAttribute("data-theme", "dark"));
    await page.waitForFunction(() =>
      document.querySelector("docent-widget")?.shadowRoot?.querySelector("[data-theme=dark]"),
    );
    const dark = await ground();
    await page.evaluate(() => document.documentElement.setAttribute("data-theme", "light"));
    await page.waitForFunction(() =>
      document.querySelector("docent-widget")?.shadowRoot?.querySelector("[data-theme=light]"),
    );
    expect(await ground()).toBe("rgb(255, 255, 255)");
    expect(dark).not.toBe("rgb(255, 255, 255)");
  });

  test("destroy takes all of it away", async () => {
    const { page } = await visit();
    await openWidget(page);
    await page.evaluate(() => Reflect.get(window, "Docent").destroy());
    expect(await page.locator("docent-widget").count()).toBe(0);
    expect(await page.evaluate(() => "Docent" in window)).toBe(false);
    await page.keyboard.press("Control+i");
    expect(await page.locator("docent-widget").count()).toBe(0);
  });
});

describe("variants", () => {
  test("inline stands in its element, also in one that comes later, and asks nothing before it is seen", async () => {
    here.site.serve({
      attributes: 'data-target="#ask"',
      body: '<main style="height:3000px"><h1>Docs</h1></main>',
    });
    const { page, requests } = await visit();
    await page.waitForFunction(() => "Docent" in window);
    expect(await page.locator("docent-widget").count()).toBe(0);
    await page.evaluate(() =>
      document.body.append(Object.assign(document.createElement("div"), { id: "ask" })),
    );
    await page.locator("#ask docent-widget").waitFor({ state: "attached" });
    expect(requests.filter((request) => request.includes("/v1/widget/"))).toEqual([]);
    await page.locator("#ask").scrollIntoViewIfNeeded();
    await page.locator(".disclaimer", { hasText: "Acme’s docs" }).waitFor();
    await ask(page, QUESTION);
    await answered(page);
    expect(await page.locator(".launcher").count()).toBe(0);
    expect(await page.locator("[aria-label=Close]").count()).toBe(0);
  });

  test("what the owner has set is shown, and what the tag says counts more", async () => {
    const { people } = here.site.docent.app.parts;
    const { settings } = await people.sites.get("acme");
    await people.sites.set("acme", {
      settings: {
        starterQuestions: ["What is Acme?"],
        widget: { ...settings.widget, accent: "#aa0000", labels: { title: "Frag Acme", send: "Los" } },
      },
    });
    here.site.serve({ attributes: 'data-label-send="Senden"' });
    const { page } = await visit();
    await openWidget(page);
    await page.locator("h2", { hasText: "Frag Acme" }).waitFor();
    expect(await page.locator(".starter").allTextContents()).toEqual(["What is Acme?"]);
    expect(await page.locator(".send:not(.stop)").getAttribute("aria-label")).toBe("Senden");
    expect(
      await page
        .locator(".send")
        .first()
        .evaluate((send) => getComputedStyle(send).getPropertyValue("--fill")),
    ).toBe("#aa0000");
    await people.sites.set("acme", { settings: { starterQuestions: [], widget: settings.widget } });
  });

  test("the page hears what happens, and can speak", async () => {
    const { page } = await visit();
    await page.evaluate(() => {
      const heard: unknown[] = [];
      Reflect.set(window, "heard", heard);
      const { Docent } = window as unknown as {
        Docent: { on(name: string, run: (detail: unknown) => void): void; setContext(context: object): void };
      };
      for (const name of ["open", "ask", "answer", "close"])
        Docent.on(name, (detail) => heard.push([name, detail]));
      Docent.setContext({
        currentPath: "/app/settings",
        tag: "cli",
        context: [{ type: "code", value: "acme init" }],
      });
    });
    const body = page.waitForRequest((request) => request.url().includes("/v2/assistant/"));
    await page.evaluate((question) => Reflect.get(window, "Docent").ask(question), QUESTION);
    expect((await body).postDataJSON()).toMatchObject({
      currentPath: "/app/settings",
      filter: { tag: "cli" },
      context: [{ type: "code", value: "acme init" }],
    });
    await answered(page);
    await page.evaluate(() => Reflect.get(window, "Docent").close());
    const names = await page.evaluate(() => Reflect.get(window, "heard").map(([name]: [string]) => name));
    expect(names).toEqual(["open", "ask", "answer", "close"]);
  });
});

describe("injection", () => {
  const EVIL = `"><img src=x onerror="window.pwned=1"><script>window.pwned=1</script>{name}`;
  const pwned = () => Reflect.get(window, "pwned");

  test("attributes, labels and names are text", async () => {
    const escaped = Bun.escapeHTML(EVIL);
    here.site.serve({
      attributes: ["title", "open", "greeting", "placeholder", "disclaimer", "send"]
        .map((name) => `data-label-${name}="${escaped}"`)
        .concat(
          `data-starters="${escaped}"`,
          `data-logo="javascript:window.pwned=1"`,
          `data-accent="red;}*{display:none"`,
        )
        .join(" "),
    });
    const { page } = await visit();
    await openWidget(page);
    expect(await page.locator("h2").textContent()).toContain("<img src=x");
    expect(await page.locator(".starter").first().textContent()).toContain("<script>");
    expect(await page.locator(".panel img, .panel script").count()).toBe(0);
    expect(await page.evaluate(pwned)).toBeUndefined();
  });

  test("answers, sources and questions are text, and links lead nowhere but to pages", async () => {
    const parts = [
      { type: "start", messageId: "m1", messageMetadata: { threadId: "t1" } },
      {
        type: "tool-output-available",
        toolCallId: "c",
        output: {
          type: "search",
          results: [{ content: EVIL, path: "/x", metadata: { title: EVIL, href: "/x", score: 1 } }],
        },
      },
      { type: "text-start", id: "1" },
      {
        type: "text-delta",
        id: "1",
        delta: `${EVIL}\n\n[a](javascript:window.pwned=1) [b](data:text/html,<script>1</script>) ![c](https://evil.example/x.png) [[1]](https://docs.acme.example/x) <svg onload=window.pwned=1>\n\n\`\`\`"><img src=x onerror=window.pwned=1>\n</code><script>window.pwned=1</script>\n\`\`\`\n\n\`\`\`suggestions\n(${"<b>evil</b>"})[javascript:window.pwned=1]\n(Page)[/page]\n\`\`\``,
      },
      { type: "text-end", id: "1" },
      { type: "source-url", sourceId: "1", url: "https://docs.acme.example/x", title: EVIL },
      { type: "source-url", sourceId: "2", url: "javascript:window.pwned=1", title: "evil" },
      { type: "finish", messageMetadata: { threadId: "t1", outcome: "answered" } },
    ];
    const { page, requests } = await visit();
    await page.route(`${here.site.docent.url}/v2/**`, (route) =>
      route.fulfill({
        headers: { "content-type": "text/event-stream", "access-control-allow-origin": "*" },
        body: `${parts.map((part) => `data: ${JSON.stringify(part)}\n\n`).join("")}data: [DONE]\n\n`,
      }),
    );
    await openWidget(page);
    await ask(page, EVIL);
    await answered(page);
    await page.locator("a.cite").hover();
    await page.locator(".card:visible").waitFor();
    const links: string[] = await page
      .locator(".panel a")
      .evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
    expect(links.length).toBeGreaterThan(1);
    for (const link of links) expect(link).toMatch(/^https:\/\//);
    expect(await page.locator(".panel :is(img, script, iframe, b, [onload], [onerror])").count()).toBe(0);
    expect(await page.evaluate(pwned)).toBeUndefined();
    expect(requests.filter((request) => request.includes("evil.example"))).toEqual([]);
  });

  test("what another script left in the browser's storage is read as text", async () => {
    const { page } = await visit();
    await page.evaluate(
      ([server, evil]) => {
        const turn = {
          id: "q",
          question: evil,
          answer: `${evil} [x](javascript:window.pwned=1)`,
          status: "done",
          sources: [{ url: "javascript:window.pwned=1", title: evil, snippet: evil }],
        };
        for (const value of [
          JSON.stringify({ version: 1, threadId: evil, turns: [turn, null, 7] }),
          "{",
          "null",
        ])
          localStorage.setItem(`docent:thread:${server}/acme`, value);
        localStorage.setItem(
          `docent:look:${server}/acme`,
          JSON.stringify({
            name: evil,
            widget: { labels: { title: evil }, logo: "javascript:window.pwned=1", accent: evil },
          }),
        );
      },
      [here.site.docent.url, EVIL] as const,
    );
    await page.reload();
    await openWidget(page);
    await ask(page, QUESTION);
    await answered(page);
    expect(await page.evaluate(pwned)).toBeUndefined();
    expect(await page.locator('.panel :is(img, script), a[href^="javascript"]').count()).toBe(0);
  });
});
