import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { atRest, sharedBrowser, type TestBrowser, type VisitOptions } from "./browser.ts";
import {
  allText,
  countRuns,
  harmIn,
  POISON,
  POISONED_ADDRESS,
  POISONED_MARKDOWN,
  POISONED_NAME,
  type PoisonedServer,
  startPoisonedServer,
} from "./injection-site.ts";
import { ask, openWidget } from "./widget-page.ts";

// Each row is a place in which somebody else's words stand. They are shown as words: nothing of them runs, becomes an
// element or leads anywhere. What a policy had to stop fails the test too: the page complains, and the visit with it.

setDefaultTimeout(300_000);

const REFUSALS = /Failed to load resource: the server responded with a status of (40\d|429|500)/;

let browser: TestBrowser;
let server: PoisonedServer;
beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startPoisonedServer()]);
});
afterAll(async () => {
  await server.close();
});

interface Opened {
  page: Page;
  /** Where the server is. */
  url: string;
}

/** A browser in which the server's owner is signed in. What runs, asks or leads away fails the test. */
async function unharmed(run: (opened: Opened) => Promise<void>, options: VisitOptions = {}) {
  const visit = await browser.visit({ opensShadows: true, expectErrors: REFUSALS, ...options });
  const dialogs: string[] = [];
  visit.page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await visit.context.addInitScript(countRuns);
  const [name = "", value = ""] = server.door.cookies.root.split("=");
  await visit.context.addCookies([{ name, value, url: server.door.url }]);
  await run({ page: visit.page, url: server.door.url });
  expect(await harmIn(visit.page)).toEqual([]);
  expect(dialogs).toEqual([]);
  expect(visit.context.pages()).toHaveLength(1);
  await visit.end();
}

/** Waits until the page says it somewhere: a place where it is not said would prove nothing. */
async function says(page: Page, text: string): Promise<void> {
  const plain = text.replace(/\s+/g, " ");
  for (const endsAt = Date.now() + 120_000; ; await page.waitForTimeout(50)) {
    const said = (await page.evaluate(allText)).replace(/\s+/g, " ");
    if (said.includes(plain)) return;
    if (Date.now() > endsAt) throw new Error(`not said: ${text}\nin: ${said.slice(0, 3000)}`);
  }
}

const query = (values: Record<string, string>) => `?${new URLSearchParams(values)}`;

