import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LoadSpec, requestsReply, scheduleReply, streamsReply } from "./load-spec.ts";

/** An address where no Ollama answers, which fails at once. */
export const NO_OLLAMA = "http://127.0.0.1:1";
const READY_MAX_MS = 10_000;
const STOP_MAX_MS = 10_000;
/** A command may read ten thousand pages. */
const RUN_MAX_MS = 600_000;
/** One that is watched may read a hundred thousand. */
const BEGUN_MAX_MS = 3_600_000;

/** A process that this benchmark starts and ends. */
export interface Started {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

export interface Server extends Started {
  /** From spawn to the first 200 of /health/ready. */
  startMs: number;
}

/** Works in a temporary directory, and removes it afterwards. */
export async function inTemporaryDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), "docent-bench-"));
  try {
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Uses a started process, and ends it whatever happens. */
export async function using<S extends Started, T>(
  starting: Promise<S>,
  work: (started: S) => Promise<T>,
): Promise<T> {
  const started = await starting;
  try {
    return await work(started);
  } finally {
    await started.stop();
  }
}

/** Without this, Bun opens at most 256 connections to the model. */
const CONNECTIONS = { BUN_CONFIG_MAX_HTTP_REQUESTS: "1000" };

/**
 * The binary under test, isolated from this machine's settings. When it runs from source, `words` start it.
 */
export function openProgram(
  binary: string,
  home: string,
  more: { words?: string[]; environment?: Record<string, string> } = {},
) {
  const started = [binary, ...(more.words ?? [])];
  const options = (ollama: string) => ({
    cwd: home,
    env: {
      HOME: home,
      OLLAMA_HOST: ollama,
      PATH: process.env["PATH"] ?? "",
      ...CONNECTIONS,
      ...more.environment,
    },
    stdin: "ignore" as const,
    stderr: Bun.file(join(home, "stderr.log")),
  });

  return {
    binary,
    /** Runs a command to its end and returns its output. */
    async run(...words: string[]): Promise<string> {
      const child = Bun.spawn([...started, ...words], {
        ...options(NO_OLLAMA),
        stdout: "pipe",
        timeout: RUN_MAX_MS,
      });
      const [out, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
      if (code !== 0) throw new Error(`docent ${words.join(" ")} ended with ${code}`);
      return out.trim();
    },

    /** Starts a command, and returns its process. */
    begin: (...words: string[]) =>
      Bun.spawn([...started, ...words], { ...options(NO_OLLAMA), stdout: "pipe", timeout: BEGUN_MAX_MS }),

    /** Starts a server and waits until it is ready. */
    async serve(data: string, settings: Record<string, string> = {}, ollama = NO_OLLAMA): Promise<Server> {
      const port = freePort();
      const flags = Object.entries({ data, port, log_level: "error", ...settings });
      const words = flags.flatMap(([name, value]) => [`--${name.replaceAll("_", "-")}`, String(value)]);
      const url = `http://127.0.0.1:${port}`;
      const startedAt = performance.now();
      const child = Bun.spawn([...started, "serve", ...words], { ...options(ollama), stdout: "ignore" });
      await untilReady(`${url}/health/ready`, child, startedAt);
      const startMs = performance.now() - startedAt;
      return { url, pid: child.pid, startMs, stop: () => end(child) };
    },
  };
}

/** Starts a server of another program, which is given its port and the words behind it. */
export async function serveBare(binary: string, ...words: string[]): Promise<Server> {
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const startedAt = performance.now();
  const child = Bun.spawn([binary, String(port), ...words], {
    env: CONNECTIONS,
    stdout: "ignore",
    stderr: "ignore",
  });
  await untilReady(`${url}/health/ready`, child, startedAt);
  return { url, pid: child.pid, startMs: performance.now() - startedAt, stop: () => end(child) };
}

export type Program = ReturnType<typeof openProgram>;

async function untilReady(url: string, child: Bun.Subprocess, startedAt: number): Promise<void> {
  while (performance.now() - startedAt < READY_MAX_MS && child.exitCode === null) {
    const reply = await fetch(url, { proxy: false }).catch(() => undefined);
    await reply?.arrayBuffer();
    if (reply?.status === 200) return;
    await Bun.sleep(1);
  }
  await end(child);
  throw new Error(`the server did not become ready at ${url}`);
}

/** A port that is free now. */
function freePort(): number {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const { port } = server;
  void server.stop(true);
  if (port === undefined) throw new Error("no port is free");
  return port;
}

async function end(child: Bun.Subprocess): Promise<void> {
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MAX_MS);
  await child.exited;
  clearTimeout(timer);
}

/** Starts the fake model. */
export async function startModel(tokens: number, paceMs: number): Promise<Started> {
  const script = join(import.meta.dir, "model.ts");
  const child = Bun.spawn([process.execPath, script, String(tokens), String(paceMs)], {
    stdin: "pipe",
    stdout: "pipe",
  });
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  const url = new TextDecoder().decode(value).trim();
  if (!url.startsWith("http://")) throw new Error("the fake model did not start");
  return { url, pid: child.pid, stop: () => end(child) };
}

async function load(spec: LoadSpec): Promise<unknown> {
  const script = join(import.meta.dir, "load.ts");
  const child = Bun.spawn([process.execPath, script, JSON.stringify(spec)], {
    stdout: "pipe",
    timeout: 180_000,
  });
  const [out, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  if (code !== 0) throw new Error(`the load generator ended with ${code}`);
  return JSON.parse(out);
}

export const loadStreams = async (spec: Omit<Extract<LoadSpec, { kind: "streams" }>, "kind">) =>
  streamsReply.parse(await load({ kind: "streams", ...spec }));

export const loadRequests = async (spec: Omit<Extract<LoadSpec, { kind: "requests" }>, "kind">) =>
  requestsReply.parse(await load({ kind: "requests", ...spec }));

export const loadSpread = async (spec: Omit<Extract<LoadSpec, { kind: "spread" }>, "kind">) =>
  requestsReply.parse(await load({ kind: "spread", ...spec }));

export const loadSchedule = async (spec: Omit<Extract<LoadSpec, { kind: "schedule" }>, "kind">) =>
  scheduleReply.parse(await load({ kind: "schedule", ...spec }));
