import { statSync } from "node:fs";
import { join } from "node:path";
import { DATABASE_FILE } from "./open.ts";

/** How large the files of a data directory's database are: itself, and the log of what it has not taken in yet. */
export function databaseSize(directory: string): { database: number; log: number } {
  const bytes = (file: string) => statSync(join(directory, file), { throwIfNoEntry: false })?.size ?? 0;
  return { database: bytes(DATABASE_FILE), log: bytes(`${DATABASE_FILE}-wal`) };
}
