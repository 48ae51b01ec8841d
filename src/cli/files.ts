import { createReadStream, createWriteStream, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { AppError } from "@docent/kernel/errors";
import type { Context } from "./command.ts";

/** Stands for the standard input or output where a command takes a file. */
const STANDARD = "-";
const TEXT_BYTES_MAX = 16 * 1024 * 1024;
const PIECE_BYTES = 256 * 1024;

export const isStandard = (file: string) => file === STANDARD;

/** The text of a file or of the standard input. Raises an error that names the file. */
export async function readTextFile(
  context: Context,
  file: string,
  bytesMax = TEXT_BYTES_MAX,
): Promise<string> {
  const name = isStandard(file) ? "The standard input" : file;
  const found = isStandard(file) ? undefined : statSync(file, { throwIfNoEntry: false });
  // A pipe that the shell made, as with <(command), is not a regular file.
  if (!isStandard(file) && (found === undefined || found.isDirectory()))
    throw new AppError("not_found", `There is no file ${file}.`);
  const bytes = await readBytes(
    isStandard(file) ? takeInput(context) : createReadStream(file),
    name,
    bytesMax,
  );
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AppError("invalid_request", `${name} cannot be read as text in UTF-8.`, { cause });
  }
}

async function readBytes(source: Readable, name: string, bytesMax: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of source) {
      pieces.push(Buffer.from(piece));
      length += piece.length;
      if (length > bytesMax) throw new AppError("too_large", `${name} is larger than ${bytesMax} bytes.`);
    }
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError("invalid_request", `${name} cannot be read.`, { cause });
  }
  return Buffer.concat(pieces);
}

/** The standard input. Says what is awaited where a person would have to type it. */
function takeInput({ terminal }: Context): Readable {
  const input = terminal.input();
  if ("isTTY" in input && input.isTTY === true)
    terminal.err("Reading what is typed here. Ctrl+D on a line of its own ends it.\n");
  return input;
}

/** Keeps the standard input in a temporary file while `work` uses it. */
export async function withInputFile<T>(context: Context, work: (file: string) => Promise<T>): Promise<T> {
  using folder = context.temporaryFolder();
  const file = join(folder.path, "input");
  try {
    await pipeline(takeInput(context), createWriteStream(file, { mode: 0o600 }), { signal: context.signal });
  } catch (cause) {
    context.signal.throwIfAborted();
    throw new AppError("unavailable", "The standard input could not be kept in a file.", {
      hint: `Is there room in ${tmpdir()}? TMPDIR names another folder.`,
      cause,
    });
  }
  if (statSync(file).size === 0)
    throw new AppError("invalid_request", "Nothing came through the input.", {
      hint: "Look at what the command before it says.",
    });
  return await work(file);
}

/** Sends a temporary file that `make` writes to the standard output. */
export async function sendFile(context: Context, make: (file: string) => void): Promise<void> {
  const { terminal, signal } = context;
  if (terminal.isOutShown)
    throw new AppError("invalid_request", "What is written is no text, and would be shown at the terminal.", {
      hint: "Send it to a file or a pipe, as in: docent backup - | gzip > backup.db.gz",
    });
  using folder = context.temporaryFolder();
  const file = join(folder.path, "output");
  make(file);
  await using handle = await open(file);
  for (;;) {
    const piece = new Uint8Array(PIECE_BYTES);
    const { bytesRead } = await handle.read(piece);
    if (bytesRead === 0) return;
    signal.throwIfAborted();
    terminal.data(piece.subarray(0, bytesRead));
    await terminal.outRead();
  }
}
