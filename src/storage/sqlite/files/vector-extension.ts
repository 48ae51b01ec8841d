import type { Database } from "bun:sqlite";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { extname, join, resolve } from "node:path";
import type { VectorMeasure } from "../../storage.ts";
import { acquireLock } from "./lock.ts";
import { reasonOf } from "./open.ts";

const COPY_WAIT_MS = 3000;
const COPY_POLL_MS = 20;

/**
 * Loads sqlite-vec. A library inside the binary cannot be loaded from there, so it is copied to the data directory
 * first, under a name that holds its hash; a copy that is not exactly it is replaced. Never throws: without it
 * vectors are measured more slowly.
 */
export function loadVectors(
  database: Database,
  library: string | undefined,
  directory: string,
): VectorMeasure {
  if (library === undefined) {
    return {
      available: false,
      reason: `there is no sqlite-vec for this build of Docent (${process.platform} ${process.arch})`,
    };
  }
  try {
    // Named, because SQLite would derive the entry point's name from the file's.
    database.loadExtension(extract(library, resolve(directory, "lib")), "sqlite3_vec_init");
    const row = database.query<{ version: string }, []>("SELECT vec_version() AS version").get();
    return { available: true, version: row?.version ?? "unknown" };
  } catch (cause) {
    return { available: false, reason: explain(cause, join(directory, "lib")) };
  }
}

/** SQLite tries a second name and reports that one: which file is missing says nothing of why. */
function explain(cause: unknown, folder: string): string {
  const reason = reasonOf(cause);
  return /cannot open shared object|no such file/i.test(reason)
    ? `the system does not load libraries from ${folder}`
    : reason;
}

function extract(library: string, folder: string): string {
  const content = readFileSync(library);
  const hash = hashOf(content);
  const file = join(folder, `vec0-${hash.slice(0, 16)}${extname(library)}`);
  const isThere = () => existsSync(file) && hashOf(readFileSync(file)) === hash;
  if (isThere()) return file;
  mkdirSync(folder, { recursive: true });
  const release = waitForLock(join(folder, "copying.lock"));
  try {
    if (isThere()) return file;
    if (release) removeOthers(folder, file);
    writeLibrary(file, content);
    return file;
  } finally {
    release?.();
  }
}

/** Undefined where another process has held it for longer than copying takes. */
function waitForLock(path: string): (() => void) | undefined {
  for (let waitedMs = 0; waitedMs <= COPY_WAIT_MS; waitedMs += COPY_POLL_MS) {
    const release = acquireLock(path);
    if (release) return release;
    Bun.sleepSync(COPY_POLL_MS);
  }
  return undefined;
}

/** Removes the copies of other versions, and the halves of processes that were killed. */
function removeOthers(folder: string, file: string): void {
  for (const name of readdirSync(folder).filter((each) => each.startsWith("vec0-"))) {
    const other = join(folder, name);
    // Windows removes no library that a process has loaded.
    if (other !== file) attempt(() => rmSync(other, { force: true }));
  }
}

function writeLibrary(file: string, content: Uint8Array): void {
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, content);
  chmodSync(unfinished, 0o500);
  if (process.platform === "win32") rmSync(file, { force: true });
  renameSync(unfinished, file);
}

function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // The next version tries again.
  }
}

const hashOf = (content: Uint8Array) => new Bun.CryptoHasher("sha256").update(content).digest("hex");
