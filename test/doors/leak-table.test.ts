import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { z } from "zod";
import { loadCommands } from "../../src/cli/commands/commands.ts";
import * as serverModule from "../../src/doors/server.ts";
import { SECOND_MS } from "../../src/kernel/lib/clock.ts";
import type { SiteSecret } from "../../src/people/readers/stores.ts";
import { type Audience, maySee } from "../../src/sites/pages/audience.ts";
import { type Described, filledPath, readDocument } from "../helpers/api-document.ts";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { readPages } from "../helpers/public-site.ts";
import { adasClaims, signToken } from "../helpers/reader-tokens.ts";
import { runInProcess } from "../helpers/run-in-process.ts";
import { isShared } from "../helpers/shared-database.ts";
import { told } from "../helpers/told.ts";

// What a reader may not see changes nothing that they get. Two servers have the same docs, but the second lacks the pages
// that are not for the reader: whatever a reader may send is answered by both alike. What may be sent is read from the
// OpenAPI document, the tools of MCP and the routes: a new one is in the table by itself.

const DOMAIN = "acme";

interface DocsPage {
  path: string;
  groups: string[];
  markdown: string;
}

const SUBJECTS = ["holidays", "laptops", "badges", "travel", "meetings", "printers", "parking", "lunch"];

