import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const READY_MS = 60_000;
const STOP_MS = 10_000;
/** Where no proxy is: whatever the server would fetch from elsewhere fails at once. Loopback needs none. */
const NOWHERE = "http://127.0.0.1:1";

export interface RealOllamaOptions {
  /** The program to start. */
  program: string;
  /** The folder with its models. Several servers may share one. */
  models: string;
  environment?: Record<string, string>;
}

/** An Ollama that was started here, with a home of its own. */
export interface RealOllama extends AsyncDisposable {
  readonly url: string;
  /** The processes that run its models: its own children. */
  runners(): number[];
  /** What it has written to its log. */
  log(): string;
  /** Ends it and its runners. */
  stop(): Promise<void>;
  /** The same without a word to anyone, as when its machine goes away. */
  kill(): Promise<void>;
}

/** Starts an Ollama on a free port of the loopback address. A server that is already running is not touched. */
export async function startRealOllama(options: RealOllamaOptions): Promise<RealOllama> {
  const home = mkdtempSync(join(tmpdir(), "docent-ollama-"));
  const child = Bun.spawn([options.program, "serve"], {
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      TMPDIR: home,
      OLLAMA_MODELS: options.models,
      OLLAMA_HOST: "127.0.0.1:0",
      OLLAMA_NUM_PARALLEL: "1",
      OLLAMA_MAX_LOADED_MODELS: "3",
      OLLAMA_KEEP_ALIVE: "30m",
      // Several servers share the models: none may tidy up what another has just begun to write.
      OLLAMA_NOPRUNE: "1",
      HTTP_PROXY: NOWHERE,
      HTTPS_PROXY: NOWHERE,
      ...options.environment,
    },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const log = follow(child.stderr);
  const runners = () => childrenOf(child.pid);

  async function stop(): Promise<void> {
    const left = runners();
    child.kill("SIGTERM");
    const late = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
    await child.exited;
    clearTimeout(late);
    for (const pid of left) end(pid);
    rmSync(home, { recursive: true, force: true });
  }

  async function kill(): Promise<void> {
    const left = runners();
    child.kill("SIGKILL");
    for (const pid of left) end(pid);
    await child.exited;
  }

  try {
    const url = `http://${await log.until(/Listening on ([\d.]+:\d+)/, READY_MS)}`;
    const ready = await fetch(`${url}/api/version`);
    if (!ready.ok) throw new Error(`${url} answered ${ready.status}`);
    return { url, runners, log: log.text, stop, kill, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function childrenOf(pid: number): number[] {
  const found = Bun.spawnSync(["pgrep", "-P", String(pid)]).stdout.toString();
  return found.split("\n").filter(Boolean).map(Number);
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself, as it should.
  }
}

/** Reads a log as it is written. */
function follow(stream: ReadableStream<Uint8Array>) {
  let text = "";
  let ended = false;
  void (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) text += decoder.decode(chunk, { stream: true });
    ended = true;
  })();
  return {
    text: () => text,
    async until(pattern: RegExp, ms: number): Promise<string> {
      for (const giveUpAt = Date.now() + ms; ; await Bun.sleep(20)) {
        const found = pattern.exec(text)?.[1];
        if (found !== undefined) return found;
        if (ended || Date.now() > giveUpAt) throw new Error(`Ollama never said ${pattern}:\n${text}`);
      }
    },
  };
}
