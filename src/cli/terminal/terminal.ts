import type { Readable } from "node:stream";
import { printable, printableJson, printableLine } from "../../lib/printable.ts";
import { createOutlet } from "./outlet.ts";
import { CLEAR_LINE, render, type Text } from "./text.ts";
import { watchReader } from "./watch-reader.ts";

/** Where a command writes, and the only way there: whatever comes from a database, a network or a model is text here. */
export interface Terminal {
  /** Results, for people. */
  out(text: Text): void;
  /** Everything else that people are told. */
  err(text: Text): void;
  /** A result as JSON; on one line where there are several. */
  json(value: unknown, layout?: "indented" | "line"): void;
  /** What went wrong, for a program that asked for JSON. */
  errJson(value: unknown): void;
  /** Data for a program: as it is, unless it is shown at a terminal. */
  data(content: string | Uint8Array): void;
  /** A line that is written over by the next one, at a terminal; without text it is taken away. */
  progress(text?: string): void;
  /** Waits until all results have left. False where nobody reads them any more. */
  outRead(): Promise<boolean>;
  /** Notices when nobody reads the results, or the messages, any more, even while nothing is written. */
  watchReader(of: "out" | "err"): void;
  /** What is typed, or comes through a pipe. */
  input(): Readable;
  /** A person is looking: progress and waiting for what is typed make sense. */
  isInteractive: boolean;
  /** Results are shown at a terminal. */
  isOutShown: boolean;
  /** How wide a line may be; without bound where results are not shown at a terminal. */
  columns: number;
}

/** Why a command is aborted whose output nobody reads any more, as `head` does that has seen enough. */
export class OutputUnread extends Error {
  override name = "OutputUnread";
}

const DESCRIPTORS = { out: 1, err: 2 };

/** What the process is started with. */
interface Streams {
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  stdin: () => Readable;
  /** NO_COLOR and TERM say what the terminal is for. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Called when whoever read the results, or the messages, has closed that stream. */
  onGone: (reason: OutputUnread) => void;
}

/** The terminal of a process. `ended` waits until all has left and says why something did not, if so. */
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
  };

  async function ended(): Promise<Error | undefined> {
    await out.written();
    await err.written();
    return out.failure();
  }

  return { terminal, ended, isRead: () => isRead };
}

const toJson = (value: unknown, indent: number) => printableJson(JSON.stringify(value, null, indent));

/** What of a line fits; wide characters take two columns. */
function cutTo(columns: number, line: string): string {
  let cut = line.slice(0, columns);
  while (Bun.stringWidth(cut) > columns) cut = cut.slice(0, -1);
  return cut.toWellFormed();
}

/** Text that comes in pieces may be cut inside a character, or between the two that end a line: both halves wait. */
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