/** What is for everyone: enough to be calibrated, and of words that other pages have too. */
const OPEN: DocsPage[] = SUBJECTS.map((subject, at) => ({
  path: `handbook/${subject}`,
  groups: [],
  markdown: `# About ${subject}\n\n${Array.from(
    { length: 16 },
    (_, part) =>
      `## ${subject} part ${part}\n\nAsk the office about ${subject} in week ${part}. Bring the form F${at}${part} and the ${SUBJECTS[(at + part) % SUBJECTS.length]} list. See [the first page](/index).\n`,
  ).join("\n")}`,
}));

const RESTRICTED: DocsPage[] = [
  {
    path: "people/salaries",
    groups: ["hr"],
    markdown:
      "# Salary bands\n\nThe salarium of grade seven is forty quatloos. See [budget](/money/budget).\n\n## How do I raise a salarium?\n\nAsk `raiseSalarium()` about holidays.",
  },
  {
    path: "people/layoffs",
    groups: ["hr", "board"],
    markdown: "# Project Mercury\n\nMercurial layoffs happen in week nine, see laptops and badges.",
  },
  {
    path: "money/budget",
    groups: ["finance"],
    markdown: "# The budgetarium\n\nThe budgetarium of travel is nine million quatloos.",
  },
  {
    path: "drafts/unreadable",
    groups: ["(nobody)"],
    markdown: "# Unreadable rules\n\nNobody may read of the zanzibarium yet.",
  },
  {
    path: "answers/mercury",
    groups: ["hr"],
    markdown: "When does Project Mercury begin? In week nine.",
  },
];

const FIRST: DocsPage = {
  path: "index",
  groups: [],
  markdown:
    "# Acme handbook\n\nEverything about the office. People read [salaries](/people/salaries) and [holidays](/handbook/holidays).",
};

/** A curated answer that is for everyone, but tells of a page that is not. */
const TELLING: DocsPage = {
  path: "answers/raise",
  groups: [],
  markdown: "How do I get a raise? Read [the bands](/people/salaries).",
};

const ALL = [FIRST, ...OPEN, ...RESTRICTED, TELLING];

/** Words that only pages for some have, whole and misspelled; their titles, paths and groups; and some that all have. */
const ALL_PROBES = [
  "salarium",
  "salarum",
  "sal",
  "What is the salarium of grade seven?",
  '"forty quatloos"',
  "raiseSalarium",
  "Project Mercury",
  "When does Project Mercury begin?",
  "How do I get a raise?",
  "budgetarium of travel",
  "zanzibarium",
  "people/salaries",
  "people/salary",
  "/people",
  "money/budget",
  "drafts/unreadable",
  "hr",
  "holidays",
  "What do I bring for parking in week nine?",
  "handbook/holidays",
];

/** Over PostgreSQL a third: what is made of the words before the database is the same. */
const PROBES = isShared ? ALL_PROBES.filter((_, at) => at % 3 === 1) : ALL_PROBES;

/** Those of commands, each of which opens the database anew. */
const TYPED = isShared
  ? ["salarum", "When does Project Mercury begin?"]
  : ["salarium", "salarum", "sal", "When does Project Mercury begin?", "people/salaries"];

interface Reader {
  name: string;
  groups: readonly string[];
  headers(docent: TestDocent): Promise<Record<string, string>>;
}

const secrets = new Map<TestDocent, Promise<SiteSecret>>();

/** A reader whom the site vouches for, in these groups. */
const vouched = (name: string, groups: string[]): Reader => ({
  name,
  groups,
  async headers(docent) {
    const { people } = docent.app.parts;
    const made =
      secrets.get(docent) ?? people.sites.get(DOMAIN).then(({ id }) => people.siteSecrets.create(id));
    secrets.set(docent, made);
    const claims = { ...adasClaims(DOMAIN, TEST_TIME / SECOND_MS), sub: name, groups };
    return { "x-docent-reader": await signToken(await made, claims) };
  },
});

/** Those who may see more come first: what they were told must not be kept for the others. */
const READERS: Reader[] = [
  vouched("a reader in two groups", ["hr", "finance"]),
  vouched("a reader in a group that other pages are for", ["finance"]),
  vouched("a reader in a group that no page is for", ["it"]),
  { name: "whoever is not known", groups: [], headers: async () => ({}) },
];

/** A page as its file holds it. */
function fileOf({ path, groups, markdown }: DocsPage): [string, string] {
  const questions = path.startsWith("answers/") ? [`questions: ["${markdown.split("?")[0]}?"]`] : [];
  const marks = [...(groups.length > 0 ? [`groups: ${JSON.stringify(groups)}`] : []), ...questions];
  const front = marks.length === 0 ? "" : `---\n${marks.join("\n")}\n---\n`;
  return [`${path}.md`, `${front}${markdown}\n`];
}

/** Whether a page is there for them: an answer goes with the page that it tells of. */
const isThere = (groups: Audience, page: DocsPage) =>
  maySee(groups, page.groups) && (page !== TELLING || maySee(groups, ["hr"]));

const SETTINGS = {
  address_lookups_per_minute: "0",
  address_hand_overs_per_hour: "0",
  ...Object.fromEntries(
    ["messages", "searches", "pages", "feedback", "events", "hand_overs"].map((kind) => [
      `organization_${kind}_per_hour`,
      "100000",
    ]),
  ),
};

async function startWith(pages: DocsPage[]): Promise<TestDocent> {
  const docent = await startDocent({ docs: null, settings: SETTINGS, clock: () => TEST_TIME });
  await docent.app.parts.people.sites.set(DOMAIN, { settings: { public: true } });
  await readPages(docent, DOMAIN, Object.fromEntries(pages.map(fileOf)));
  return docent;
}

interface Sent {
  method: string;
  path: string;
  body?: unknown;
}

/** The parts of a body that say what somebody wants to know. */
const ASKING = new Set(["query", "content", "text", "input", "path", "page", "q", "message", "comment"]);

/** A body, once for each of its asking texts, which is the probe's there. */
function probed(body: unknown, probe: string): unknown[] {
  if (Array.isArray(body))
    return body.flatMap((each, at) => probed(each, probe).map((changed) => body.with(at, changed)));
  if (typeof body !== "object" || body === null) return [];
  return Object.entries(body).flatMap(([name, value]) =>
    typeof value === "string" && ASKING.has(name)
      ? [{ ...body, [name]: probe }]
      : probed(value, probe).map((changed) => ({ ...body, [name]: changed })),
  );
}

/** Names a conversation that was begun on that server, where a body names one. */
const inThread = (body: unknown, thread: Record<string, string>): unknown =>
  typeof body === "object" && body !== null && !Array.isArray(body)
    ? Object.fromEntries(Object.entries(body).map(([name, value]) => [name, thread[name] ?? value]))
    : body;

const isForReaders = ({ security, path }: Described) =>
  security.some((each) => "assistant" in each) || (security.length === 0 && path === "/openapi.json");

/** Every other probe: whoever is next sends the others there, and whatever is next is sent the others. */
const probesFor = (reader: number, place: number) =>
  PROBES.filter((_, at) => (at + reader + place) % 2 === 0);

/** All that can be sent to an operation, from its example. */
function requestsOf(described: Described, probes: readonly string[]): Sent[] {
  const { method, parameters, requestBody } = described;
  const path = filledPath(described, { domain: DOMAIN, model: DOMAIN });
  const example = requestBody?.content["application/json"]?.example;
  const asked = parameters.filter((each) => each.in === "query" && ASKING.has(each.name));
  return [
    { method, path, ...(example === undefined ? {} : { body: example }) },
    ...probes.flatMap((probe) => [
      ...probed(example, probe).map((body) => ({ method, path, body })),
      ...asked.map(({ name }) => ({ method, path: `${path}?${name}=${encodeURIComponent(probe)}` })),
    ]),
  ];
}

/** What has no key: of the routes that are no operations, and what they show. */
const PAGES_OF_READER: Record<string, string[]> = {
  "/sites/:domain": [""],
  "/sites/:domain/llms.txt": ["/llms.txt"],
  "/sites/:domain/llms-full.txt": ["/llms-full.txt"],
  "/sites/:domain/search.json": PROBES.map((probe) => `/search.json?q=${encodeURIComponent(probe)}`),
  "/sites/:domain/*": [
    "/",
    "/sitemap.xml",
    "/robots.txt",
    "/people?list=0",
    ...PROBES.map((probe) => `/?q=${encodeURIComponent(probe)}`),
    ...[...ALL.map(({ path }) => path), "people", "money", "people/salary", "salaries"].flatMap((path) => [
      `/${path}`,
      `/${path}.md`,
    ]),
  ],
};

/** Routes that show nothing of a site's pages, or none to readers. */
const OTHERS =
  /^\/(?:v1\/(?:admin|session|analytics|sign-in)|assets|dashboard|health|metrics|openapi|discovery|docs|reference|icon|favicon|widget)|^\/(?:v[12]|mcp)\/|^\/(?:sign-in|first|new|members|account|notices|audit|server)?$|^\/\*$/;

async function send({ url, key }: TestDocent, { method, path, body }: Sent, headers: Record<string, string>) {
  const reply = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(path.startsWith("/sites/") ? {} : { authorization: `Bearer ${key}` }),
      accept: path.startsWith("/sites/")
        ? "text/html,application/json"
        : "application/json, text/event-stream",
      "content-type": "application/json",
      ...headers,
    },
    redirect: "manual",
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { status } = reply;
  // Not the etag, which depends on the address of the server.
  const shown = ["content-type", "location", "link", "cache-control", "vary"].map((name) =>
    told((reply.headers.get(name) ?? "").replaceAll(url, "")),
  );
  const text = told((await reply.text()).replaceAll(url, "").replaceAll(key, "key"));
  return { status, said: `${status} ${shown.join(" | ")}\n${text}`, reply };
}

/** The first question of a conversation there: feedback is given in it, and it is handed over. */
async function beginThread(docent: TestDocent, headers: Record<string, string>) {
  const body = { fp: "reader", messages: [{ id: "1", role: "user", content: "lunch part 3", parts: [] }] };
  const { reply } = await send(
    docent,
    { method: "POST", path: `/v1/assistant/${DOMAIN}/message`, body },
    headers,
  );
  const { headers: said } = reply;
  return {
    threadId: said.get("x-thread-id") ?? "",
    messageId: said.get("x-message-id") ?? "",
  };
}

/** The first lines that are not the same. */
function differenceOf(whole: string, own: string) {
  const [first, second] = [whole.split("\n"), own.split("\n")];
  const at = first.findIndex((line, index) => line !== second[index]);
  return { whole: first[at] ?? "", own: second[at] ?? "" };
}

let whole: TestDocent;
let operations: Described[];
let routes: { method: string; path: string }[];

beforeAll(async () => {
  const made = spyOn(serverModule, "createServer");
  try {
    whole = await startWith(ALL);
    // The routes are made for the first request.
    await fetch(`${whole.url}/openapi.json`);
    const server = made.mock.results.at(-1);
    routes = server?.type === "return" ? server.value.routes : [];
  } finally {
    made.mockRestore();
  }
  operations = readDocument(await (await fetch(`${whole.url}/openapi.json`)).json()).operations;
});
afterAll(() => whole.close());

const toolsSchema = z.object({
  result: z.object({
    tools: z.array(
      z.object({
        name: z.string(),
        inputSchema: z.object({
          properties: z.record(z.string(), z.looseObject({ type: z.string().optional() })),
        }),
      }),
    ),
  }),
});

/** Every tool and resource of MCP, asked by each of its texts. */
async function mcpRequests(reader: number): Promise<Sent[]> {
  const path = `/mcp/${DOMAIN}`;
  const call = (method: string, params: object): Sent => ({
    method: "POST",
    path,
    body: { jsonrpc: "2.0", id: 1, method, params },
  });
  const { said } = await send(whole, call("tools/list", {}), {});
  const { tools } = toolsSchema.parse(JSON.parse(said.slice(said.indexOf("\n") + 1))).result;
  const asking = tools.flatMap(({ name, inputSchema }, place) => {
    const texts = Object.entries(inputSchema.properties).filter(([, { type }]) => type === "string");
    const [first = ""] = texts.map(([text]) => text);
    return probesFor(reader, place).flatMap((probe) =>
      texts.map(([text]) =>
        call("tools/call", {
          name,
          arguments: { ...(text === first ? {} : { [first]: "holidays" }), [text]: probe },
        }),
      ),
    );
  });
  return [
    ...asking,
    call("resources/list", {}),
    call("resources/templates/list", {}),
    ...ALL.map((page) => call("resources/read", { uri: `docent://${DOMAIN}/${page.path}` })),
  ];
}

