import { readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Disk, makeFolder, systemDisk } from "@docent/kernel/lib/disk";
import { asNumber, asRecord, asText, jsonIn } from "@docent/kernel/text/json";

/** How the last scheduled backups went. */
export interface BackupState {
  /** The newest that was made and checked. */
  good: { file: string; at: number; bytes: number } | undefined;
  /** Why there is none since, at the last try, and when the first of these tries failed. */
  failure: { at: number; since: number; says: string; hint: string | undefined } | undefined;
}

/** Empty where nothing is noted, or what is there cannot be read: the next backup writes it anew. */
export function readState(file: string): BackupState {
  const { good, failure } = asRecord(jsonIn(textOf(file)));
  return { good: readGood(asRecord(good)), failure: readFailure(asRecord(failure)) };
}

export function writeState(file: string, state: BackupState, disk: Disk = systemDisk): void {
  const unfinished = `${file}.partial`;
  makeFolder(dirname(file), disk);
  writeFileSync(unfinished, JSON.stringify(state), { mode: 0o600 });
  disk.syncFile(unfinished);
  disk.rename(unfinished, file);
  disk.syncFolder(dirname(file));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function readGood(kept: Readonly<Record<string, unknown>>): BackupState["good"] {
  const [file, at, bytes] = [asText(kept["file"]), asNumber(kept["at"]), asNumber(kept["bytes"])];
  return file === undefined || at === undefined || bytes === undefined ? undefined : { file, at, bytes };
}

function readFailure(kept: Readonly<Record<string, unknown>>): BackupState["failure"] {
  const [at, since, says] = [asNumber(kept["at"]), asNumber(kept["since"]), asText(kept["says"])];
  if (at === undefined || since === undefined || says === undefined) return undefined;
  return { at, since, says, hint: asText(kept["hint"]) };
}
