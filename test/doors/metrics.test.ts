import { afterEach, describe, expect, test } from "bun:test";
import {
  type DocentOptions,
  FIXTURE_DOCS,
  question,
  startDocent,
  type TestDocent,
} from "../helpers/docent.ts";
import { type Family, parseExposition, readingOf } from "../helpers/exposition.ts";
import { type FakeOllama, type FakeOllamaOptions, startFakeOllama } from "../helpers/fake-ollama.ts";
import { appErrorOf } from "../helpers/rejection.ts";
import { isShared } from "../helpers/shared-database.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";
import { until } from "../helpers/until.ts";

const QUESTION = "How do I install Acme on Linux?";
const METRICS = { metrics: "on" };
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function start(options: DocentOptions = {}): Promise<TestDocent> {
  const docent = await startDocent({ ...options, settings: { ...METRICS, ...options.settings } });
  open.push(docent);
  return docent;
}

async function startWithModel(
  fake: FakeOllamaOptions = {},
  settings: Record<string, string> = {},
): Promise<{ docent: TestDocent; ollama: FakeOllama }> {
  const ollama = startFakeOllama(fake);
  const docent = await start({ ollama: ollama.url, settings });
  open.push({ close: () => ollama.stop() });
  return { docent, ollama };
}

async function scrape(docent: TestDocent): Promise<Map<string, Family>> {
  const reply = await fetch(`${docent.url}/metrics`);
  expect(reply.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  return parseExposition(await reply.text());
}

const ask = async (docent: TestDocent, text = QUESTION) => {
  const reply = await docent.post(question(text));
  const wire = await reply.text();
  expect(reply.status, wire).toBe(200);
};

describe("what a server does", () => {
  test("is told of answers that a model wrote: how many, how long, how many tokens", async () => {
    const { docent } = await startWithModel({ reply: { text: "Run the installer [1].", firstTokenMs: 30 } });
    await ask(docent);
    const families = await scrape(docent);
    const value = (name: string, labels = {}) => readingOf(families, name, labels);
    expect(value("docent_turns_total", { site: "acme", outcome: "answered" })).toBe(1);
    expect(value("docent_model_tokens_total", { model: "tiny:latest", kind: "prompt" })).toBe(123);
    expect(value("docent_model_tokens_total", { model: "tiny:latest", kind: "completion" })).toBe(4);
    expect(value("docent_turn_first_text_seconds_count", { writer: "ollama" })).toBe(1);
    expect(value("docent_turn_first_text_seconds_sum", { writer: "ollama" })).toBeGreaterThan(0.02);
    expect(value("docent_turn_duration_seconds_count", { writer: "ollama" })).toBe(1);
    expect(value("docent_turn_retrieval_seconds_count")).toBe(1);
    expect(value("docent_model_queue_seconds_count")).toBe(1);
    expect(value("docent_relevance_gate_total", { decision: "passed" })).toBe(1);
    expect(value("docent_answer_cache_hits_total")).toBe(0);
  });

  test("is told of answers that were given before: no tokens, and a hit", async () => {
    const { docent } = await startWithModel({ reply: { text: "Run the installer [1]." } });
    await ask(docent);
    await ask(docent);
    const families = await scrape(docent);
    expect(readingOf(families, "docent_answer_cache_hits_total")).toBe(1);
    expect(readingOf(families, "docent_turn_duration_seconds_count", { writer: "cache" })).toBe(1);
    expect(readingOf(families, "docent_model_tokens_total", { model: "tiny:latest", kind: "prompt" })).toBe(
      123,
    );
    expect(readingOf(families, "docent_turns_total", { site: "acme", outcome: "answered" })).toBe(2);
  });

  test("is told of questions that the docs do not cover, and of answers that broke off", async () => {
    const { docent } = await startWithModel({ reply: { text: "Half of ", end: "error" } });
    await ask(docent, "Who won the world cup in 1954?");
    await ask(docent);
    const families = await scrape(docent);
    expect(readingOf(families, "docent_turns_total", { site: "acme", outcome: "unanswered" })).toBe(1);
    expect(readingOf(families, "docent_turns_total", { site: "acme", outcome: "failed" })).toBe(1);
    expect(readingOf(families, "docent_relevance_gate_total", { decision: "declined" })).toBe(1);
  });

  test("is told of the line before the model, and of streams, while they are there", async () => {
    const { docent, ollama } = await startWithModel({ reply: { text: ["word"], end: "hang" } });
    const leaving = new AbortController();
    const replies = await Promise.all(
      ["Linux", "Windows", "macOS"].map((name) =>
        docent.post(question(`How do I install Acme on ${name}?`), { signal: leaving.signal }),
      ),
    );
    await ollama.until(() => {
      const { running, waiting } = docent.app.parts.answers.ollama.load();
      return running === 1 && waiting === 2;
    });
    const busy = await scrape(docent);
    expect(readingOf(busy, "docent_model_answers_running")).toBe(1);
    expect(readingOf(busy, "docent_model_questions_waiting")).toBe(2);
    expect(readingOf(busy, "docent_streams_open")).toBe(3);
    leaving.abort();
    await Promise.allSettled(replies.map((reply) => reply.text()));
    await ollama.until(() => docent.app.parts.answers.ollama.load().running === 0);
    const stopped = { site: "acme", outcome: "stopped" };
    await until(async () => readingOf(await scrape(docent), "docent_turns_total", stopped) === 3);
    const families = await scrape(docent);
    expect(readingOf(families, "docent_turns_total", stopped)).toBe(3);
    expect(readingOf(families, "docent_model_questions_waiting")).toBe(0);
    expect(readingOf(families, "docent_streams_open")).toBe(0);
  });

  test("is told of requests by the pattern of their path and their status, whatever was asked for", async () => {
    const docent = await start();
    const get = async (path: string, init: RequestInit = {}) => (await fetch(docent.url + path, init)).text();
    await ask(docent);
    await docent.post("{", { key: "docent_dsc_nobody" });
    await docent.post("{");
    await get("/no/such/path-7319");
    await get("/sites/acme/guide/7319");
    await get("/health/live", { method: "PROPFIND" });
    const families = await scrape(docent);
    const requests = (method: string, route: string, status: string) =>
      readingOf(families, "docent_http_requests_total", { method, route, status });
    const message = "/v1/assistant/:domain/message";
    expect([requests("POST", message, "200"), requests("POST", message, "401")]).toEqual([1, 1]);
    expect(requests("POST", message, "400")).toBe(1);
    expect(requests("GET", "none", "404")).toBe(1);
    expect(requests("GET", "/sites/:domain/*", "404")).toBe(1);
    expect(readingOf(families, "docent_http_response_start_seconds_count", { route: message })).toBe(3);
    expect(JSON.stringify([...families])).not.toContain("7319");
  });

  test("is told of what a site gives under its own host name, by its kind", async () => {
    const docent = await start();
    await docent.app.parts.people.sites.set("acme", {
      hostNames: ["docs.acme.example"],
      settings: { public: true },
    });
    const get = async (path: string, method = "GET") => {
      const reply = await fetch(docent.url + path, { method, headers: { host: "docs.acme.example" } });
      await reply.text();
    };
    for (const path of ["/llms.txt", "/llms-full.txt", "/guide/install.md", "/index.md", "/no-such-7319.md"])
      await get(path);
    await get("/llms.txt", "HEAD");
    const families = await scrape(docent);
    const requests = (route: string, status: string, method = "GET") =>
      readingOf(families, "docent_http_requests_total", { method, route, status });
    expect([requests("/llms.txt", "200"), requests("/llms-full.txt", "200")]).toEqual([1, 1]);
    expect([requests("/*.md", "200"), requests("/llms.txt", "200", "HEAD")]).toEqual([2, 1]);
    expect(requests("none", "404")).toBe(1);
    expect(readingOf(families, "docent_http_response_start_seconds_count", { route: "/*.md" })).toBe(2);
  });

  test("is told of the routes below the base path by the same names", async () => {
    const docent = await start({ settings: { base_path: "/docent" } });
    await ask(docent);
    const families = await scrape(docent);
    const labels = { method: "POST", route: "/v1/assistant/:domain/message", status: "200" };
    expect(readingOf(families, "docent_http_requests_total", labels)).toBe(1);
  });

  test("is told of runs of sources, each once, also those that another process did", async () => {
    const docent = await start({ docs: null });
    const { sources, storage, people } = docent.app.parts;
    const site = await people.sites.get("acme");
    const source = {
      siteId: site.id,
      kind: "folder" as const,
      location: FIXTURE_DOCS,
      version: "",
      language: "",
    };
    const published = { outcome: "published" };
    const unchanged = { outcome: "unchanged" };
    const run = (generation: number) =>
      sources.ingest.run({
        source,
        reader: sources.readFolder(FIXTURE_DOCS),
        generation,
        signal: new AbortController().signal,
      });
    await run(site.generation);
    expect(readingOf(await scrape(docent), "docent_ingest_runs_total", published)).toBe(1);
    await run(1);
    const noted = await storage.content.sources.open(source, 0);
    await sources.ledger.endRun(noted, await sources.ledger.beginRun(noted, Date.now()), {
      outcome: "failed",
      message: "SECRET-REASON",
      counts: {},
      at: Date.now(),
    });
    for (let again = 0; again < 2; again++) {
      const families = await scrape(docent);
      expect(readingOf(families, "docent_ingest_runs_total", published)).toBe(1);
      expect(readingOf(families, "docent_ingest_runs_total", unchanged)).toBe(1);
      expect(readingOf(families, "docent_ingest_runs_total", { outcome: "failed" })).toBe(1);
    }
  });

  test("is told of the process and its database", async () => {
    const families = await scrape(await start());
    const { version } = await import("../../package.json");
    expect(readingOf(families, "docent_build_info", { version, bun: Bun.version })).toBe(1);
    const size = (file: string) => readingOf(families, "docent_database_size_bytes", { file }) ?? 0;
    // PostgreSQL's log is not this database's alone.
    expect([size("database") > 0, size("log") > 0]).toEqual([true, !isShared]);
    expect(readingOf(families, "docent_index_damages_total")).toBe(0);
    expect(readingOf(families, "docent_answers_unstored_total")).toBe(0);
    expect(readingOf(families, "docent_event_loop_lag_max_seconds")).toBeGreaterThanOrEqual(0);
    expect(readingOf(families, "process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
    expect(readingOf(families, "process_cpu_seconds_total")).toBeGreaterThan(0);
    const started = readingOf(families, "process_start_time_seconds") ?? 0;
    expect(Math.abs(started + process.uptime() - Date.now() / 1000)).toBeLessThan(5);
  });
});

describe("what is told", () => {
  test("holds no question, no answer, no key, no address and no thread", async () => {
    const { docent } = await startWithModel({ reply: { text: "QQANSWERQQ [1]." } });
    const reply = await docent.post(question("How do I install QQASKEDQQ Acme on Linux?", { fp: "QQFPQQ" }), {
      headers: { origin: "https://qqorigin.example", "user-agent": "qqagentqq" },
    });
    await reply.text();
    await fetch(`${docent.url}/v1/models`, { headers: { authorization: `Bearer ${docent.key}` } });
    const text = await (await fetch(`${docent.url}/metrics`)).text();
    expect(text).not.toMatch(/qq(asked|answer|fp|agent)qq|qqorigin/i);
    expect(text).not.toContain(docent.key);
    expect(text).not.toContain("docent_dsc_");
    expect(text).not.toContain("127.0.0.1");
    expect(text).not.toContain(reply.headers.get("x-thread-id") ?? "-");
    expect(text).not.toContain(docent.data);
  });

  test("keeps to its bound however many sites there are", async () => {
    const docent = await start({ settings: { metrics_series: "10", address_streams: "0" } });
    const { organizationId } = await docent.app.parts.people.sites.get("acme");
    for (let index = 0; index < 20; index++)
      await docent.app.parts.people.sites.add({ domain: `site-${index}` });
    const { key } = await docent.app.parts.people.keys.create({ organizationId, name: "all" });
    for (let index = 0; index < 20; index++)
      await (await docent.post(question("Hello?"), { domain: `site-${index}`, key })).text();
    const { samples = [] } = (await scrape(docent)).get("docent_turns_total") ?? {};
    expect(samples).toHaveLength(11);
    expect(samples.at(-1)).toMatchObject({ labels: { site: "other", outcome: "other" }, value: 10 });
  });
});

describe("where it can be read", () => {
  test("is nowhere until the operator says so", async () => {
    const docent = await startDocent();
    open.push(docent);
    expect((await fetch(`${docent.url}/metrics`)).status).toBe(404);
    expect(docent.app.metricsUrl).toBeUndefined();
  });

  test("is its own address alone, where it has one", async () => {
    const docent = await start({ settings: { metrics_address: "127.0.0.1:0" } });
    expect((await fetch(`${docent.url}/metrics`)).status).toBe(404);
    const reply = await fetch(`${docent.app.metricsUrl}/metrics`);
    expect(readingOf(parseExposition(await reply.text()), "docent_streams_open")).toBe(0);
    for (const path of ["/", "/health/live", "/v1/models", "/sites/acme"])
      expect((await fetch(docent.app.metricsUrl + path)).status).toBe(404);
  });

  test("answers where everything else is under the operator's hosts alone, and no page of another origin", async () => {
    const docent = await start({
      settings: { public_url: "https://docent.example", admin_hosts: "scraped.example" },
    });
    const acme = await docent.app.parts.people.sites.get("acme");
    await docent.app.parts.people.sites.set(acme.domain, { hostNames: ["docs.example"] });
    const statusAt = async (headers: Record<string, string>) =>
      (await fetch(`${docent.url}/metrics`, { headers })).status;
    for (const host of ["127.0.0.1", "localhost:4747", "docent.example", "scraped.example:4747"])
      expect([host, await statusAt({ host })]).toEqual([host, 200]);
    for (const host of ["evil.example", "docent.example.evil", "docs.example", "192.0.2.7"])
      expect([host, await statusAt({ host })]).toEqual([host, 403]);
    expect(await statusAt({ origin: "https://elsewhere.example" })).toBe(403);
  });

  test("ends with the server", async () => {
    const docent = await startDocent({ settings: { ...METRICS, metrics_address: "127.0.0.1:0" } });
    const url = `${docent.app.metricsUrl}/metrics`;
    expect((await fetch(url)).status).toBe(200);
    await docent.close();
    await expect(fetch(url)).rejects.toThrow();
  });

  test("cannot be what is no address and port", async () => {
    using data = temporaryDirectory();
    for (const metrics_address of [
      "9464",
      "localhost",
      "127.0.0.1:99999",
      "::1:9464",
      "http://127.0.0.1:1",
    ]) {
      const starting = () => startDocent({ data: data.path, settings: { ...METRICS, metrics_address } });
      expect([metrics_address, (await appErrorOf(starting)).code]).toEqual([
        metrics_address,
        "invalid_request",
      ]);
    }
  });

  test("cannot be where another program listens", async () => {
    const taken = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("") });
    const error = await appErrorOf(() =>
      startDocent({ settings: { ...METRICS, metrics_address: `127.0.0.1:${taken.port}` } }),
    );
    expect(error).toMatchObject({ code: "conflict" });
    await taken.stop(true);
  });
});
