import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const STOP_MS = 15_000;
/** Where no proxy is: whatever the program would fetch from elsewhere fails at once. Loopback needs none. */
const NOWHERE = "http://127.0.0.1:1";

interface StartOptions {
  /** The program and its words, for a folder of its own. */
  command(folder: string): readonly string[];
  /** Files that are put in the folder first. */
  files?: Record<string, string>;
  environment?: Record<string, string>;
  /** Said once it answers. */
  ready: RegExp;
  readyMs: number;
  /** It is a script that starts the program itself, which must end together with it. */
  isScript?: boolean;
}

/** A program of others that was started here. */
export interface RunningProgram extends AsyncDisposable {
  pid: number;
  /** What was found in the words that it was ready with. */
  ready: RegExpExecArray;
  /** Everything that it has said. */
  said(): string;
  /** The most memory that it has had, with its children, in megabytes; 0 where the system does not tell. */
  peakMegabytes(): number;
  stop(): Promise<void>;
}

/** Starts a program in a folder of its own and waits until it says that it is ready. */
export async function startProgram(options: StartOptions): Promise<RunningProgram> {
  const folder = mkdtempSync(join(tmpdir(), "docent-sign-in-"));
  for (const [name, text] of Object.entries(options.files ?? {})) await Bun.write(join(folder, name), text);
  const child = Bun.spawn([...options.command(folder)], {
    cwd: folder,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: folder,
      TMPDIR: folder,
      LANG: "C.UTF-8",
      HTTP_PROXY: NOWHERE,
      HTTPS_PROXY: NOWHERE,
      NO_PROXY: "127.0.0.1,localhost",
      ...options.environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
    // A process group of its own is ended as one. What has none ends with the tests that it was started by.
    detached: options.isScript === true,
  });
  const words = listen([child.stdout, child.stderr]);
  const end = (name: NodeJS.Signals) => signal(options.isScript ? -child.pid : child.pid, name);

  async function stop(): Promise<void> {
    if (child.exitCode === null) end("SIGTERM");
    const late = setTimeout(() => end("SIGKILL"), STOP_MS);
    await child.exited;
    clearTimeout(late);
    if (options.isScript) end("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }

  const late = setTimeout(() => end("SIGKILL"), options.readyMs);
  const ready = await words.until(options.ready);
  clearTimeout(late);
  if (ready === undefined) {
    await stop();
    throw new Error(`what was started never said ${options.ready}:\n${words.said()}`);
  }
  return {
    pid: child.pid,
    ready,
    said: words.said,
    peakMegabytes: () => peakMegabytes(child.pid),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

const ANSWERS_MS = 20_000;

/** Waits until an address answers well: some programs do not say when they do. */
export async function untilAnswered(url: string, ca?: string): Promise<void> {
  for (const giveUpAt = Date.now() + ANSWERS_MS; Date.now() < giveUpAt; await Bun.sleep(20)) {
    const reply = await fetch(url, ca === undefined ? {} : { tls: { ca } }).catch(() => undefined);
    if (reply?.ok) return;
  }
  throw new Error(`${url} did not answer`);
}

/** Waits until something listens on a port of this machine. */
export async function untilListening(port: number): Promise<void> {
  const connects = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true));
      socket.on("error", () => resolve(false));
      socket.on("connect", () => socket.destroy());
    });
  for (const giveUpAt = Date.now() + ANSWERS_MS; Date.now() < giveUpAt; await Bun.sleep(10))
    if (await connects()) return;
  throw new Error(`nothing listens on port ${port}`);
}

/** Tells a process, or all of a group where the number is below 0. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended already.
  }
}

/** Reads what comes over several streams as one text. */
function listen(streams: readonly ReadableStream<Uint8Array>[]) {
  let text = "";
  let open = streams.length;
  let wake = () => {};
  for (const stream of streams) {
    void (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of stream) {
        text += decoder.decode(chunk, { stream: true });
        wake();
      }
      open -= 1;
      wake();
    })();
  }
  return {
    said: () => text,
    /** The match, once it has come; undefined where the streams ended without it. */
    async until(pattern: RegExp): Promise<RegExpExecArray | undefined> {
      for (;;) {
        const found = pattern.exec(text);
        if (found !== null) return found;
        if (open === 0) return undefined;
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        await promise;
      }
    },
  };
}

function peakMegabytes(leader: number): number {
  return Math.round(family(leader).reduce((sum, pid) => sum + peakKilobytes(pid), 0) / 1024);
}

function family(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
    return [pid, ...children.flatMap((child) => family(Number(child)))];
  } catch {
    return [pid];
  }
}

function peakKilobytes(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
