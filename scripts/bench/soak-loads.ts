import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { ask, post, question } from "./site.ts";

/** A server under load, with what a load needs. */
export interface Target {
  url: string;
  assistantKey: string;
  adminKey: string;
  /** A folder that the server may read. */
  folder: string;
}

/** One round of a load, with the same counted work each time. */
export type Load = (target: Target, round: number) => Promise<void>;

const AT_ONCE = 10;
const QUESTIONS = 100;
const PAGE_VIEWS = 40;
const RUNS = 3;
const PAGES = 150;
/** One in this many pages changes from run to run. */
const CHANGED_EVERY = 5;
const POLL_MS = 50;

/** The loads, which run one at a time, so that growth can be attributed. */
export const LOADS: Record<string, Load> = {
  async questions({ url, assistantKey }) {
    await atOnce(QUESTIONS, () => send(ask(url, assistantKey)));
  },
  async "other-questions"({ url, assistantKey }, round) {
    await atOnce(QUESTIONS, (index) => {
      const text = `How do I set limit ${round * QUESTIONS + index} of a site?`;
      return send(post(url, assistantKey, question(text, `reader-${round}-${index}`)));
    });
  },
  dashboard: (target) => atOnce(PAGE_VIEWS, () => viewDashboard(target)),
  ingest: runSources,
  async backup(target) {
    for (let index = 0; index < RUNS; index++) await get(target, "/v1/admin/backup");
  },
  async export(target) {
    for (let index = 0; index < RUNS; index++) await get(target, "/v1/analytics/bench/export?format=jsonl");
  },
  async uploads(target, round) {
    for (let index = 0; index < RUNS; index++) await upload(target, round * RUNS + index);
  },
  async everything(target, round) {
    const names = ["questions", "other-questions", "dashboard", "ingest", "uploads", "export", "backup"];
    await Promise.all(names.map((name) => LOADS[name]?.(target, round)));
  },
};

/** The requests of the dashboard's pages, one after the other. */
const VIEWED = [
  "/",
  "/v1/session",
  "/v1/admin/summary",
  "/v1/admin/sites",
  "/v1/admin/sites/bench",
  "/v1/admin/ollama",
  "/v1/admin/sites/bench/sources",
  "/v1/admin/sites/bench/pages",
  "/v1/admin/sites/bench/runs",
  "/v1/admin/sites/bench/generations",
  "/v1/admin/server",
  "/v1/admin/keys",
  "/v1/admin/members",
  "/v1/analytics/bench/overview",
  "/v1/analytics/bench/conversations",
  "/v1/analytics/bench/gaps",
  "/v1/analytics/bench/searches",
  "/v1/analytics/bench/feedback",
  "/v1/analytics/bench/evaluation",
];

async function viewDashboard(target: Target): Promise<void> {
  for (const path of VIEWED) await get(target, path);
}

const sourceReply = z.object({ number: z.number() });
const runReply = z.object({ id: z.string() });
const stateReply = z.object({ state: z.string() });

async function runSources(target: Target, round: number): Promise<void> {
  const path = "/v1/admin/sites/bench/sources";
  const list = z.array(sourceReply.extend({ place: z.string() })).parse(await get(target, path));
  const known = list.find(({ place }) => place === target.folder);
  writePages(target.folder, round * RUNS);
  const { number } =
    known ?? sourceReply.parse(await write(target, "POST", path, JSON.stringify({ place: target.folder })));
  for (let index = 0; index < RUNS; index++) {
    writePages(target.folder, round * RUNS + index);
    const run = runReply.parse(await write(target, "POST", `${path}/${number}/runs`, "{}"));
    while (stateReply.parse(await get(target, `${path}/${number}/runs/${run.id}`)).state !== "ended")
      await Bun.sleep(POLL_MS);
  }
}

function writePages(folder: string, revision: number): void {
  mkdirSync(folder, { recursive: true });
  for (let page = 0; page < PAGES; page++) {
    const seen = page % CHANGED_EVERY === 0 ? revision : 0;
    const sections = Array.from(
      { length: 6 },
      (_, section) =>
        `## Part ${section}\n\n${`Page ${page} says how part ${section} is set. `.repeat(20)}\n`,
    );
    writeFileSync(
      join(folder, `${page}.md`),
      `# Page ${page}\n\nRevision ${seen}.\n\n${sections.join("\n")}`,
    );
  }
}

async function upload(target: Target, revision: number): Promise<void> {
  const pages = Object.fromEntries(
    Array.from({ length: 40 }, (_, page) => [
      `${page}.md`,
      `# ${page}\n\n${`${revision} words. `.repeat(5000)}`,
    ]),
  );
  const bytes = await new Bun.Archive(pages, { compress: "gzip" }).bytes();
  await write(target, "POST", "/v1/admin/sites/bench/uploads?name=docs.tar.gz", bytes);
}

async function get({ url, adminKey }: Target, path: string): Promise<unknown> {
  const reply = await fetch(url + path, { headers: { authorization: `Bearer ${adminKey}` }, proxy: false });
  return read(reply, path);
}

async function write(
  { url, adminKey }: Target,
  method: string,
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
): Promise<unknown> {
  const type = typeof body === "string" ? "application/json" : "application/gzip";
  const headers = { authorization: `Bearer ${adminKey}`, "content-type": type };
  return read(await fetch(url + path, { method, headers, body, proxy: false }), path);
}

async function read(reply: Response, path: string): Promise<unknown> {
  if (reply.headers.get("content-type")?.startsWith("application/json") !== true) {
    let bytes = 0;
    for await (const piece of reply.body ?? []) bytes += piece.byteLength;
    if (!reply.ok) throw new Error(`${path}: ${reply.status}`);
    return bytes;
  }
  const said: unknown = await reply.json();
  // Sessions belong to browsers; a client that signs in with a key gets an error here.
  if (!reply.ok && path !== "/v1/session")
    throw new Error(`${path}: ${reply.status} ${JSON.stringify(said)}`);
  return said;
}

async function send({ url, ...options }: ReturnType<typeof ask>): Promise<void> {
  const reply = await fetch(url, { ...options, proxy: false });
  await reply.text();
  if (reply.status !== 200) throw new Error(`a question was answered with ${reply.status}`);
}

/** Does a number of pieces of work, a few at a time. */
async function atOnce(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
