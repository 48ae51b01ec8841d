import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { question, startDocent, type TestDocent } from "../helpers/docent.ts";
import { call, connect, textOf } from "../helpers/mcp-client.ts";
import { addSiteWithPages } from "../helpers/public-site.ts";

const HIDDEN = "ZX-81-QUAGGA";
const OTHERS = "TR-80-OKAPI";
const ASKED = "What is the code of the vault in the cellar?";
const PAGES = {
  "index.md":
    "# The vault in the cellar\n\nThe vault in the cellar is of steel. Who wants its code asks the porter.",
  "codes.md": `---\nhidden: true\n---\n# The code of the vault\n\nThe code of the vault in the cellar is ${HIDDEN}.`,
};
const OTHER_PAGES = {
  "codes.md": `# The code of the vault\n\nThe code of the vault in the cellar is ${OTHERS}.`,
};

let docent: TestDocent;
/** Opens the site `cellar` and no other. */
let key: string;
beforeAll(async () => {
  docent = await startDocent({ docs: null });
  await addSiteWithPages(docent, "cellar", PAGES);
  await addSiteWithPages(docent, "attic", OTHER_PAGES, { isPublic: false });
  const { people } = docent.app.parts;
  const { id, organizationId } = await people.sites.get("cellar");
  key = (await people.keys.create({ organizationId, name: "cellar", siteIds: [id] })).key;
});
afterAll(() => docent.close());

const send = async (path: string, body: unknown, by = key) => {
  const response = await fetch(`${docent.url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${by}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const read = async (path: string) => {
  const response = await fetch(`${docent.url}${path}`, { headers: { authorization: `Bearer ${key}` } });
  return { status: response.status, text: await response.text() };
};
const messageV2 = { fp: "f", messages: [{ id: "1", role: "user", parts: [{ type: "text", text: ASKED }] }] };
const chat = (model: string) => ({ model, messages: [{ role: "user", content: ASKED }] });

/** All that a door says of a site: to the question, and to the very page. */
const DOORS: Record<string, (domain: string) => Promise<{ status: number; text: string }>> = {
  "v1 message": (domain) => send(`/v1/assistant/${domain}/message`, question(ASKED)),
  "v2 message": (domain) => send(`/v2/assistant/${domain}/message`, messageV2),
  search: (domain) => send(`/v1/search/${domain}`, { query: ASKED, pageSize: 50, scoreThreshold: 0 }),
  page: (domain) => send(`/v1/page/${domain}`, { path: "codes" }),
  "chat completions": (domain) => send("/v1/chat/completions", chat(domain)),
  responses: (domain) => send("/v1/responses", { model: domain, input: ASKED }),
  "a model": (domain) => read(`/v1/models/${domain}`),
  "llms.txt": (domain) => read(`/sites/${domain}/llms.txt`),
  "llms-full.txt": (domain) => read(`/sites/${domain}/llms-full.txt`),
  "a page as Markdown": (domain) => read(`/sites/${domain}/codes.md`),
  "the reader": (domain) => read(`/sites/${domain}/codes`),
  "the reader's first page": (domain) => read(`/sites/${domain}/`),
  MCP: async (domain) => {
    try {
      const client = await connect(docent.url, domain, { authorization: `Bearer ${key}` });
      const said = [
        textOf(await call(client, "search_docs", { query: ASKED })),
        textOf(await call(client, "list_pages")),
        JSON.stringify(await client.listResources()),
        textOf(await call(client, "read_page", { path: "codes" })),
        textOf(await call(client, "fetch", { id: "/codes" })),
      ];
      await client.close();
      return { status: 200, text: said.join("\n") };
    } catch (error) {
      return { status: 404, text: String(error) };
    }
  },
};

describe("through every door", () => {
  for (const [name, ask] of Object.entries(DOORS)) {
    test(`a hidden page says nothing: ${name}`, async () => {
      const { status, text } = await ask("cellar");
      expect(status).toBeLessThan(500);
      expect(text).not.toContain(HIDDEN);
      expect(text).not.toContain("The code of the vault\n");
    });

    test(`a site that the key does not open looks like one that is not there: ${name}`, async () => {
      const [other, missing] = await Promise.all([ask("attic"), ask("nowhere")]);
      expect(other.status).toBe(missing.status);
      expect(other.status).toBeGreaterThanOrEqual(400);
      expect(withoutIds(other.text)).toBe(withoutIds(missing.text).replaceAll("nowhere", "attic"));
      expect(other.text).not.toContain(OTHERS);
    });
  }

  test("what is not hidden is there: the doors above are open", async () => {
    for (const name of [
      "v1 message",
      "v2 message",
      "search",
      "chat completions",
      "responses",
      "llms-full.txt",
      "MCP",
    ])
      expect([name, (await DOORS[name]?.("cellar"))?.text]).toEqual([name, expect.stringContaining("steel")]);
  });
});

const withoutIds = (text: string) => text.replace(/"requestId":"[^"]*"/g, "");

describe("limits count across doors", () => {
  const left = ({ headers }: { headers: Headers }) => Number(headers.get("ratelimit-remaining"));

  test("a question is one message, whatever it comes through", async () => {
    const first = await send("/v1/assistant/cellar/message", question(ASKED));
    const second = await send("/v2/assistant/cellar/message", messageV2);
    const third = await send("/v1/chat/completions", chat("cellar"));
    const fourth = await send("/discovery/v1/assistant/cellar/message", question(ASKED));
    const fifth = await send("/v1/responses", { model: "cellar", input: ASKED });
    expect([second, third, fourth, fifth].map((reply) => left(first) - left(reply))).toEqual([1, 2, 3, 4]);
  });

  test("searches do not spend messages, nor messages searches", async () => {
    const before = await send("/v1/search/cellar", { query: "vault" });
    await send("/v1/assistant/cellar/message", question(ASKED));
    const after = await send("/v1/search/cellar", { query: "vault" });
    expect(left(before) - left(after)).toBe(1);
  });
});
