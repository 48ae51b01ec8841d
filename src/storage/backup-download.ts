import { mkdirSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "@docent/kernel/errors";

const PIECE_BYTES = 256 * 1024;

interface BackupCopiesDeps {
  /** Where the copy is until it is sent: a folder of the server's own. */
  folder: string;
  /** Writes a consistent copy. */
  write(file: string, signal: AbortSignal): Promise<void>;
}

/** A copy as it is read. `ended` is kept when it was, or when whoever read it left. */
interface BackupCopy {
  content: ReadableStream<Uint8Array>;
  ended: Promise<void>;
}

/**
 * Copies of the database for whoever fetches one: one at a time, and gone when it was read or left, or when the next
 * server begins.
 */
export function createBackupCopies({ folder, write }: BackupCopiesDeps) {
  const file = join(folder, "being-sent.db");
  let isTaken = false;

  function remove(): void {
    for (const name of [file, `${file}.partial`, `${file}.partial-journal`]) rmSync(name, { force: true });
  }

  function leave(): void {
    remove();
    isTaken = false;
  }

  // What a server left that was killed while it sent one: it holds what readers have had deleted since.
  remove();

  return async (signal: AbortSignal): Promise<BackupCopy> => {
    if (isTaken) {
      throw new AppError("conflict", "Another backup is being sent. Please try again when it has ended.");
    }
    isTaken = true;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      // The process that wrote one for it may have gone on for a while.
      remove();
      await write(file, signal);
      const handle = await open(file);
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      const close = async () => {
        await handle.close().finally(leave);
        resolve();
      };
      return { content: readPieces(handle, signal, close), ended };
    } catch (error) {
      leave();
      throw error;
    }
  };
}

function readPieces(
  handle: Awaited<ReturnType<typeof open>>,
  signal: AbortSignal,
  close: () => Promise<void>,
): ReadableStream<Uint8Array> {
  let isOpen = true;
  const end = async () => {
    if (!isOpen) return;
    isOpen = false;
    await close();
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // Whoever reads may have stopped asking: that it is over must not wait for the next piece.
        const stop = () => {
          controller.error(signal.reason);
          void end();
        };
        signal.addEventListener("abort", stop, { once: true });
        if (signal.aborted) stop();
      },
      async pull(controller) {
        const piece = new Uint8Array(PIECE_BYTES);
        const { bytesRead } = await handle.read(piece, 0, PIECE_BYTES);
        if (!isOpen) return;
        if (bytesRead > 0) return controller.enqueue(piece.subarray(0, bytesRead));
        await end();
        controller.close();
      },
      cancel: end,
    },
    { highWaterMark: 1 },
  );
}
