import type { MetricsListener, Replied } from "@docent/doors/metrics";
import type { Config } from "@docent/kernel/config/settings";
import { AppError } from "@docent/kernel/errors";
import type { Clock } from "@docent/kernel/lib/clock";
import type { Log } from "@docent/kernel/lib/log";
import { createMetrics, type Metrics, type Reading } from "@docent/kernel/lib/metrics";
import { VERSION_NUMBER } from "@docent/kernel/version";
import type { LedgerStore } from "@docent/sites/ingest/stores";
import type { Storage } from "@docent/storage/storage";
import { measureEventLoop, systemLag } from "./event-loop.ts";
import { measureTurns } from "./turns.ts";

const RESPONSE_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** What the server reads at every scrape, besides what it counts as it happens. */
interface Measured {
  ledger: Pick<LedgerStore, "endedRuns">;
  /** For the model: the answers that are being written and the questions that wait. */
  load(): { running: number; waiting: number };
  openStreams(): number;
  storage: Pick<Storage, "describe">;
  /** The segments of keyword indexes that were found damaged. */
  damages(): number;
  /** The answers that could not be stored when they were given. */
  unstoredAnswers(): number;
  clock: Clock;
}

export type OpenedMetrics = NonNullable<ReturnType<typeof openMetrics>>;

/** All metrics of a server; undefined where the operator wants none. */
export function openMetrics(config: Config, measured: Measured) {
  if (config.metrics === "off") return undefined;
  const address = metricsAddress(config);
  const metrics = createMetrics({ seriesMax: config.metrics_series });
  measureProcess(metrics, measured.clock);
  measureServer(metrics, measured);
  const beginLags = measureEventLoop(metrics, systemLag);
  let endLags: (() => void) | undefined;
  const observeReply = measureReplies(metrics);
  return {
    replies: { observeReply, here: address === undefined ? metrics : undefined },
    observeTurn: measureTurns(metrics, config),
    /** Begins to measure the thread, and listens on the metrics' own address; undefined where they have none. */
    async listen(log: Log): Promise<MetricsListener | undefined> {
      endLags ??= beginLags();
      if (address === undefined) return undefined;
      const { listenForMetrics } = await import("@docent/doors/metrics");
      return listenForMetrics(metrics, address, log);
    },
    close: () => endLags?.(),
  };
}

function measureProcess(metrics: Metrics, clock: Clock): void {
  const startedSeconds = clock() / 1000 - process.uptime();
  const one = <T extends "gauge" | "counter">(name: string, type: T, help: string, read: () => number) =>
    metrics.reading({ name, type, help }, () => [{ labels: {}, value: read() }]);
  metrics.reading(
    {
      name: "docent_build_info",
      type: "gauge",
      help: "The version that runs; its value is always 1.",
      labels: ["version", "bun"],
    },
    () => [{ labels: { version: VERSION_NUMBER, bun: Bun.version }, value: 1 }],
  );
  one(
    "process_start_time_seconds",
    "gauge",
    "When the process started, in seconds since 1970.",
    () => startedSeconds,
  );
  one("process_resident_memory_bytes", "gauge", "Memory that the process has in RAM.", () =>
    process.memoryUsage.rss(),
  );
  one("process_cpu_seconds_total", "counter", "Processor time that the process has used.", () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
}

function measureServer(
  metrics: Metrics,
  { ledger, storage, damages, unstoredAnswers, load, openStreams, clock }: Measured,
): void {
  const gauge = (name: string, help: string, read: () => number) =>
    metrics.reading({ name, type: "gauge", help }, () => [{ labels: {}, value: read() }]);
  gauge("docent_model_answers_running", "Answers that models are writing now.", () => load().running);
  gauge("docent_model_questions_waiting", "Questions that wait for a model now.", () => load().waiting);
  gauge("docent_streams_open", "Answers that are being read now.", openStreams);
  metrics.reading(
    {
      name: "docent_database_size_bytes",
      type: "gauge",
      help: "The size of the database, and of the log of what it has not taken in yet.",
      labels: ["file"],
    },
    async () => {
      const { bytes } = await storage.describe();
      return Object.entries(bytes).map(([file, value]) => ({ labels: { file }, value }));
    },
  );
  metrics.reading(
    {
      name: "docent_index_damages_total",
      type: "counter",
      help: "Damaged parts of keyword indexes that were met since the server started.",
    },
    () => [{ labels: {}, value: damages() }],
  );
  metrics.reading(
    {
      name: "docent_answers_unstored_total",
      type: "counter",
      help: "Answers that could not be stored when they were given, as on a full disk.",
    },
    () => [{ labels: {}, value: unstoredAnswers() }],
  );
  metrics.reading(
    {
      name: "docent_ingest_runs_total",
      type: "counter",
      help: "Runs of sources that have ended since the server started, by how.",
      labels: ["outcome"],
    },
    createRunCount(ledger, clock),
  );
}

function measureReplies(metrics: Metrics): (replied: Replied) => void {
  const requests = metrics.counter({
    name: "docent_http_requests_total",
    help: "Requests that were replied to, by the pattern of their path.",
    labels: ["method", "route", "status"],
  });
  const start = metrics.histogram({
    name: "docent_http_response_start_seconds",
    help: "From a request to the head of its reply; a stream goes on after it.",
    labels: ["route"],
    buckets: RESPONSE_SECONDS,
  });
  return ({ method, route, status, seconds }) => {
    requests.add({ method, route, status });
    start.observe({ route }, seconds);
  };
}

/** The metrics' own address, if there is one. Raises `invalid_request` where it is not valid. */
function metricsAddress({ metrics_address: address }: Config) {
  if (address === "") return undefined;
  const [, bracketed, plain, digits] = /^(?:\[([\da-f:.]+)\]|([^\s:[\]/]+)):(\d{1,5})$/i.exec(address) ?? [];
  const hostname = bracketed ?? plain;
  const port = Number(digits);
  if (hostname !== undefined && port <= 65_535) return { hostname, port };
  throw new AppError("invalid_request", `metrics_address: ${address} is not an address and a port.`, {
    hint: "Write it like 127.0.0.1:9464 or [::1]:9464.",
  });
}

/** A run that another process ended may become visible this much later. */
const LATE_MS = 60_000;

/**
 * Counts the runs that end while this server is up, whichever process does them. Remembers what was counted,
 * because the ledger keeps only the latest runs of a source.
 */
function createRunCount(ledger: Pick<LedgerStore, "endedRuns">, clock: Clock) {
  const startedAt = clock();
  const counts = new Map<string, number>();
  /** Counted runs with their end, for as long as the ledger is searched for them. */
  let counted = new Map<number, number>();
  let lookFrom = startedAt;

  return async (): Promise<Reading<"outcome">[]> => {
    for (const { id, outcome, finishedAt } of await ledger.endedRuns(lookFrom)) {
      if (counted.has(id)) continue;
      counted.set(id, finishedAt);
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    }
    lookFrom = Math.max(startedAt, clock() - LATE_MS);
    counted = new Map([...counted].filter(([, finishedAt]) => finishedAt >= lookFrom));
    return [...counts].map(([outcome, value]) => ({ labels: { outcome }, value }));
  };
}
