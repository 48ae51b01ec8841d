import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NO_OLLAMA } from "./docent.ts";
import { ended } from "./ended.ts";

const SOURCE = [process.execPath, join(import.meta.dir, "../../src/main.ts")];

/** The program under test: the binary where `make test` has built one, the source under plain `bun test`. */
export const PROGRAM: readonly string[] = process.env["DOCENT_BINARY"]
  ? [process.env["DOCENT_BINARY"]]
  : SOURCE;

export interface Ran {
  code: number | null;
  out: string;
  err: string;
}

/** An empty folder in which the program runs, far from the repository. */
export function createWorkplace(environment: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "docent-program-"));
  const home = mkdtempSync(join(tmpdir(), "docent-home-"));
  const env: Record<string, string> = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    OLLAMA_HOST: NO_OLLAMA,
    ...environment,
  };
  const started: Bun.Subprocess[] = [];

  const spawn = (...words: string[]) => spawnIn({}, ...words);

  function spawnIn(more: Record<string, string>, ...words: string[]) {
    const child = Bun.spawn([...PROGRAM, ...words], {
      cwd: folder,
      env: { ...env, ...more },
      stdout: "pipe",
      stderr: "pipe",
      stdin: "ignore",
    });
    started.push(child);
    return child;
  }

  async function run(...words: string[]): Promise<Ran> {
    const child = spawn(...words);
    return ended(child);
  }

  async function serveIn(more: Record<string, string>, ...words: string[]) {
    const child = spawnIn(more, "serve", ...words);
    const err = collect(child.stderr);
    const url = await err.until(/Listening on\s+(\S+)\s/);
    return { child, url, err: err.text, until: err.until };
  }

  return {
    folder,
    spawn,
    run,
    /** For programs that are started after it. */
    setVariable(name: string, value: string) {
      env[name] = value;
    },
    /** Starts a server on a free port and waits until it is ready. */
    serve: (...words: string[]) => serveIn({}, "--port", "0", ...words),
    /** The same in an environment with more, on the port that the words name. */
    serveIn,
    async dispose() {
      for (const child of started) child.kill("SIGKILL");
      await Promise.all(started.map((child) => child.exited));
      for (const each of [folder, home]) rmSync(each, { recursive: true, force: true });
    },
  };
}

export type Workplace = ReturnType<typeof createWorkplace>;

/** Reads a stream as it comes, for a test that waits for something to be said. */
function collect(stream: ReadableStream<Uint8Array>) {
  let text = "";
  let ended = false;
  let wake = () => {};
  void (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      text += decoder.decode(chunk, { stream: true });
      wake();
    }
    ended = true;
    wake();
  })();
  return {
    text: () => text,
    async until(pattern: RegExp): Promise<string> {
      for (;;) {
        const found = pattern.exec(text)?.[1];
        if (found !== undefined) return found;
        if (ended) throw new Error(`it ended without saying ${pattern}: ${text}`);
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        await promise;
      }
    },
  };
}
