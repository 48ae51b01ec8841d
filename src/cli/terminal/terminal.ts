import type { Readable } from "node:stream";
import { printable, printableJson, printableLine } from "@docent/kernel/lib/printable";
import { CLEAR_LINE, render, type Text } from "./text.ts";

export { createMarkdownDrawing } from "./draw-markdown.ts";

/**
 * The only way for a command to write. Whatever comes from a database, a network or a model is plain text
 * here.
 */
export interface Terminal {
  /** Results, for people. */
  out(text: Text): void;
  /** Everything else that people need to know. */
  err(text: Text): void;
  /** A result as JSON; on one line where there are several. */
  json(value: unknown, layout?: "indented" | "line"): void;
  /** A failure, for a program that asked for JSON. */
  errJson(value: unknown): void;
  /** Data for a program: unchanged, unless a terminal shows it. */
  data(content: string | Uint8Array): void;
  /** A line that the next one overwrites, at a terminal; removed when called without text. */
  progress(text?: string): void;
  /** Waits until all results have left. False when nobody reads them any more. */
  outRead(): Promise<boolean>;
  /** Notices when nobody reads the results (or messages) any more, even while nothing is written. */
  watchReader(of: "out" | "err"): void;
  /** What is typed or piped in. */
  input(): Readable;
  /** A person is watching: progress, and waiting for typed input, make sense. */
  isInteractive: boolean;
  /** Whether results go to a terminal. */
  isOutShown: boolean;
  /** The width of a line; infinite where results do not go to a terminal. */
  columns: number;
  /** Whether results are shown in bold and colours. */
  hasStyles: boolean;
  /** Whether the terminal is known to follow links whose address is not seen. */
  hasLinks: boolean;
}

/** Why a command is aborted: nobody reads its output any more, as when `head` has seen enough. */
export class OutputUnread extends Error {
  override name = "OutputUnread";
}

const DESCRIPTORS = { out: 1, err: 2 };

/** The streams that the process is started with. */
interface Streams {
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  stdin: () => Readable;
  /** NO_COLOR and TERM say what the terminal can do. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Called when the other end closes the results or the messages. */
  onGone: (reason: OutputUnread) => void;
}

/**
 * The terminal of a process. `ended` waits until everything has left and returns what could not be written.
 */
export function createTerminal({ stdout, stderr, stdin, environment, onGone }: Streams) {
  let isRead = true;
  const leave = () => {
    if (isRead) onGone(new OutputUnread("Nobody reads the output any more."));
    isRead = false;
  };
  const out = createOutlet(stdout, leave);
  const err = createOutlet(stderr, leave);
  const isPlain = Boolean(environment["NO_COLOR"]) || environment["TERM"] === "dumb";
  const isOutShown = Boolean(stdout.isTTY);
  const isInteractive = isOutShown && Boolean(stderr.isTTY);
  const columns = isOutShown ? (stdout.columns ?? 80) : Number.POSITIVE_INFINITY;
  const whole = createWholePieces();
  let isLineShown = false;

  const terminal: Terminal = {
    out: (text) => out.write(render(whole(text), isOutShown && !isPlain)),
    err: (text) => err.write(render(text, Boolean(stderr.isTTY) && !isPlain)),
    json(value, layout = "indented") {
      out.write(`${toJson(value, layout === "indented" ? 2 : 0)}\n`);
    },
    errJson: (value) => err.write(`${toJson(value, 0)}\n`),
    data(content) {
      out.write(isOutShown && typeof content === "string" ? printable(content) : content);
    },
    progress(text) {
      if (!isInteractive || environment["TERM"] === "dumb") return;
      if (text !== undefined || isLineShown) err.write(CLEAR_LINE);
      if (text !== undefined) err.write(cutTo(Math.max(20, columns - 1), printableLine(text)));
      isLineShown = text !== undefined;
    },
    async outRead() {
      await out.written();
      return isRead;
    },
    watchReader: (of) => void watchReader(DESCRIPTORS[of], leave),
    input: stdin,
    isInteractive,
    isOutShown,
    columns,
    hasStyles: isOutShown && !isPlain,
    hasLinks: followsLinks(environment),
  };

  async function ended(): Promise<Error | undefined> {
    await out.written();
    await err.written();
    return out.failure();
  }

  return { terminal, ended, isRead: () => isRead };
}

const PROGRAMS_WITH_LINKS = ["ghostty", "Hyper", "iTerm.app", "Tabby", "vscode", "WezTerm"];

