import { afterAll, beforeAll, expect, test } from "bun:test";
import { parseQuestions } from "../../src/measuring/eval/datasets/questions-file.ts";
import { seededRandom } from "../../src/measuring/eval/seeded-random.ts";
import { type AnalyticsDoor, startAnalyticsDoor } from "../helpers/analytics-door.ts";
import { isShared } from "../helpers/shared-database.ts";

// Requests that are almost right. Whatever is wrong with them: an answer, or an error that is the sender's; never a
// fault of ours, and never a message that was not meant for the sender.

// Over PostgreSQL all that differs is what reaches the database.
const REQUESTS = isShared ? 400 : 2000;
const AT_ONCE = 8;
const SEED = 20261122;

const READ = [
  "assistant",
  "assistant/threads/@",
  "assistant/caller-stats",
  "searches",
  "feedback",
  "export",
  "overview",
  "conversations",
  "conversations/@",
  "evaluation",
  "evaluation-set",
  "gaps/@",
  "@",
];
const TEXTS = [
  "",
  " ",
  "0",
  "-1",
  "1",
  "1e3",
  "9".repeat(40),
  "null",
  "acme",
  "csv",
  "jsonl",
  "2026-01-01",
  "2026-01-01T00:00:00Z",
  "+275760-09-13T00:00:00Z",
  "0000-01-01",
  "9999-12-31",
  "[1]",
  "WzFd",
  "W10",
  "Europe/Berlin",
  "+05:30",
  "2026-01-01T00:00Z[UTC]",
  "answered,quoted",
  "true",
  "web",
  "%",
  "_\\",
  '"a b',
  "WzksIngiXQ",
  "WzEsMSwiYSJd",
  "Wy0xLCJhIl0",
  "'",
  '"',
  "%00",
  "%zz",
  "%E0%A4",
  "é",
  "💥",
  "\u0000",
  "x".repeat(300),
  "__proto__",
  "constructor",
  "../..",
  "search_click",
  "/guide/install#linux",
  "https://[",
];
const NAMES = [
  "limit",
  "cursor",
  "dateFrom",
  "dateTo",
  "format",
  "__proto__",
  "x",
  "timeZone",
  "outcome",
  "helpful",
  "caller",
  "text",
];
const FIELDS = ["messageId", "threadId", "helpful", "comment", "type", "query", "path"];
const KEPT_FIELDS = ["question", "expected", "subset", "version", "language"];
const KEPT_REQUESTS = 500;
const VALUES = [...TEXTS, true, false, null, 0, -1, 1.5, [], {}, "\ud800", "x".repeat(6000)];

let door: AnalyticsDoor;
let said: Record<string, unknown>;
beforeAll(async () => {
  door = await startAnalyticsDoor({
    settings: {
      organization_feedback_per_hour: "0",
      organization_events_per_hour: "0",
      address_lookups_per_minute: "0",
    },
  });
  said = await door.asked("How do I install Acme on Linux?");
});
afterAll(() => door.close());

test(`${REQUESTS} requests that are almost right end in a reply or in an error of the sender's`, async () => {
  const random = seededRandom(SEED);
  const chance = (share: number) => random() < share;
  const pick = <T>(from: readonly T[], otherwise: T): T =>
    from[Math.floor(random() * from.length)] ?? otherwise;
  const counts = new Map<number, number>();

  function readPath(): string {
    const part = pick(READ, "assistant").replace("@", () => encodeURI(pick(TEXTS, "")));
    const query = NAMES.filter(() => chance(0.3)).map((name) => `${name}=${escapeSome(pick(TEXTS, ""))}`);
    return `/${chance(0.9) ? "acme" : escapeSome(pick(TEXTS, ""))}/${part}?${query.join("&")}`;
  }

  /** Some of it as nobody should write it. */
  const escapeSome = (text: string) => (chance(0.8) ? encodeURIComponent(text) : encodeURI(text));

  function body(): string {
    const right: Record<string, unknown> = {
      ...said,
      helpful: true,
      type: "search_click",
      path: "/",
      query: "x",
    };
    for (const field of FIELDS) {
      if (chance(0.25)) right[field] = pick<unknown>(VALUES, null);
      if (chance(0.05)) delete right[field];
    }
    const text = JSON.stringify(right);
    return chance(0.05) ? text.slice(0, Math.floor(random() * text.length)) : text;
  }

  async function one(): Promise<void> {
    const path = chance(0.5) ? undefined : readPath();
    const operation = chance(0.5) ? "feedback" : "events";
    const { status, text } =
      path === undefined ? await door.send(`/v1/${operation}/acme`, body()) : await door.read(path);
    counts.set(status, (counts.get(status) ?? 0) + 1);
    if (status >= 500) throw new Error(`${status} for ${path}: ${text}`);
    expect(text).not.toMatch(/SQLITE|Internal error|\bat \/|zod/i);
  }

  for (let done = 0; done < REQUESTS; done += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, one));
  // What is right has to be among them, or nothing was tested.
  for (const status of [200, 204, 400, 404]) expect(counts.get(status) ?? 0).toBeGreaterThan(50);
});

test(`${KEPT_REQUESTS} questions to keep that are almost right are kept or refused, and all of them can be read`, async () => {
  const random = seededRandom(SEED + 1);
  const pick = <T>(from: readonly T[], otherwise: T): T =>
    from[Math.floor(random() * from.length)] ?? otherwise;
  const counts = new Map<number, number>();
  for (let done = 0; done < KEPT_REQUESTS; done++) {
    const body: Record<string, unknown> = { question: "How?", expected: ["guide/install"] };
    for (const field of KEPT_FIELDS) {
      const chance = random();
      if (chance < 0.15) body[field] = pick<unknown>(VALUES, null);
      else if (chance < 0.3 && field === "expected") body[field] = [pick<unknown>(VALUES, null)];
    }
    const id = random() < 0.9 ? said["messageId"] : encodeURIComponent(pick(TEXTS, "x"));
    const path = `/../analytics/acme/conversations/${id}/evaluation`;
    const { status, text } = await door.ask("POST", path, { body: JSON.stringify(body) });
    counts.set(status, (counts.get(status) ?? 0) + 1);
    if (status >= 500) throw new Error(`${status} for ${JSON.stringify(body)}: ${text}`);
  }
  for (const status of [201, 400]) expect(counts.get(status) ?? 0).toBeGreaterThan(50);
  expect((await door.read("/acme/evaluation")).body).toHaveLength(counts.get(201) ?? 0);
  const { text } = await door.read("/acme/evaluation-set");
  expect(parseQuestions(text, "questions.jsonl", undefined)).toHaveLength(counts.get(201) ?? 0);
});
