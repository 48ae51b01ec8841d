import { afterAll, beforeAll, expect, test } from "bun:test";
import { seededRandom } from "../../src/measuring/eval/seeded-random.ts";
import { type AdminDoorUnderTest, type KeyName, startAdminDoor } from "../helpers/admin-door.ts";
import { isShared } from "../helpers/shared-database.ts";

// Requests that are almost right. Whatever is wrong with them: an answer, or an error that is the sender's; never a
// fault of ours, never a message that was not meant for the sender, never a change of what is another's.

// Over PostgreSQL all that differs is what reaches the database.
const REQUESTS = isShared ? 1200 : 2400;
const AT_ONCE = 8;
const SEED = 20261121;

const PARTS = [
  "acme",
  "rival",
  "1",
  "2",
  "0",
  "-1",
  "9".repeat(30),
  "1e3",
  "..",
  ".",
  "%2e%2e",
  "%2F",
  "%00",
  "%zz",
  "%E0%A4",
  "a b",
  "é",
  "💥",
  "x".repeat(300),
  "sources",
  "answers",
  "__proto__",
  "constructor",
  "'",
  '"',
  "*",
  ":domain",
];
/** Runs are left out: what was named would be fetched. */
const PATHS = [
  "/summary",
  "/organizations",
  "/sites",
  "/keys",
  "/admin-keys",
  "/sites/@",
  "/keys/@",
  "/admin-keys/@",
  "/sites/@/sources",
  "/sites/@/sources/@",
  "/sites/@/sources/@/ledger",
  "/sites/@/generations",
  "/sites/@/generations/rollback",
  "/sites/@/answers",
  "/sites/@/answers/@",
  "/sites/@/answers/@/@",
  "/sites/@/pages",
  "/sites/@/page",
  "/sites/@/explain",
  "/sites/@/runs",
  "/sites/@/uploads",
  "/sites/@/uploads/@",
  "/source-rules",
  "/models",
  "/defaults",
  "/server",
  "/notices",
  "/notices/@",
  "/notices/@/try",
  "/sites/@/try",
  "/sites/@/sources/@/runs/@",
  "/@",
  "/@/@",
];
const NAMES = [
  "domain",
  "name",
  "url",
  "organization",
  "settings",
  "hostNames",
  "confirm",
  "place",
  "kind",
  "branch",
  "subfolder",
  "version",
  "language",
  "everyMs",
  "authorization",
  "number",
  "markdown",
  "sites",
  "addresses",
  "expiresDays",
  "server",
  "write",
  "origins",
  "phrases",
  "retentionDays",
  "anchors",
  "__proto__",
  "toString",
];
const VALUES: unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1,
  1.5,
  1e308,
  "",
  " ",
  "acme",
  "rival",
  "other",
  "default",
  "\u0000",
  "\ud800",
  "https://docs.acme.example",
  "http://127.0.0.1:1/",
  "/etc/passwd",
  "../x",
  "git@h:p",
  "file:///x",
  "git",
  "folder",
  "docs_token",
  "---\nquestion: a\n---\nb",
  "x".repeat(5000),
  [],
  {},
  [[]],
  [null],
  ["acme"],
  [7],
];
/** Bodies that are right, until one thing in them is changed. */
const RIGHT: [method: string, path: string, body: Record<string, unknown>][] = [
  ["POST", "/sites", { domain: "@", name: "N", url: "https://n.example", settings: { public: true } }],
  ["PATCH", "/sites/acme", { name: "Acme", settings: { origins: ["https://a.example"], retentionDays: 3 } }],
  ["PATCH", "/sites/acme", { settings: { widget: { accent: "#abcdef", logo: "/a.png", labels: {} } } }],
  ["PATCH", "/sites/acme", { settings: { model: "", relevanceMin: null, curatedMin: 1, pageSize: 5 } }],
  [
    "POST",
    "/sites/acme/try",
    { fp: "f", messages: [{ id: "1", role: "user", parts: [{ type: "text", text: "@" }] }] },
  ],
  ["POST", "/keys", { name: "k", sites: ["acme"], expiresDays: 3, addresses: ["10.0.0.0/8"] }],
  ["POST", "/sites/acme/sources", { place: "https://docs.acme.example/@", version: "1", everyMs: 60_000 }],
  ["POST", "/sites/acme/sources", { place: "https://a.example/b.git", branch: "main", subfolder: "docs" }],
  ["POST", "/sites/acme/generations/rollback", { number: 1 }],
  ["POST", "/sites/acme/explain", { question: "install", path: "guide/install", pageSize: 3 }],
  ["PATCH", "/sites/acme/sources/1", { everyMs: 3_600_000 }],
  ["PUT", "/sites/acme/answers/@", { markdown: "---\nquestion: a\n---\nb", version: "1", language: "en" }],
];
const QUERIES = [
  "",
  "?limit=1",
  "?limit=-1",
  "?cursor=a",
  "?cursor=%FF",
  "?decision=added",
  "?x",
  "?__proto__=1",
];

