import { type FSWatcher, watch } from "node:fs";
import { stat } from "node:fs/promises";

const DEBOUNCE_MS = 300;
const RETRY_MS = 1_000;
const FILES_COUNTED_MAX = 10_000;

interface WatchOptions {
  /** How long it must be quiet before a change counts as finished. */
  debounceMs?: number;
  /** How often a folder that is gone, or was replaced, is looked for. */
  retryMs?: number;
  /** Calls once when watching has begun: what changed before that is seen too. */
  atOnce?: boolean;
  signal: AbortSignal;
  /** Hears what went wrong; watching goes on. */
  onError(error: unknown): void;
}

/**
 * Calls `onChange` when something below a folder has changed, never twice at once, with the number of files that have, as
 * far as it is known: infinite for a folder that took the place of another. What changes during a call leads to one more.
 * Ends when the signal is aborted and the last call has come to its end.
 */
export async function watchFolder(
  root: string,
  onChange: (files: number) => Promise<void>,
  { debounceMs = DEBOUNCE_MS, retryMs = RETRY_MS, atOnce = false, signal, onError }: WatchOptions,
): Promise<void> {
  const runs = createRuns(onChange, debounceMs, onError);
  const eyes = createEyes(root, runs.request, onError);
  await eyes.look();
  if (atOnce) runs.request([]);
  const timer = setInterval(() => void eyes.look().catch(onError), retryMs);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
  clearInterval(timer);
  eyes.close();
  await runs.close();
}

/** Runs the work when it has been asked for and it is quiet, one run at a time. */
function createRuns(
  work: (files: number) => Promise<void>,
  debounceMs: number,
  onError: (error: unknown) => void,
) {
  let changed = new Set<string>();
  let hasUnknown = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | undefined;
  let isWanted = false;

  const start = () => {
    timer = undefined;
    if (running) return;
    isWanted = false;
    const files = hasUnknown ? Number.POSITIVE_INFINITY : changed.size;
    changed = new Set();
    hasUnknown = false;
    running = work(files)
      .catch(onError)
      .finally(() => {
        running = undefined;
        if (isWanted && !timer) start();
      });
  };
  return {
    /** Asks for a run for the sake of these files, or of nobody knows which. */
    request(files?: readonly string[]) {
      isWanted = true;
      if (files === undefined || changed.size + files.length > FILES_COUNTED_MAX) hasUnknown = true;
      else for (const file of files) changed.add(file);
      clearTimeout(timer);
      timer = setTimeout(start, debounceMs);
    },
    async close() {
      clearTimeout(timer);
      isWanted = false;
      await running;
    },
  };
}

/** Watches the folder that has this name now, and the one that takes its place, as when a checkout renames it. */
function createEyes(
  root: string,
  onEvent: (files?: readonly string[]) => void,
  onError: (error: unknown) => void,
) {
  let watcher: FSWatcher | undefined;
  let watched: string | undefined;
  let hasLooked = false;
  let isClosed = false;

  const leave = () => {
    watcher?.close();
    watcher = undefined;
  };
  const hear = (_: unknown, file: string | null) => {
    if (file !== null) return onEvent([file]);
    // More has changed at once than the system could tell, and folders that are new since are not watched. The next look
    // watches everything anew, and asks for a run.
    leave();
  };
  return {
    close() {
      isClosed = true;
      leave();
    },
    async look() {
      const identity = await identityOf(root);
      if (isClosed) return;
      const isFirst = !hasLooked;
      if (!isFirst && identity === watched && (watcher || identity === undefined)) return;
      hasLooked = true;
      leave();
      watched = identity;
      if (identity === undefined)
        return onError(new Error(`${root} is gone; it is looked for until it is back`));
      watcher = watch(root, { recursive: true, persistent: true }, hear);
      watcher.on("error", (error) => {
        leave();
        onError(error);
      });
      if (!isFirst) onEvent();
    },
  };
}

async function identityOf(root: string): Promise<string | undefined> {
  const state = await stat(root, { bigint: true }).catch(() => undefined);
  // A new folder or file may be given the old one's number.
  return state?.isDirectory() || state?.isFile()
    ? `${state.dev}-${state.ino}-${state.birthtimeNs}`
    : undefined;
}
