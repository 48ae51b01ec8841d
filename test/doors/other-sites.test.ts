import { expect, test } from "bun:test";
import { type AdminDoorUnderTest, startAdminDoor } from "../helpers/admin-door.ts";
import { question } from "../helpers/docent.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { readPages } from "../helpers/public-site.ts";
import { told } from "../helpers/told.ts";

// What the docs of one site are changes nothing that can be called of another.

const NAMES = ["zebra", "lion", "hay", "stripes", "savanna", "keeper", "noon", "feeding"];

const PAGES = {
  "index.md": "# The zoo\n\nEverything about animals, and who keeps them.",
  "zebra.md":
    "# Zebras\n\nA zebra has stripes.\n\n## Feeding\n\nFeed a zebra hay at noon. Call `feedZebra()` for it.",
  "lion.md": "# Lions\n\nA lion sleeps for twenty hours, and eats at noon.",
  "keeper.md": "# The keeper\n\nThe keeper has the key of the savanna. Set MAX_HAY to 20.",
  "answers/visit.md": "---\nquestions:\n  - When can I visit?\n---\n\nEvery day at noon, see [lions](/lion).",
};

/** Docs that share words with the zoo's, in other shares. */
const pagesOf = (site: number, round: number) =>
  Object.fromEntries(
    Array.from({ length: 6 }, (_, page) => [
      `p${page}.md`,
      `# ${NAMES[(site + page) % NAMES.length]}\n\n${NAMES.filter((_, at) => (at * 3 + site + page) % 4 > round % 3).join(" ")} secret${site} \`feedZebra()\` MAX_HAY`,
    ]),
  );

const QUESTIONS = [
  "What do I feed a zebra?",
  "How long does a lion sleep?",
  "feedZebra",
  '"zebra has stripes"',
  "max hay",
  "noon savanna hay",
  "When can I visit?",
  "secret3 quantum",
  "Who has the secret1 key?",
  "zeb",
];

const LOOKUPS = [
  "/sites/acme/llms.txt",
  "/sites/acme/llms-full.txt",
  "/sites/acme/sitemap.xml",
  "/sites/acme/zebra.md",
  "/sites/acme/zebra",
  "/sites/acme",
];

const OWNED = [
  "/sites",
  "/sites/acme",
  "/sites/acme/pages",
  "/sites/acme/page?path=zebra",
  "/sites/acme/generations",
  "/sites/acme/sources",
  "/sites/acme/sources/1/ledger",
  "/sites/acme/runs",
  "/sites/acme/answers",
  "/summary",
];

const ANALYTICS = ["overview", "gaps", "conversations", "feedback", "export?format=jsonl", "assistant"];

/** Everything that a reader of acme is told. */
async function readersSee({ url, key }: AdminDoorUnderTest): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  async function add(method: "GET" | "POST", path: string, body?: unknown): Promise<void> {
    const reply = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        accept: "application/json, text/event-stream, text/html",
        "content-type": "application/json",
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const name = `${path} ${body === undefined ? "" : JSON.stringify(body)}`;
    all[name] = `${reply.status} ${told(await reply.text())}`;
  }
  for (const path of LOOKUPS) await add("GET", path);
  await add("GET", "/v1/widget/acme");
  await add("POST", "/v1/page/acme", { path: "zebra" });
  for (const text of QUESTIONS) {
    await add("GET", `/sites/acme/search.json?q=${encodeURIComponent(text)}`);
    await add("POST", "/v1/search/acme", { query: text, pageSize: 10 });
    await add("POST", "/mcp/acme", {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "search_docs", arguments: { query: text } },
    });
    await add("POST", "/v1/assistant/acme/message", question(text));
    await add("POST", "/v2/assistant/acme/message", question(text));
    await add("POST", "/v1/chat/completions", { model: "acme", messages: [{ role: "user", content: text }] });
  }
  return all;
}

/** What the owner of acme is told, also of how its questions are searched. */
async function ownerSees({ ask, url, keys }: AdminDoorUnderTest): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const path of OWNED) {
    const { status, text } = await ask("GET", path);
    all[path] = `${status} ${told(text)}`;
  }
  for (const path of ANALYTICS) {
    const reply = await fetch(`${url}/v1/analytics/acme/${path}`, {
      headers: { authorization: `Bearer ${keys.own}` },
    });
    all[path] = `${reply.status} ${told(await reply.text())}`;
  }
  for (const text of QUESTIONS) {
    const body = { question: text, path: "lion" };
    all[text] = told((await ask("POST", "/sites/acme/explain", { body })).text);
  }
  return all;
}

const searches = async ({ app: { parts } }: AdminDoorUnderTest) => {
  const { id: siteId } = await parts.people.sites.get("acme");
  return Promise.all(
    QUESTIONS.map((text) =>
      parts.content.search.find({ audience: "everything", siteId, text, pageSize: 20 }),
    ),
  );
};

test("nothing that can be called of a site changes with the docs of others", async () => {
  const settings = {
    address_lookups_per_minute: "0",
    organization_searches_per_hour: "100000",
    organization_messages_per_hour: "100000",
    answer_cache_answers: "0",
  };
  const door = await startAdminDoor({ docs: null, settings, clock: () => TEST_TIME });
  try {
    await door.app.parts.people.sites.set("acme", { settings: { public: true } });
    await readPages(door, "acme", PAGES);
    const readers = await readersSee(door);
    const found = await searches(door);
    expect(found.some(({ hits }) => (hits[0]?.relevance ?? 0) > 0.35)).toBe(true);
    const owner = await ownerSees(door);
    for (const reply of Object.values({ ...readers, ...owner })) expect(reply).not.toMatch(/^[45]\d\d /);
    const { sites } = door.app.parts.people;
    const others = Array.from({ length: 10 }, (_, number) => `other${number}`);
    const readOthers = async (round: number) => {
      for (const [number, domain] of others.entries()) await readPages(door, domain, pagesOf(number, round));
    };
    const steps: Record<string, () => Promise<void>> = {
      "ten others are added": async () => {
        for (const domain of others)
          await sites.add({ domain, organization: "other", settings: { public: true } });
        await readOthers(0);
      },
      "their docs are changed": () => readOthers(1),
      "they are read again": () => readOthers(2),
      "they are rolled back": async () => {
        for (const domain of others)
          await door.expectStatus(200, "POST", `/sites/${domain}/generations/rollback`, { as: "other" });
      },
      "they are removed": async () => {
        for (const domain of others) await sites.remove(domain);
      },
    };
    for (const [step, change] of Object.entries(steps)) {
      await change();
      expect({ step, found: await searches(door) }).toEqual({ step, found });
      expect({ step, owner: await ownerSees(door) }).toEqual({ step, owner });
    }
    expect(await readersSee(door)).toEqual(readers);
  } finally {
    await door.close();
  }
});
