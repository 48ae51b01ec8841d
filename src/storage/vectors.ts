import type { Database } from "bun:sqlite";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { reasonOf } from "./open.ts";

/** Whether sqlite-vec can be used here, and if not, why. */
export type VectorSupport = { available: true; version: string } | { available: false; reason: string };

/**
 * Loads sqlite-vec. A library inside the binary cannot be loaded from there, so it is copied to the data directory
 * first, under a name that holds its hash; a copy that is not exactly it is replaced. Never throws: without it
 * vectors are measured more slowly.
 */
export function loadVectors(
  database: Database,
  library: string | undefined,
  directory: string,
): VectorSupport {
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
  if (existsSync(file) && hashOf(readFileSync(file)) === hash) return file;
  mkdirSync(folder, { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, content);
  chmodSync(unfinished, 0o500);
  if (process.platform === "win32") rmSync(file, { force: true });
  renameSync(unfinished, file);
  return file;
}

const hashOf = (content: Uint8Array) => new Bun.CryptoHasher("sha256").update(content).digest("hex");