describe("the dashboard", () => {
  const site = (path: string) => () => server.site + path;
  const PLACES: [place: string, at: () => string, text?: string][] = [
    ["names of organizations and sites", () => "/"],
    ["names of members", () => "/members", `1 ${POISON}`],
    ["what a browser calls itself", () => "/account"],
    ["names of organizations, on the server's page", () => "/server"],
    ["a site's name, on its overview", site("")],
    ["questions", site("/conversations")],
    ["what is searched for", site(`/conversations${query({ text: POISON, show: POISON, days: POISON })}`)],
    [
      "a question, its answer, its passages and a comment",
      () => `${server.site}/conversations/${server.messageId}`,
    ],
    ["the id of a turn", site(`/conversations/${encodeURIComponent(POISON)}`)],
    ["evaluation questions", site("/conversations/evaluation")],
    ["gaps", site("/gaps"), "Which stripes has a zebra?"],
    ["the state of gaps", site(`/gaps${query({ state: POISON })}`)],
    ["curated answers", site("/answers"), "Which poison is the best?"],
    ["a curated answer", site(`/answers/edit${query({ name: "poison" })}`)],
    ["the name of a curated answer", site(`/answers/edit${query({ name: POISON, version: POISON })}`)],
    [
      "a new curated answer",
      () => `${server.site}/answers/new${query({ question: POISON, from: server.messageId })}`,
    ],
    ["places of sources, versions and languages", site("/content")],
    ["a source and its ledger", site("/content/sources/2")],
    ["paths and titles of pages", site("/content/pages"), POISONED_NAME],
    ["what is searched for in pages", site(`/content/pages${query({ query: POISON })}`)],
    ["a page's text and passages", site(`/content/page${query({ path: "zebra" })}`), "A zebra has stripes."],
    ["the path of a page", site(`/content/page${query({ path: POISON })}`)],
    ["why a page is found", site(`/content/find${query({ question: `zebra ${POISON}`, page: "zebra" })}`)],
    ["generations", site("/content/generations")],
    ["what a generation changed", site("/content/generations/2"), POISONED_NAME],
    ["golden questions", site("/content/golden")],
    ["how pages came into the index", site("/content/report"), `Zebra ${POISON}`],
    ["where notices go", () => "/notices"],
    ["what was done, and by whom", () => "/audit"],
    ["starter questions", site("/playground")],
    ["a site's settings", site("/settings")],
    ["instructions", site("/settings/answers")],
    ["the widget's labels and picture", site("/settings/widget")],
    ["names of keys", site("/settings/keys")],
    ["a part of the settings that there is not", site(`/settings/${encodeURIComponent(POISON)}`)],
    [
      "an organization and a site that there are not",
      () => `/dashboard/${encodeURIComponent(POISON)}/${encodeURIComponent(POISON)}`,
      "There is no such page",
    ],
  ];

  test.each(PLACES)("%s", async (_, at, text = POISON) => {
    await unharmed(async ({ page, url }) => {
      await page.goto(url + at());
      await says(page, text);
      await atRest(page);
    });
  });

  test("an answer of the model, with what came in its stream", async () => {
    await unharmed(async ({ page, url }) => {
      await page.goto(`${url}${server.site}/playground`);
      await page.getByRole("textbox").first().fill(`Which stripes has a zebra? ${POISON}`);
      await page.getByRole("textbox").first().press("Enter");
      await says(page, "A zebra has stripes");
      await atRest(page);
    });
  });

  test.each(["error", "message", "code", "hint", "requestId"])(
    "what a server says of a fault: %s",
    async (field) => {
      await unharmed(async ({ page, url }) => {
        await page.route("**/v1/admin/members", (route) =>
          route.fulfill({ status: 500, json: { message: "m", code: "internal", [field]: POISON } }),
        );
        await page.goto(`${url}/members`);
        await page.getByRole("alert").first().waitFor();
      });
    },
  );

  test.each([
    "//evil.example/",
    "/\\evil.example",
    "/\t/evil.example",
    "https://evil.example/",
    "/%2F/evil.example",
    POISONED_ADDRESS,
    `/${POISON}`,
    "/sign-in?next=//evil.example",
    "/..//evil.example",
    "data:text/html,x",
  ])("where to go after signing in: %s", async (next) => {
    await unharmed(async ({ page, url }) => {
      await page.goto(`${url}/sign-in${query({ next })}`);
      await page.getByRole("navigation").first().waitFor();
      expect(new URL(page.url()).origin).toBe(url);
      expect(new URL(page.url()).pathname).not.toStartWith("//");
    });
  });

  test("the secret of a one-time link", async () => {
    await unharmed(async ({ page, url }) => {
      await page.goto(`${url}/sign-in#link=${encodeURIComponent(POISON)}`);
      await page.getByRole("heading", { name: "This link opens nothing" }).waitFor();
      await page.goto(`${url}/sign-in#link=%`);
      await page.getByRole("heading", { name: "This link opens nothing" }).waitFor();
    });
  });

  test("what another program wrote into the browser's storage", async () => {
    await unharmed(async ({ page, url }) => {
      await page.goto(url);
      await page.evaluate((poison) => {
        for (const name of Object.keys(localStorage)) localStorage.setItem(name, poison);
        localStorage.setItem("docent-theme", poison);
      }, POISON);
      await page.reload();
      await says(page, POISON);
    });
  });
});

describe("the reader", () => {
  /** As paths are written for people. */
  const SHOWN_NAME = POISONED_NAME.replaceAll("__", " ");
  const PLACES: [place: string, path: string, text?: string][] = [
    ["a site's name, titles in the menu", "", POISON],
    ["a page's title, headings, code and text", "zebra", "A zebra has stripes."],
    [
      "a file's name",
      `${encodeURIComponent(POISONED_NAME)}/${encodeURIComponent(POISONED_NAME)}`,
      SHOWN_NAME,
    ],
    ["a folder's name", encodeURIComponent(POISONED_NAME), SHOWN_NAME],
    ["a version and a language", query({ version: POISONED_NAME, language: POISONED_NAME })],
    ["what is searched for", query({ q: `zebra ${POISON}` }), `zebra ${POISON}`],
    ["a page that there is not", encodeURIComponent(POISON)],
    [
      "every parameter",
      query({ q: POISON, version: POISONED_NAME, theme: POISON, list: POISON, until: POISON }),
    ],
  ];

  test.each(PLACES)("%s", async (_, path, text = POISON) => {
    await unharmed(async ({ page, url }) => {
      await page.goto(`${url}/sites/evil/${path}`);
      await says(page, text);
      await atRest(page);
    });
  });

  test("what is found as one types", async () => {
    await unharmed(async ({ page, url }) => {
      await page.goto(`${url}/sites/evil/`);
      await page.locator(".launcher").waitFor();
      await page.keyboard.press("/");
      await page.locator(".palette[open]").waitFor();
      await page.keyboard.type(`zebra ${POISON}`);
      await page.locator(".palette a[role=option]").first().waitFor();
    });
  });
});

