import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AnswerRequest } from "@docent/answering/answer/answer";
import { loadConfig } from "@docent/kernel/config/load";
import { toAppError } from "@docent/kernel/errors";
import { VERSION } from "@docent/kernel/version";
import type { Parts } from "@docent/running/app/parts";
import type { Surroundings } from "@docent/running/app/surroundings";
import { createEmbeddedReader } from "@docent/sites/ingest/ingest";
import type { Context } from "../../command.ts";
import type { Finding } from "./model.ts";

const DOMAIN = "self-test";
export const PAGES = {
  "index.md": "# Lamps\n\nLamps of this make are for indoors. They come in three sizes.\n",
  "install.md":
    "---\ntitle: Installing a lamp\n---\n\n# Installing a lamp\n\n## On a wall\n\nDrill two holes, 80 mm apart, and screw the bracket to the wall.\n\n## On a ceiling\n\nUse the hook that comes with the lamp. It carries five kilograms.\n",
  "care.md":
    "# Care\n\n## Cleaning\n\nWipe the shade with a dry cloth once a month. Never use water on the socket.\n",
};
/** Its words are not the page's: a lamp that is found for it was found by its meaning or by its stems. */
export const QUESTION = "How far apart do the holes for the wall bracket have to be?";
export const ANSWER = /80 mm/;
/** No model is asked: nothing listens here. */
const NOWHERE = "http://127.0.0.1:1";
const STREAM_MS = 20_000;

/** What one step found, for the line that tells it; a `warn` works with less. */
type Found = string | Omit<Finding, "what">;

interface Bench {
  context: Context;
  /** The surroundings of a Docent of the test's own, in a folder that is deleted at the end. */
  surroundings: Surroundings;
  folder: string;
}

/** What is tried, in this order: each needs what stands before it. */
const STEPS: [what: string, run: (bench: Bench) => Promise<Found>][] = [
  ["process", startItself],
  ["database", openDatabase],
  ["sqlite-vec", loadExtension],
  ["ingest", readPages],
  ["search", findPassage],
  ["answer", quote],
  ["server", streamAnswer],
  ["backup", backUpAndRestore],
];

