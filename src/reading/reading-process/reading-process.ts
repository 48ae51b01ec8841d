import { existsSync, readFileSync } from "node:fs";
import { SHORT_LIVED } from "@docent/kernel/lib/short-lived";
import { type ByteSource, createByteSource } from "../byte-source.ts";
import { type Frame, readFrame, writeFrame } from "./conversation.ts";

export type { Call } from "./conversation.ts";

export interface ProcessOptions {
  /** The command that starts this program to read for another process of it. */
  command: readonly string[];
  /** The environment of this program, of which it is given next to nothing. */
  environment: Readonly<Record<string, string | undefined>>;
  /** How much memory the process may take, besides what it had loaded. */
  memoryBytesMax: number;
  /** What it is asked first, so that the time to load what reads does not count for what is read. */
  loading?: Loading;
  /** How long it waits for what is asked next. */
  idleMs?: number;
  /** Whether it is over before what is compiled with much work would pay. */
  isShortLived?: boolean;
}

interface Loading extends Omit<Asked, "body"> {
  body?: Uint8Array;
  /** How much memory it may take; as much as what is read, where that is not said. */
  memoryBytesMax?: number;
  /** Hears why the process did not come to its end: it would not another time. */
  onEnding?(ending: Ending): void;
}

/** What is to be read. */
interface Asked {
  head: Record<string, unknown>;
  body: Uint8Array;
  bounds: TimeBounds;
  signal?: AbortSignal | undefined;
  /** Answers what the process asks meanwhile: what another file holds, where a link leads. */
  answer?: (name: string, given: Uint8Array) => Promise<Uint8Array>;
}

/** How long it may take: where the system says what processors did for it, that counts as well as what a clock says. */
export interface TimeBounds {
  clockMs: number;
  computedMs?: number;
}

/** Why no answer came: it took too long or too much memory, or the process ended. */
export type Ending = "time" | "memory" | "itself";

/** A process of this program that reads for this one: a file that was made to harm ends that process alone. */
export interface ReadingProcess {
  /** What it says of one thing after the other. Throws only where it is told to stop, or `answer` does. */
  ask(asked: Asked): Promise<Uint8Array | Ending>;
  /** Ends the process, where nothing more is asked. */
  end(): void;
}

/** A process that waits for something to read, or reads it. */
interface Reader {
  child: Bun.Subprocess<"pipe", "pipe", "ignore">;
  replies: ByteSource;
  /** The memory that it took when it was last looked at. */
  memoryBytes: number;
  /** The memory that it took when it had loaded what reads. */
  loadedBytes: number;
}

/** Without it, programs do not start on Windows. */
const SYSTEM_VARIABLE = "SystemRoot";
const IDLE_MS = 10_000;
const NOTHING = new Uint8Array();
/** JSON of what a file may become. */
const REPLY_BYTES_MAX = 200_000_000;
/** One that has grown so far is not used again: what is read next has all of the memory. */
const KEPT_SHARE_MAX = 0.5;

/**
 * Starts this program again to read. The process has no environment of ours, which may hold secrets, and keeps what it
 * has loaded for what is read next.
 */
export function createReadingProcess(options: ProcessOptions): ReadingProcess {
  const { loading, memoryBytesMax, idleMs = IDLE_MS } = options;
  let last: Promise<unknown> = Promise.resolve();
  let reader: Reader | undefined;
  let idle: Timer | undefined;

  const leave = () => {
    clearTimeout(idle);
    reader?.child.kill("SIGKILL");
    reader = undefined;
  };
  /** A process that has loaded what reads; why there is none. */
  async function opened(signal: AbortSignal | undefined): Promise<Reader | Ending> {
    if (reader !== undefined) return reader;
    reader = start(options);
    if (loading === undefined) return reader;
    const said = await ask(
      reader,
      { body: NOTHING, signal, ...loading },
      loading.memoryBytesMax ?? memoryBytesMax,
    );
    if (typeof said !== "string") {
      reader.loadedBytes = memoryOf(reader.child.pid);
      return reader;
    }
    leave();
    loading.onEnding?.(said);
    return said;
  }
  async function askNext(asked: Asked): Promise<Uint8Array | Ending> {
    clearTimeout(idle);
    asked.signal?.throwIfAborted();
    const open = await opened(asked.signal);
    if (typeof open === "string") return open;
    const said = await ask(open, asked, open.loadedBytes + memoryBytesMax);
    const isGrown = open.memoryBytes - open.loadedBytes > memoryBytesMax * KEPT_SHARE_MAX;
    if (typeof said === "string" || isGrown) leave();
    idle = setTimeout(leave, idleMs);
    idle.unref();
    return said;
  }
  return {
    ask(asked) {
      const turn = last.then(() => askNext(asked));
      last = turn.catch(leave);
      return turn;
    },
    end: leave,
  };
}

