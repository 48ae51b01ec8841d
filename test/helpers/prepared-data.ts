import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyDatabase, isShared } from "./shared-database.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const DATABASE = "docent.db";

/** Makes what is in a data directory, and closes what it has opened. */
type Make = (data: string) => Promise<void>;

/** Writes what was made into a new data directory. */
type Copy = (data: string) => Promise<void>;

/**
 * Makes once what many data directories begin with, to be copied: bringing a database up to date, and reading the same
 * pages again, take longer than what most tests then do.
 */
export const prepareData = (make: Make): Promise<Copy> =>
  isShared ? prepareDatabase(make) : prepareFile(make);

/** The same, of a directory whose database is SQLite's in any case. */
export async function prepareFile(make: Make): Promise<Copy> {
  using directory = temporaryDirectory();
  await make(directory.path);
  const bytes = readFileSync(join(directory.path, DATABASE));
  return async (data) => {
    mkdirSync(data, { recursive: true });
    writeFileSync(join(data, DATABASE), bytes);
  };
}

async function prepareDatabase(make: Make): Promise<Copy> {
  using directory = temporaryDirectory();
  const { path } = directory;
  await make(path);
  return (data) => copyDatabase(path, data);
}