/** Tries everything that needs no network, on pages and in a data directory of its own. Ends with the first step that fails. */
export async function selfTest(context: Context, tell: (finding: Finding) => void): Promise<Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), "docent-self-test-"));
  try {
    const bench = { context, folder, surroundings: surroundingsIn(context, folder) };
    const findings: Finding[] = [];
    const add = (finding: Finding) => {
      findings.push(finding);
      tell(finding);
      return finding.state !== "fail";
    };
    add({ what: "Docent", state: "ok", says: `${VERSION}, ${process.platform} ${process.arch}` });
    for (const [what, run] of STEPS) if (!add({ what, ...(await tried(bench, run)) })) break;
    return findings;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function tried(bench: Bench, run: (bench: Bench) => Promise<Found>): Promise<Omit<Finding, "what">> {
  const { clock } = bench.surroundings;
  const startedAt = clock();
  try {
    const found = await run(bench);
    const { says, ...rest } = typeof found === "string" ? { state: "ok" as const, says: found } : found;
    return { ...rest, says: `${says} (${((clock() - startedAt) / 1000).toFixed(1)} s)` };
  } catch (error) {
    bench.context.signal.throwIfAborted();
    const { message, code, hint, cause } = toAppError(error);
    const says = code === "internal" && cause instanceof Error ? cause.message : message;
    return { state: "fail", says, ...(hint === undefined ? {} : { hint }) };
  }
}

/** The settings are the defaults: what the operator has set is for the operator's own server. */
function surroundingsIn({ surroundings }: Context, folder: string): Surroundings {
  const { config } = loadConfig(
    {},
    { data: join(folder, "data"), port: "0", ollama_host: NOWHERE, connect_seconds: "1", preload: "off" },
    () => "",
  );
  return { ...surroundings, config };
}

/** As it does for each run of a source. */
async function startItself({ context, surroundings }: Bench): Promise<Found> {
  await surroundings.runSelf?.(["licenses"], context.signal);
  return "starts itself";
}

async function openDatabase(bench: Bench): Promise<Found> {
  return withParts(bench, async ({ storage }) => {
    const fault = await storage.fault();
    if (fault !== undefined) throw new Error(fault);
    return `${(await storage.describe()).engine}, made in ${bench.folder}`;
  });
}

async function loadExtension(bench: Bench): Promise<Found> {
  return withParts(bench, async ({ storage }) => {
    const { vectors } = await storage.describe();
    if (vectors?.available === true) return vectors.version;
    const reason = vectors?.reason ?? "there is none";
    return { state: "warn", says: `${reason}; vectors are measured without it, a little more slowly` };
  });
}

async function readPages(bench: Bench): Promise<Found> {
  return withParts(bench, async ({ people, sources, content }) => {
    const site = await people.sites.add({ domain: DOMAIN, name: "Self-test", settings: { public: true } });
    await sources.ingest.run({
      source: { siteId: site.id, kind: "demo", location: "pages", version: "", language: "" },
      reader: createEmbeddedReader(PAGES),
      generation: site.generation,
      anchors: site.settings.anchors,
      signal: bench.context.signal,
    });
    const { pages, passages } = await content.pages.countPages(site.id);
    check(pages === Object.keys(PAGES).length, `${pages} pages were read`);
    const { dimensions } = await content.embedder.describe(bench.context.signal);
    return `${pages} pages, ${passages} passages, vectors of ${dimensions} dimensions`;
  });
}

function findPassage(bench: Bench): Promise<Found> {
  return withParts(bench, find);
}

async function find({ people, content }: Parts): Promise<string> {
  const { id: siteId } = await people.sites.get(DOMAIN);
  const { hits } = await content.search.find({
    siteId,
    audience: "everything",
    text: QUESTION,
    filter: {},
    pageSize: 5,
  });
  const [first] = hits;
  check(first?.path === "install", `the first of ${hits.length} passages is of ${first?.path ?? "no page"}`);
  return `the passage that answers is the first of ${hits.length}`;
}

async function quote(bench: Bench): Promise<Found> {
  return withParts(bench, async ({ ids, people, answers }) => {
    const site = await people.sites.get(DOMAIN);
    const request: AnswerRequest = {
      requestId: ids.ulid(),
      reader: "cli",
      site,
      question: {
        questionMessageId: ids.ulid(),
        text: QUESTION,
        keyId: undefined,
        fp: "self-test",
        caller: "cli",
        audience: "everything",
        currentPath: undefined,
        filter: {},
      },
      threadId: undefined,
      posted: [],
      contexts: [],
      images: [],
      pageSize: site.settings.pageSize,
    };
    let text = "";
    const cited: string[] = [];
    for await (const event of answers.open("")(request, bench.context.signal)) {
      if (event.type === "text-delta") text += event.text;
      if (event.type === "source") cited.push(event.source.title);
      if (event.type === "error") throw new Error(event.message);
    }
    check(ANSWER.test(text), `the answer was: ${text.trim().slice(0, 200)}`);
    check(cited.length > 0, "the answer cites nothing");
    return `quoted, and cited: ${cited.join(", ")}`;
  });
}

async function streamAnswer({ context, surroundings }: Bench): Promise<Found> {
  const { startApp } = await import("@docent/running/app");
  const app = await startApp(surroundings);
  try {
    const { organizationId } = await app.parts.people.sites.get(DOMAIN);
    const { key } = await app.parts.people.keys.create({ organizationId, name: "self-test" });
    const within = AbortSignal.any([context.signal, AbortSignal.timeout(STREAM_MS)]);
    // Bun would otherwise use a proxy from the environment even for the loopback address.
    const page = await fetch(app.url, { signal: within, proxy: false });
    check((await page.text()).includes("<html"), "the dashboard is not there");
    const reply = await fetch(`${app.url}/v2/assistant/${DOMAIN}/message`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({
        fp: "self-test",
        messages: [{ id: "1", role: "user", parts: [{ type: "text", text: QUESTION }] }],
      }),
      signal: within,
      proxy: false,
    });
    const events = (await reply.text()).split("\n\n").filter((line) => line.startsWith("data: "));
    check(reply.ok, `the server answered with status ${reply.status}`);
    check(
      events.at(-1) === "data: [DONE]" && ANSWER.test(events.join("")),
      "the stream ended without an answer",
    );
    return `served at ${app.url}, and streamed an answer in ${events.length} events`;
  } finally {
    await app.close();
  }
}

/** Into another data directory: this process may have files of the first one open. */
async function backUpAndRestore(bench: Bench): Promise<Found> {
  const { folder, surroundings } = bench;
  const file = join(folder, "copy.db");
  await withParts(bench, ({ storage }) => storage.backUp(file));
  const elsewhere = { ...surroundings, config: { ...surroundings.config, data: join(folder, "restored") } };
  const { restoreBackup } = await import("@docent/running/app/data-directory");
  restoreBackup(elsewhere, file);
  await withParts({ ...bench, surroundings: elsewhere }, find);
  return "taken, and restored into another data directory, where the passage is found";
}

async function withParts<T>({ surroundings }: Bench, work: (parts: Parts) => Promise<T>): Promise<T> {
  const { openParts } = await import("@docent/running/app");
  const parts = await openParts(surroundings);
  try {
    return await work(parts);
  } finally {
    await parts.close();
  }
}

function check(isSo: boolean, otherwise: string): void {
  if (!isSo) throw new Error(otherwise);
}