/** The commands that can be asked as a reader in some groups. */
async function askingCommands(): Promise<string[]> {
  const all = await loadCommands();
  return all.filter(({ options = {} }) => "anybody" in options).map(({ name }) => name);
}

describe("the table", () => {
  test("has every route: an operation of the document, a page of the reader site, or one that shows no page", () => {
    const known = (path: string) =>
      path in PAGES_OF_READER ||
      OTHERS.test(path) ||
      operations.some((each) => each.path.replace(/\{(\w+)\}/g, ":$1") === path);
    expect(routes.map(({ path }) => path).filter((path) => !known(path))).toEqual([]);
  });

  test("reaches every operation for readers with at least one request that is answered", async () => {
    const thread = await beginThread(whole, {});
    const unanswered: string[] = [];
    for (const described of operations.filter(isForReaders)) {
      let isAnswered = false;
      for (const sent of requestsOf(described, PROBES)) {
        const { status } = await send(whole, { ...sent, body: inThread(sent.body, thread) }, {});
        isAnswered = status < 300;
        if (isAnswered) break;
      }
      if (!isAnswered) unanswered.push(described.operationId);
    }
    // A hand-over has to be set up by the site's owner.
    expect(unanswered).toEqual(["handOver"]);
  });
});

for (const [reader, { name, groups, headers }] of READERS.entries()) {
  describe(`to ${name}`, () => {
    let own: TestDocent;
    beforeAll(async () => {
      own = await startWith(ALL.filter((page) => isThere(groups, page)));
    });
    afterAll(() => own.close());

    async function differing(requests: Sent[]): Promise<{ sent: Sent; whole: string; own: string }[]> {
      const as = { whole: await headers(whole), own: await headers(own) };
      const threads = { whole: await beginThread(whole, as.whole), own: await beginThread(own, as.own) };
      const found: { sent: Sent; whole: string; own: string }[] = [];
      for (const sent of requests) {
        const [first, second] = [
          await send(whole, { ...sent, body: inThread(sent.body, threads.whole) }, as.whole),
          await send(own, { ...sent, body: inThread(sent.body, threads.own) }, as.own),
        ];
        if (first.said !== second.said) found.push({ sent, ...differenceOf(first.said, second.said) });
      }
      return found;
    }

    test("no operation says what would not be said without the pages of others", async () => {
      const requests = operations
        .filter(isForReaders)
        .flatMap((each, place) => requestsOf(each, probesFor(reader, place)));
      expect(requests.length).toBeGreaterThan(3 * PROBES.length);
      expect(await differing(requests)).toEqual([]);
    });

    test("nor does any page of the reader site, or list for programs", async () => {
      const requests = Object.values(PAGES_OF_READER)
        .flat()
        .map((below) => ({ method: "GET", path: `/sites/${DOMAIN}${below}` }));
      expect(await differing(requests)).toEqual([]);
    });

    test("nor does any command, asked as such a reader", async () => {
      const commands = await askingCommands();
      expect(commands.length).toBeGreaterThan(1);
      const as = groups.length === 0 ? ["--anybody"] : groups.flatMap((group) => ["--group", group]);
      for (const command of commands)
        for (const probe of TYPED) {
          const run = ({ data }: TestDocent) =>
            runInProcess([command, DOMAIN, probe, "--json", "--data", data, ...as]);
          const [first, second] = [await run(whole), await run(own)];
          expect({ command, probe, said: told(first.out + first.err), code: first.code }).toEqual({
            command,
            probe,
            said: told(second.out + second.err),
            code: second.code,
          });
        }
    });

    test("nor does any tool or resource of MCP", async () => {
      expect(await differing(await mcpRequests(reader))).toEqual([]);
    });
  });
}