function start({ command, environment, isShortLived = false }: ProcessOptions): Reader {
  const needed = environment[SYSTEM_VARIABLE];
  const env = {
    ...(needed !== undefined && { [SYSTEM_VARIABLE]: needed }),
    ...(isShortLived && SHORT_LIVED),
  };
  const child = Bun.spawn([...command], { env, stdin: "pipe", stdout: "pipe", stderr: "ignore" });
  // The process ends by itself when this program does, because its input is closed then.
  child.unref();
  return { child, replies: createByteSource(child.stdout), memoryBytes: 0, loadedBytes: 0 };
}

/** Where no answer came, the process is killed. */
async function ask(reader: Reader, asked: Asked, memoryBytesMax: number): Promise<Uint8Array | Ending> {
  const { child } = reader;
  const { bounds, signal } = asked;
  let why: Ending = "itself";
  const end = (reason: Ending) => {
    why = reason;
    child.kill("SIGKILL");
  };
  const timer = setTimeout(() => end("time"), bounds.clockMs);
  let before: number | undefined;
  const look = setInterval(() => {
    reader.memoryBytes = memoryOf(child.pid);
    if (reader.memoryBytes > memoryBytesMax) end("memory");
    if (bounds.computedMs === undefined) return;
    const computed = computedMsOf(child.pid) ?? 0;
    before ??= computed;
    if (computed - before > bounds.computedMs) end("time");
  }, LOOK_EVERY_MS);
  const onAbort = () => end("itself");
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    const reply = await exchange(reader, asked);
    signal?.throwIfAborted();
    if (reply !== undefined) return reply;
    child.kill("SIGKILL");
    return why;
  } finally {
    clearTimeout(timer);
    clearInterval(look);
    signal?.removeEventListener("abort", onAbort);
  }
}

/** Undefined where the process ended first. */
async function exchange(
  { child: { stdin }, replies }: Reader,
  { head, body, answer }: Asked,
): Promise<Uint8Array | undefined> {
  let parts = writeFrame(head, body);
  for (;;) {
    const frame = await said(stdin, replies, parts);
    const call = frame?.head["call"];
    if (frame === undefined || call === undefined) return frame?.body;
    if (typeof call !== "string" || answer === undefined) return undefined;
    parts = writeFrame({ answers: frame.head["number"] }, await answer(call, frame.body));
  }
}

/** What is said to some parts; undefined where the process has ended, or says what is no frame. */
async function said(
  stdin: Reader["child"]["stdin"],
  replies: ByteSource,
  parts: readonly Uint8Array[],
): Promise<Frame | undefined> {
  try {
    for (const part of parts) stdin.write(part);
    await stdin.flush();
    return await readFrame(replies, REPLY_BYTES_MAX);
  } catch {
    return undefined;
  }
}

/** Linux says it of itself; elsewhere another program is asked, which costs more. */
const saysItself = existsSync("/proc/self/status");
/** Linux counts time in these for programs, whatever it does inside. */
const TICKS_A_SECOND = 100;

/** How often it is worth to look. */
const LOOK_EVERY_MS = saysItself ? 20 : 500;

/** How much memory a process takes; 0 where it has ended, or where nothing tells. */
function memoryOf(pid: number): number {
  const kilobytes = saysItself ? residentOf(pid) : askedOf(pid);
  return kilobytes * 1024;
}

/** How long processors have worked for a process; undefined where it has ended, or where nothing tells. */
function computedMsOf(pid: number): number | undefined {
  const said = saysItself ? fileOf(`/proc/${pid}/stat`) : undefined;
  // What stands before is the program's name, in which there may be anything.
  const fields = said?.slice(said.lastIndexOf(")") + 2).split(" ");
  const ticks = Number(fields?.[11]) + Number(fields?.[12]);
  return Number.isFinite(ticks) ? (ticks * 1000) / TICKS_A_SECOND : undefined;
}

const residentOf = (pid: number) =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(fileOf(`/proc/${pid}/status`) ?? "")?.[1] ?? 0);

function fileOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function askedOf(pid: number): number {
  if (process.platform === "win32") return 0;
  const { stdout } = Bun.spawnSync(["/bin/ps", "-o", "rss=", "-p", String(pid)], { stderr: "ignore" });
  return Number(stdout.toString().trim()) || 0;
}