const random = seededRandom(SEED);
const below = (count: number) => Math.floor(random() * count);
const pick = <T>(from: readonly T[]): T | undefined => from[below(from.length)];

function anyBody(depth = 0): unknown {
  if (depth > 0 && random() < 0.6) return pick(VALUES);
  const entries = Array.from({ length: below(4) }, () => [pick(NAMES), anyBody(depth + 1)]);
  return Object.fromEntries(entries);
}

/** How often each status came: a fuzz that is let in nowhere tries nothing. */
const seen = new Map<number, number>();
let door: AdminDoorUnderTest;
beforeAll(async () => {
  door = await startAdminDoor();
});
afterAll(() => door.close());

/** The body with one value in it replaced. */
function changed(body: Record<string, unknown>): Record<string, unknown> {
  const name = pick(Object.keys(body)) ?? "";
  return random() < 0.3 ? body : { ...body, [random() < 0.8 ? name : (pick(NAMES) ?? "")]: pick(VALUES) };
}

const filled = (text: string) => text.replaceAll("@", () => (random() < 0.4 ? "acme" : (pick(PARTS) ?? "")));

function anyRequest(): { method: string; path: string; body?: unknown } {
  const [method = "", path = "", right = {}] = pick(RIGHT) ?? [];
  if (random() < 0.4)
    return {
      method,
      path: filled(path),
      body: JSON.parse(JSON.stringify(changed(right)).replace("@", `n${below(99)}`)),
    };
  const any = pick(["GET", "POST", "PUT", "PATCH", "DELETE"]) ?? "GET";
  const body = any === "GET" ? undefined : random() < 0.1 ? "{" : anyBody();
  return { method: any, path: filled(pick(PATHS) ?? ""), body };
}

async function askAnything(): Promise<void> {
  const { method, path, body } = anyRequest();
  const as: KeyName = pick(["own", "own", "ownRead", "assistant"] as const) ?? "own";
  const reply = await door.ask(method, path + (pick(QUERIES) ?? ""), { as, body });
  const shown = `${method} ${path} ${JSON.stringify(body)} → ${reply.status} ${reply.text}`;
  seen.set(reply.status, (seen.get(reply.status) ?? 0) + 1);
  if (reply.status >= 500) throw new Error(shown);
  // `..` leads out of the admin API, to where OpenAI's is spoken.
  const leadsOut = !new URL(`/v1/admin${path}`, door.url).pathname.startsWith("/v1/admin/");
  const said = leadsOut ? { error: expect.anything() } : { code: expect.any(String) };
  if (reply.status >= 400) expect(reply.body, shown).toMatchObject(said);
  // Who only reads may ask as a reader would: nothing of it is kept.
  else if (as !== "own" && method !== "GET" && !/\/(try|explain)$/.test(path))
    throw new Error(`let in: ${shown}`);
  for (const inner of ["at /", "TypeError", "SQLITE", "node_modules", "src/"])
    if (reply.text.includes(inner) && !JSON.stringify(body ?? "").includes(inner)) throw new Error(shown);
}

test(`${REQUESTS} requests that are almost right bring nothing down`, async () => {
  const rival = await door.app.parts.people.sites.get("rival");
  for (let sent = 0; sent < REQUESTS; sent += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, askAnything));
  for (const status of [200, 201, 400, 401, 403, 404]) expect(seen.get(status) ?? 0).toBeGreaterThan(20);
  const { parts } = door.app;
  expect(await parts.people.sites.get("rival")).toEqual(rival);
  expect(
    (await parts.people.sites.list()).every(
      ({ organizationId, domain }) => domain === "rival" || organizationId !== rival.organizationId,
    ),
  ).toBe(true);
  expect((await parts.people.adminKeys.list()).map(({ name }) => name)).toEqual(Array(5).fill("test"));
  expect((await door.ask("GET", "/summary")).status).toBe(200);
});