/** What runs inside of another terminal may not pass links on, though the variables of that one are still there. */
function followsLinks(environment: Streams["environment"]): boolean {
  const { TERM = "", TERM_PROGRAM = "", VTE_VERSION, KONSOLE_VERSION, WT_SESSION } = environment;
  if (/^(?:screen|tmux)/.test(TERM)) return false;
  const isKnown = PROGRAMS_WITH_LINKS.includes(TERM_PROGRAM) || TERM === "xterm-kitty";
  return isKnown || Number(VTE_VERSION) >= 5000 || Boolean(KONSOLE_VERSION ?? WT_SESSION);
}

const toJson = (value: unknown, indent: number) => printableJson(JSON.stringify(value, null, indent));

/** The part of a line that fits; wide characters take two columns. */
function cutTo(columns: number, line: string): string {
  let cut = line.slice(0, columns);
  while (Bun.stringWidth(cut) > columns) cut = cut.slice(0, -1);
  return cut.toWellFormed();
}

/** Holds back the last character of each piece where it may be half of one, or half of a line end. */
function createWholePieces(): (text: Text) => Text {
  let held = "";
  return (text) => {
    const before = held;
    held = "";
    if (typeof text !== "string") return before === "" ? text : [before, text];
    const all = before + text;
    const half = /[\r\ud800-\udbff]$/.exec(all)?.[0] ?? "";
    held = half;
    return half === "" ? all : all.slice(0, -1);
  };
}

const LOOK_MS = 250;
/** The bits by which poll says "the other end is closed", the same on every Unix. */
const CLOSED = 0x08 | 0x10;
/**
 * The size of one poll request: an int for the descriptor, a short for the events asked for, a short for the
 * reply.
 */
const POLL_BYTES = 8;

/**
 * Calls `onGone` once when the other end of a descriptor is closed. A write would fail too, but a command
 * that waits for a model writes nothing for minutes. Does nothing on systems without poll.
 */
async function watchReader(descriptor: number, onGone: () => void): Promise<void> {
  const poll = await openPoll();
  if (poll === undefined) return;
  const timer = setInterval(() => {
    if ((poll(descriptor) & CLOSED) === 0) return;
    clearInterval(timer);
    onGone();
  }, LOOK_MS);
  // Watching must not keep the process alive.
  timer.unref();
}

/** What poll reports about a descriptor now. */
async function openPoll(): Promise<((descriptor: number) => number) | undefined> {
  if (process.platform === "win32") return undefined;
  try {
    const { dlopen, ptr } = await import("bun:ffi");
    // musl answers to glibc's name too.
    const library = process.platform === "darwin" ? "libSystem.B.dylib" : "libc.so.6";
    const { symbols } = dlopen(library, { poll: { args: ["ptr", "u64", "i32"], returns: "i32" } });
    const asked = new DataView(new ArrayBuffer(POLL_BYTES));
    return (descriptor) => {
      asked.setInt32(0, descriptor, true);
      asked.setInt32(4, 0, true);
      const found = symbols.poll(ptr(asked), 1, 0);
      return found > 0 ? asked.getInt16(6, true) : 0;
    };
  } catch {
    return undefined;
  }
}

/** A stream of the process whose content must arrive. */
interface Outlet {
  write(content: string | Uint8Array): void;
  /** Waits until everything has left. Exiting earlier would cut it off where a pipe is full. */
  written(): Promise<void>;
  /** Why something could not be written. A closed stream is reported to `onGone` instead. */
  failure(): Error | undefined;
}

/** Calls `onGone` when the other end closes the stream, as `head` does once it has seen enough. */
function createOutlet(stream: NodeJS.WriteStream, onGone: () => void): Outlet {
  let waiting = 0;
  let failure: Error | undefined;
  let isGone = false;
  let wake = () => {};
  // Failures reach the write's callback too; without a listener they would end the process.
  stream.on("error", () => {});

  function onWritten(error: Error | null | undefined): void {
    if (error && isClosing(error, stream.isTTY)) leave();
    else if (error) failure = error;
    waiting--;
    if (waiting === 0) wake();
  }

  function leave(): void {
    if (isGone) return;
    isGone = true;
    onGone();
  }

  return {
    write(content) {
      if (content.length === 0 || isGone) return;
      waiting++;
      stream.write(content, onWritten);
    },
    async written() {
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      if (waiting > 0) await promise;
    },
    failure: () => failure,
  };
}

/**
 * Whether a pipe lost its reader, a connection was cut or a terminal closed. For a file, EIO means a broken
 * disk.
 */
function isClosing(error: Error, isTerminal: boolean): boolean {
  const codes = isTerminal ? ["EPIPE", "ECONNRESET", "EIO"] : ["EPIPE", "ECONNRESET"];
  return "code" in error && codes.includes(String(error.code));
}