test("whoever may see a page is told of it, through the door too: the table can fail", async () => {
  for (const { name, groups, headers } of READERS) {
    const body = { query: "salarium", pageSize: 5 };
    const sent = { method: "POST", path: `/v1/search/${DOMAIN}`, body };
    const { said } = await send(whole, sent, await headers(whole));
    // Others link to the page: their sections name it.
    expect({ name, isTold: said.includes('"path":"people/salaries"') }).toEqual({
      name,
      isTold: groups.includes("hr"),
    });
  }
  const asMember = ["search", DOMAIN, "salarium", "--data", whole.data, "--group"];
  expect((await runInProcess([...asMember, "hr"])).out).toContain("people/salaries");
  expect((await runInProcess([...asMember, "it"])).out).not.toContain("people/salaries");
  const { parts } = whole.app;
  const { id: siteId } = await parts.people.sites.get(DOMAIN);
  const paths = async (audience: Audience) => {
    const { hits } = await parts.content.search.find({ siteId, audience, text: "salarium", pageSize: 5 });
    return hits.map(({ path }) => path);
  };
  expect(await paths(["hr"])).toContain("people/salaries");
  expect(await paths("everything")).toContain("people/salaries");
  expect(await paths(["finance"])).not.toContain("people/salaries");
  expect(await paths([])).not.toContain("people/salaries");
});
