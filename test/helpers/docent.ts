import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "../../src/kernel/config/load.ts";
import { systemClock } from "../../src/kernel/lib/clock.ts";
import { systemRandomBytes } from "../../src/kernel/lib/ids.ts";
import { createLog, type Log, type LogLevel } from "../../src/kernel/lib/log.ts";
import { createBuiltinEmbedder, readBuiltinAsset } from "../../src/models/builtin/builtin.ts";
import type { Parts } from "../../src/running/app/parts.ts";
import type { Surroundings } from "../../src/running/app/surroundings.ts";
import { type App, openParts, startApp } from "../../src/running/app.ts";
import { DATABASE_FILE } from "../../src/storage/sqlite/files/open.ts";
import { prepareData } from "./prepared-data.ts";
import { databaseSettings, isShared, settledSettings } from "./shared-database.ts";
import { copyEmptyDatabase } from "./test-storage.ts";

export const FIXTURE_DOCS = join(import.meta.dir, "../fixtures/docs");
/** Where no Ollama answers, at once. */
export const NO_OLLAMA = "http://127.0.0.1:1";

/** Opened by the first server that needs it: to each its own would take longer than what most tests then do. */
const builtin = createBuiltinEmbedder(readBuiltinAsset);

export interface DocentOptions {
  /** Settings by name, as text. */
  settings?: Record<string, string>;
  /** The fake Ollama's address; none answers otherwise. */
  ollama?: string;
  clock?: () => number;
  /** A data directory to use and keep. */
  data?: string;
  /** The folder whose pages the site `acme` has; none when null. */
  docs?: string | null;
  logLevel?: LogLevel;
  /** What sources may sign in with. */
  environment?: Record<string, string>;
  /** The test provokes a fault of ours. Otherwise one that was logged fails the test. */
  expectErrors?: boolean;
}

export interface TestDocent {
  app: App;
  url: string;
  data: string;
  /** An assistant key for the site `acme`. */
  key: string;
  /** What was logged: a test that expects no fault looks here. */
  logged: string[];
  log: Log;
  /** Asks the site `acme`, or sends any body there. */
  post(
    body: unknown,
    init?: {
      key?: string | null;
      domain?: string;
      headers?: Record<string, string>;
      signal?: AbortSignal;
      /** Of the message operation; v1 unless given. */
      version?: "v1" | "v2";
    },
  ): Promise<Response>;
  close(): Promise<void>;
}

/** The settings of a test's server: nothing of this machine's environment gets in. */
export function testSurroundings(
  data: string,
  options: DocentOptions = {},
): Surroundings & { logged: string[] } {
  const { config } = loadConfig(
    {},
    {
      data,
      port: "0",
      ollama_host: options.ollama ?? NO_OLLAMA,
      // A test that runs into a limit of time sets it: a busy machine would run into those that serve people well.
      connect_seconds: "60",
      rewrite_seconds: "120",
      question_vector_seconds: "60",
      shutdown_seconds: "5",
      address_messages_per_minute: "0",
      reader_messages_per_minute: "0",
      preload: "off",
      ...settledSettings(data),
      ...options.settings,
    },
    () => "",
  );
  const clock = options.clock ?? systemClock;
  const logged: string[] = [];
  const log = createLog({
    level: options.logLevel ?? "info",
    format: "json",
    clock,
    write: (line) => logged.push(line),
  });
  return {
    config,
    clock,
    randomBytes: systemRandomBytes,
    log,
    logged,
    environment: options.environment ?? {},
    builtin,
    runsAs: "server",
  };
}