describe("the widget", () => {
  const tag = (attributes: Record<string, string>) => {
    const written = Object.entries(attributes).map(([name, value]) => `${name}="${Bun.escapeHTML(value)}"`);
    return `<!doctype html><html lang="en"><title>Docs</title><script ${written.join(" ")} defer></script><p>Docs</p>`;
  };

  /** A page of docs with the widget on it, at the server's own address: so the two differ in nothing else. */
  async function onPage(
    run: (opened: Opened) => Promise<void>,
    { attributes = {}, search = "" }: { attributes?: Record<string, string>; search?: string } = {},
  ) {
    await unharmed(async ({ page, url }) => {
      const given = { src: `${url}/widget.js`, "data-domain": "evil", "data-key": server.key, ...attributes };
      await page.route("**/docs*", (route) => route.fulfill({ contentType: "text/html", body: tag(given) }));
      await page.goto(`${url}/docs${search}`);
      await run({ page, url });
    });
  }

  test("what the site says of itself, and an answer of the model", async () => {
    await onPage(async ({ page }) => {
      await openWidget(page);
      await says(page, POISON);
      await ask(page, `Which stripes has a zebra? ${POISON}`);
      await says(page, "A zebra has stripes");
      await page.locator(".turn[aria-busy=false] .actions:visible").last().waitFor();
      await page.locator(".chip, .source").first().waitFor();
      await page.locator("a.cite").first().hover();
      await page.locator(".card:visible").waitFor();
    });
  });

  const LOOK = ["theme", "accent", "radius", "position", "variant", "logo", "starters", "target"];
  const ABOUT = ["hotkey", "version", "language", "query", "label-title", "label-greeting", "ask-about-code"];
  test.each([...LOOK, ...ABOUT])("its attribute data-%s", async (name) => {
    for (const value of [POISON, POISONED_ADDRESS])
      await onPage(
        async ({ page }) => {
          await page.waitForFunction("'Docent' in window");
          await page.evaluate("Docent.open()");
          await atRest(page);
        },
        { attributes: { [`data-${name}`]: value } },
      );
  });

  test("its attributes data-domain, data-key and data-server", async () => {
    for (const [name, value] of [
      ["data-domain", POISON],
      ["data-domain", "../../evil"],
      ["data-key", "docent_dsc_x y"],
      ["data-server", POISONED_ADDRESS],
    ] as const)
      await onPage(
        async ({ page }) => {
          await atRest(page);
          await page.evaluate("window.Docent?.open()");
          await atRest(page);
        },
        { attributes: { [name]: value } },
      ).catch((error) => expect(String(error)).toMatch(/needs data-domain and data-key/));
  });

  test("?assistant= of the page", async () => {
    await onPage(
      async ({ page }) => {
        await says(page, POISON);
        await page.locator(".turn[aria-busy=false]").first().waitFor();
      },
      { search: query({ assistant: POISON }) },
    );
  });

  const event = (part: object) => `data: ${JSON.stringify(part)}\n\n`;
  const SEARCH = { toolCallId: "1", toolName: "search" };
  const result = {
    path: POISON,
    content: POISON,
    metadata: { title: POISON, href: POISONED_ADDRESS, score: 1 },
  };
  const STREAM = [
    { type: "start", messageId: POISON, messageMetadata: { threadId: POISON } },
    { type: "tool-input-available", ...SEARCH, input: { query: POISON } },
    {
      type: "tool-output-available",
      ...SEARCH,
      output: { results: [result, { ...result, metadata: { ...result.metadata, href: "/a" } }] },
    },
    { type: "data-status", data: { position: POISON } },
    { type: "reasoning-start", id: "r" },
    { type: "reasoning-delta", id: "r", delta: POISONED_MARKDOWN },
    { type: "text-start", id: "t" },
    // Cut where it may be taken for something else.
    ...POISONED_MARKDOWN.split(/(?<=[<"'(\]])/).map((delta) => ({ type: "text-delta", id: "t", delta })),
    {
      type: "text-delta",
      id: "t",
      delta: `\n[[1]](https://docs.evil.example/a#"onfocus=__pwn())\n\n\`\`\`suggestions\n(Out)[${POISONED_ADDRESS}]\n(In)[/"onfocus=__pwn()]\n\`\`\`\n`,
    },
    { type: "source-url", sourceId: POISON, url: POISONED_ADDRESS, title: POISON },
    { type: "source-url", sourceId: "2", url: `https://docs.evil.example/a#${POISON}`, title: POISON },
    { type: "finish", messageMetadata: { outcome: POISON, model: POISON, threadId: POISON } },
  ];

  test("every part of a stream", async () => {
    await onPage(async ({ page }) => {
      await page.route("**/v2/assistant/**", (route) =>
        route.fulfill({ contentType: "text/event-stream", body: STREAM.map(event).join("") }),
      );
      await openWidget(page);
      await ask(page, "Anything?");
      await page.locator(".turn[aria-busy=false] .actions:visible").last().waitFor();
      await says(page, "onerror=__pwn()");
      for (const fold of await page.locator("details summary").all()) await fold.click();
      await atRest(page);
      await page.reload();
      await says(page, "onerror=__pwn()");
    });
  });

  test.each([400, 404, 429, 500])("what a server says of a fault: %d", async (status) => {
    await onPage(async ({ page }) => {
      await page.route("**/v2/assistant/**", (route) =>
        route.fulfill({
          status,
          headers: { "retry-after": POISON },
          json: { code: POISON, message: POISON },
        }),
      );
      await openWidget(page);
      await ask(page, "Anything?");
      await page.locator(".error").waitFor();
    });
  });

  test("what the server says of the site", async () => {
    await onPage(async ({ page, url }) => {
      const look = { theme: POISON, accent: POISON, radius: POISON, position: POISON, variant: POISON };
      const labels = Object.fromEntries(["title", "greeting", "send", "close"].map((name) => [name, POISON]));
      await page.route(`${url}/v1/widget/**`, (route) =>
        route.fulfill({
          json: {
            name: POISON,
            url: POISONED_ADDRESS,
            contact: POISONED_ADDRESS,
            starterQuestions: [POISON, 7],
            language: POISON,
            defaultVersion: POISON,
            defaultLanguage: POISON,
            widget: { ...look, logo: POISONED_ADDRESS, labels },
          },
        }),
      );
      await openWidget(page);
      await says(page, POISON);
    });
  });

  test("a conversation that another program wrote into the storage", async () => {
    const turn = {
      id: POISON,
      question: POISON,
      answer: POISONED_MARKDOWN,
      reasoning: POISON,
      status: "done",
      asked: {},
      askedAt: 1,
      query: POISON,
      outcome: POISON,
      model: POISON,
      messageId: POISON,
      threadId: POISON,
      results: [{ title: POISON, content: POISON, path: POISON, href: "/a" }],
      sources: [{ title: POISON, snippet: POISON, url: `https://docs.evil.example/${POISONED_NAME}` }],
      suggestions: [{ label: POISON, path: "/a" }],
      feedback: { helpful: true, comment: POISON, status: "sent" },
    };
    const bad = {
      results: [{ ...turn.results[0], href: POISONED_ADDRESS }],
      sources: [{ ...turn.sources[0], url: POISONED_ADDRESS }],
    };
    await onPage(async ({ page }) => {
      await openWidget(page);
      await ask(page, "Which stripes has a zebra?");
      await page.locator(".turn[aria-busy=false] .actions:visible").last().waitFor();
      await page.waitForFunction("Object.keys(localStorage).length > 0");
      for (const turns of [
        [turn],
        [turn, { ...turn, ...bad }],
        [{ ...turn, status: "failed", error: { message: POISON } }],
        POISON,
      ]) {
        await page.evaluate(
          (text) => {
            for (const name of Object.keys(localStorage)) localStorage.setItem(name, text);
          },
          JSON.stringify({ version: 1, threadId: POISON, turns }),
        );
        await page.reload();
        await page.waitForFunction("'Docent' in window");
        await page.evaluate("Docent.open()");
        if (turns !== POISON) await says(page, "onerror=__pwn()");
      }
    });
  });
});
