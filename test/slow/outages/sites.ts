import { join } from "node:path";
import { question } from "../../helpers/docent.ts";
import type { FakeOllama } from "../../helpers/fake-ollama.ts";
import { createWorkplace } from "../../helpers/program.ts";
import { makeKey } from "../cluster/cluster.ts";
import { openBeside } from "./beside.ts";
import type { Engine } from "./engines.ts";
import { ran, until, writePages } from "./steps.ts";

/** Enough that a run of them goes on for some seconds. */
export const PAGES = 800;
/** A run is in its middle when it has listed so many. */
const LISTED = 100;
/** Of the site that readers ask: a model has something to write for them for a while. */
export const SMALL_PAGES = 12;
/** For so many of them it has written when the storage goes away. */
const WRITTEN_BEFORE = 3;

interface Asked {
  status: number;
  text: string;
  retryAfter: string | null;
}

interface RunRow {
  id: number;
  outcome: string | null;
  generation: number | null;
  countsJson: string;
}

/**
 * Sites of a server: one that is asked, one that a command reads, one that the server is asked to read, and what goes on
 * beside them.
 */
export async function openSites(engine: Engine, ollama: FakeOllama) {
  /** What a model writes for search is held in its middle, until the storage is away. */
  let isHeld = true;
  let begun = 0;
  ollama.script((chat) => {
    const asked = chat.body.messages.at(-1)?.content ?? "";
    if (!asked.includes("Passage:")) return { text: ["The zebra is said."] };
    begun += 1;
    const held = begun > WRITTEN_BEFORE ? { beforeToken: () => until(async () => !isHeld) } : {};
    return { ...written(asked), ...held };
  });
  const place = createWorkplace({ ...engine.environment, DOCENT_PRELOAD: "off", OLLAMA_HOST: ollama.url });
  writePages(place, "answered", SMALL_PAGES);
  for (const name of ["commanded", "requested"]) writePages(place, name, PAGES);
  for (const name of ["answered", "commanded", "requested"]) await ran(place, "sites", "add", name);
  await ran(place, "ingest", "answered", "answered");
  await ran(place, "sites", "set", "answered", "--enrichment", "prepare");
  const key = await makeKey(place, "keys", "create", "readers");
  const adminKey = await makeKey(place, "admin-keys", "create", "owner", "--server", "--write");
  place.setVariable("DOCENT_SOURCE_ROOTS", place.folder);
  const beside = await openBeside(engine, place);
  const server = await place.serve();
  const rows = <Row>(statement: string) => engine.rows<Row>(place.folder, statement);
  const admin = async (path: string, body?: unknown) => {
    const reply = await fetch(`${server.url}/v1/admin/sites/requested${path}`, {
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" },
    });
    return { status: reply.status, json: await reply.json() };
  };

  return {
    place,
    beside,
    server,
    rows,
    async ask(text: string): Promise<Asked> {
      const reply = await fetch(`${server.url}/v1/assistant/answered/message`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify(question(text)),
      });
      return { status: reply.status, text: await reply.text(), retryAfter: reply.headers.get("retry-after") };
    },
    health: async (path: string) => (await fetch(`${server.url}/health/${path}`)).status,
    /** Asks the server to read the pages of a site. Returns what tells how that stands. */
    async request() {
      const added = await admin("/sources", { place: join(place.folder, "requested") });
      const { number } = added.json;
      const begun = await admin(`/sources/${number}/runs`, {});
      if (begun.status !== 202) throw new Error(JSON.stringify([added, begun]));
      return async () => (await admin(`/sources/${number}/runs/${begun.json.id}`)).json;
    },
    letModelWrite() {
      isHeld = false;
    },
    /** Another folder of as many pages. */
    writeMore() {
      writePages(place, "more", PAGES);
      return "more";
    },
    /** Waits until the runs of these sites have read some, and not all. */
    untilInTheMiddle: (names: readonly string[]) =>
      until(async () => {
        const reached = await Promise.all(
          names.map(async (name) => (await runOf(rows, name))?.countsJson ?? "{}"),
        );
        const listed = reached.map((json) => Number(JSON.parse(json).listed ?? 0));
        return listed.every((each) => each >= LISTED);
      }),
    lastRun: async (name: string) => {
      const run = await runOf(rows, name);
      return run && { ...run, counts: JSON.parse(run.countsJson) };
    },
    count: async (statement: string) => Number((await rows<{ count: number }>(statement))[0]?.count),
    async close() {
      await place.dispose();
      await beside.close();
    },
  };
}

export type Sites = Awaited<ReturnType<typeof openSites>>;

const runOf = async (rows: <Row>(statement: string) => Promise<Row[]>, name: string) =>
  (
    await rows<RunRow>(`
      SELECT source_runs.id, outcome, source_runs.generation, counts_json AS "countsJson" FROM source_runs
      JOIN sources ON sources.id = source_id JOIN sites ON sites.id = site_id
      WHERE domain = '${name}' ORDER BY source_runs.id DESC LIMIT 1`)
  )[0];

/** Questions with words of the passage, as a model writes them. */
function written(asked: string) {
  const words = (asked.split("Passage:")[1] ?? "").match(/[a-z]{5,}/gi) ?? [];
  const questions = words.slice(0, 3).map((word, index) => `How does the ${word} work in case ${index}?`);
  return { text: JSON.stringify({ questions, words: ["lantern"] }) };
}