/** A server as the binary starts it, on a free port, with a site `acme`, its pages and a key. */
export async function startDocent(options: DocentOptions = {}): Promise<TestDocent> {
  const data = options.data ?? mkdtempSync(join(tmpdir(), "docent-test-"));
  const isCopied = await beginData(data, options);
  const surroundings = testSurroundings(data, options);
  const app = await startApp(surroundings);
  const key = await prepareSite(app.parts, isCopied ? null : docsOf(options));
  return {
    app,
    url: app.url,
    data,
    key,
    logged: surroundings.logged,
    log: surroundings.log,
    post: (body, init = {}) =>
      fetch(`${app.url}/${init.version ?? "v1"}/assistant/${init.domain ?? "acme"}/message`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(init.key === null ? {} : { authorization: `Bearer ${init.key ?? key}` }),
          ...init.headers,
        },
        body: typeof body === "string" ? body : JSON.stringify(body),
        ...(init.signal ? { signal: init.signal } : {}),
      }),
    async close() {
      await app.close();
      const faults = surroundings.logged.filter((line) => line.includes('"level":"error"'));
      if (faults.length > 0 && !options.expectErrors) throw new Error(`unexpected: ${faults.join("")}`);
      if (options.data === undefined) rmSync(data, { recursive: true, force: true });
    },
  };
}

/** The folder of the pages of `acme`. */
const docsOf = ({ docs = FIXTURE_DOCS }: DocentOptions) => docs;

/** Where pages are kept, and what they become, depends on these. */
const OWN_DATA = ["database_url", "embedding_model", "page_bytes", "pages_per_source"];

const prepared = new Map<string | null, ReturnType<typeof prepareData>>();

/** Gives a data directory what is in it before its server starts. Tells whether that is the site `acme` with its pages. */
async function beginData(data: string, options: DocentOptions): Promise<boolean> {
  const docs = docsOf(options);
  const isSameForAll =
    options.data === undefined &&
    options.clock === undefined &&
    (docs === null || docs === FIXTURE_DOCS) &&
    !OWN_DATA.some((name) => name in (options.settings ?? {}));
  if (!isSameForAll) {
    await databaseSettings(data);
    const isOwn = isShared || "database_url" in (options.settings ?? {});
    if (!isOwn && !existsSync(join(data, DATABASE_FILE))) await copyEmptyDatabase(data);
    return false;
  }
  const made = prepared.get(docs) ?? prepareData((own) => makeData(own, docs));
  prepared.set(docs, made);
  // Where PostgreSQL was ended with a test that took too long, the next test makes it anew.
  made.catch(() => prepared.delete(docs));
  await (await made)(data);
  return true;
}

async function makeData(data: string, docs: string | null): Promise<void> {
  await databaseSettings(data);
  const parts = await openParts(testSurroundings(data));
  await prepareSite(parts, docs);
  await parts.close();
}

async function prepareSite(parts: Parts, docs: string | null): Promise<string> {
  const known = (await parts.people.sites.list()).find((site) => site.domain === "acme");
  const site =
    known ??
    (await parts.people.sites.add({ domain: "acme", name: "Acme", url: "https://docs.acme.example" }));
  if (docs !== null) {
    await parts.sources.ingest.run({
      source: { siteId: site.id, kind: "folder", location: docs, version: "", language: "" },
      reader: parts.sources.readFolder(docs),
      generation: site.generation,
      signal: new AbortController().signal,
    });
  }
  const keys = await parts.people.keys.list();
  const key =
    keys[0] ?? (await parts.people.keys.create({ organizationId: site.organizationId, name: "test" }));
  return key.key;
}

/** A body that asks one question, as a v4 client sends it. */
export function question(content: string, more: Record<string, unknown> = {}) {
  return {
    fp: "anonymous",
    messages: [{ id: "q1", role: "user", content, parts: [{ type: "text", text: content }] }],
    ...more,
  };
}

/** The parts of a v1 reply: code and value. */
export interface Part {
  code: string;
  value: unknown;
}

export function partsOf(wire: string): Part[] {
  return wire
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => ({
      code: line.slice(0, line.indexOf(":")),
      value: JSON.parse(line.slice(line.indexOf(":") + 1)),
    }));
}

/** The answer's text in a v1 reply. */
export function textOf(wire: string): string {
  return partsOf(wire)
    .filter(({ code }) => code === "0")
    .map(({ value }) => String(value))
    .join("");
}

/** Asks until there is a place: one that was given back is free a moment later, where all servers count together. */
export async function onceLetIn(ask: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const reply = await ask();
    if (reply.status !== 429) return reply;
    await reply.text();
    await Bun.sleep(10);
  }
}
