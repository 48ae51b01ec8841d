import { z } from "zod";
import type { DocumentKind, ReadDocument, UnreadDocument } from "../../documents/documents.ts";
import { type ByteSource, createByteSource } from "../sources/byte-source.ts";
import { readFrame, writeFrame } from "./frames.ts";
import { LOOK_EVERY_MS, memoryOf } from "./memory-of.ts";
import type { DocumentReading } from "./reading.ts";

export interface ChildReadingOptions {
  /** The command that starts this program to read documents. */
  command: readonly string[];
  /** The environment of this program, of which it is given next to nothing. */
  environment: Readonly<Record<string, string | undefined>>;
  /** The largest file that is read. */
  bytesMax: number;
  /** The largest that is kept as it is; 0: none. */
  keptBytesMax: number;
  /** How long one document may take. */
  documentMs: number;
  /** How much memory the process may take. */
  memoryBytesMax: number;
}

/** A process that waits for documents, or reads one. */
interface Reader {
  child: Bun.Subprocess<"pipe", "pipe", "ignore">;
  replies: ByteSource;
}

interface Asked {
  content: Uint8Array;
  kind: DocumentKind;
  signal: AbortSignal | undefined;
}

/** Without it, programs do not start on Windows. */
const SYSTEM_VARIABLE = "SystemRoot";
const IDLE_MS = 10_000;
/** JSON of the Markdown that a document may become. */
const REPLY_BYTES_MAX = 200_000_000;
/** One that has grown so far is not used again: the next document has all of the memory. */
const KEPT_SHARE_MAX = 0.5;

const replyShape = z.union([
  z.object({ unreadable: z.string() }),
  z.object({ data: z.record(z.string(), z.string()), markdown: z.string(), faults: z.array(z.string()) }),
]);

/**
 * Reads documents in a process of their own: a file that was made to take all memory, or never to end, ends that
 * process alone. It is given no environment of ours, which may hold secrets, and keeps what it has loaded for the next
 * document.
 */
export function createChildReading(options: ChildReadingOptions): DocumentReading {
  let last: Promise<unknown> = Promise.resolve();
  let reader: Reader | undefined;
  let idle: Timer | undefined;

  const leave = () => {
    reader?.child.kill("SIGKILL");
    reader = undefined;
  };
  async function readNext(asked: Asked): Promise<ReadDocument | UnreadDocument> {
    clearTimeout(idle);
    asked.signal?.throwIfAborted();
    reader ??= start(options);
    const said = await ask(reader, asked, options);
    const { child } = reader;
    if (child.killed || memoryOf(child.pid) > options.memoryBytesMax * KEPT_SHARE_MAX) leave();
    idle = setTimeout(leave, IDLE_MS);
    idle.unref();
    return said;
  }
  return {
    bytesMax: options.bytesMax,
    keptBytesMax: options.keptBytesMax,
    read(content, kind, signal) {
      const turn = last.then(() => readNext({ content, kind, signal }));
      last = turn.catch(leave);
      return turn;
    },
  };
}

function start({ command, environment }: ChildReadingOptions): Reader {
  const needed = environment[SYSTEM_VARIABLE];
  const env = needed === undefined ? {} : { [SYSTEM_VARIABLE]: needed };
  const child = Bun.spawn([...command], { env, stdin: "pipe", stdout: "pipe", stderr: "ignore" });
  // It ends when this program does, which closes what it reads from.
  child.unref();
  return { child, replies: createByteSource(child.stdout) };
}

/** Where no answer came, the process is killed. */
async function ask(
  { child, replies }: Reader,
  { content, kind, signal }: Asked,
  { documentMs, memoryBytesMax }: ChildReadingOptions,
): Promise<ReadDocument | UnreadDocument> {
  let why = "is damaged, or was made to harm: the process that read it has ended";
  const end = (reason: string) => {
    why = reason;
    child.kill("SIGKILL");
  };
  const timer = setTimeout(() => end(`takes more than ${documentMs / 1000} seconds to read`), documentMs);
  const look = setInterval(() => {
    if (memoryOf(child.pid) > memoryBytesMax)
      end(`takes more than ${Math.round(memoryBytesMax / 1_000_000)} MB of memory to read`);
  }, LOOK_EVERY_MS);
  const onAbort = () => end("");
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    const reply = await exchange(child, replies, writeFrame({ kind }, content));
    signal?.throwIfAborted();
    if (reply !== undefined) return reply;
    child.kill("SIGKILL");
    return { unreadable: why };
  } finally {
    clearTimeout(timer);
    clearInterval(look);
    signal?.removeEventListener("abort", onAbort);
  }
}

/** Undefined where the process ended first, or said what cannot be understood. */
async function exchange(
  { stdin }: Reader["child"],
  replies: ByteSource,
  parts: readonly Uint8Array[],
): Promise<ReadDocument | UnreadDocument | undefined> {
  try {
    for (const part of parts) stdin.write(part);
    await stdin.flush();
    const reply = await readFrame(replies, REPLY_BYTES_MAX);
    return reply && replyShape.parse(JSON.parse(new TextDecoder().decode(reply.body)));
  } catch {
    return undefined;
  }
}
