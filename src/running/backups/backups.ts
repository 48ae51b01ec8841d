import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { AppError, toAppError } from "@docent/kernel/errors";
import { type Clock, DAY_MS, HOUR_MS } from "@docent/kernel/lib/clock";
import { type Disk, makeFolder, systemDisk } from "@docent/kernel/lib/durable-files";
import { asNumber, asRecord, asText, jsonIn } from "@docent/kernel/text/json";
import { nextAt, type Rhythm, readTimeOfDay } from "./due.ts";

/** The settings it reads, under their own names. */
interface BackupSettings {
  backup_every_hours: number;
  backup_at: string;
  backup_keep: number;
  backup_keep_days: number;
}

interface BackupsDeps {
  settings: BackupSettings;
  /** Where they are kept. */
  folder: string;
  /** The file that says how the last ones went: beside the database, so that restoring one does not turn it back. */
  stateFile: string;
  /** Writes a copy of everything. The file has its name only when it is whole. */
  write(file: string, signal: AbortSignal): Promise<void>;
  /** Raises what is wrong with a copy. */
  verify(file: string, signal: AbortSignal): Promise<void>;
  clock: Clock;
  disk?: Disk;
}

/** A backup that was made and checked. */
interface MadeBackup {
  file: string;
  bytes: number;
  /** The older ones that it made superfluous. */
  removed: string[];
}

/** What is known of scheduled backups, for whoever looks after the server. */
export interface BackupsOverview extends BackupState {
  everyHours: number;
  folder: string;
  nextAt: number;
  /** No backup has come to a good end in twice the time between two. */
  isOverdue: boolean;
}

export interface ScheduledBackups {
  /** Undefined where none are to be made. */
  overview(): BackupsOverview | undefined;
  /** How the last ones went, also where none are to be made by these settings: a server may have others. */
  last(): BackupState;
  /** Makes the one that is due; undefined where none is. Raises why it could not be made, which is noted, too. */
  makeIfDue(signal: AbortSignal): Promise<MadeBackup | undefined>;
}

/**
 * Backups that a server makes by itself: one at a time, each checked before it counts, and before older ones go. Raises
 * `invalid_request` for settings that cannot be read.
 */
export function createBackups(deps: BackupsDeps): ScheduledBackups {
  const { settings, stateFile, folder, clock } = deps;
  const everyHours = settings.backup_every_hours;
  const rhythm: Rhythm = {
    everyMs: everyHours * HOUR_MS,
    atMs: readTimeOfDay(settings.backup_at, "backup_at"),
  };
  const dueAt = ({ good, failure }: BackupState) =>
    nextAt(rhythm, clock(), { goodAt: good?.at, failedAt: failure?.at });

  return {
    overview() {
      if (everyHours === 0) return undefined;
      const state = readState(stateFile);
      const since = state.good?.at ?? state.failure?.since;
      const isOverdue = since !== undefined && clock() - since > 2 * rhythm.everyMs;
      return { ...state, everyHours, folder, nextAt: dueAt(state), isOverdue };
    },

    last: () => readState(stateFile),

    async makeIfDue(signal) {
      const state = readState(stateFile);
      if (everyHours === 0 || dueAt(state) > clock()) return undefined;
      const at = clock();
      const file = await make(deps, at, { last: state.good?.file, signal }).catch((error: unknown) => {
        signal.throwIfAborted();
        writeState(stateFile, { ...state, failure: failureOf(error, state, at) }, deps.disk);
        throw error;
      });
      const bytes = statSync(file).size;
      writeState(stateFile, { good: { file, at, bytes }, failure: undefined }, deps.disk);
      return { file, bytes, removed: removeOld(deps, file) };
    },
  };
}

async function make(
  { folder, write, verify, disk = systemDisk }: BackupsDeps,
  at: number,
  { last, signal }: { last: string | undefined; signal: AbortSignal },
): Promise<string> {
  const file = join(folder, nameAt(at));
  // A disk that is not mounted any more would be replaced by a folder on the disk that the backups are to outlive.
  if (last !== undefined && dirname(last) === folder && !existsSync(folder))
    throw new AppError("unavailable", `The folder ${folder} is not there any more.`, {
      hint: "Mount its disk again. If it was removed on purpose, make it anew.",
    });
  const candidate = unverified(file);
  try {
    makeFolder(folder, disk);
    removeUnfinished(folder, disk);
  } catch (cause) {
    throw new AppError("unavailable", `The folder ${folder} cannot be written.`, {
      hint: "Look at the setting backup_folder, and at how the folder is mounted.",
      cause,
    });
  }
  try {
    await write(candidate, signal);
    await verify(candidate, signal);
    disk.rename(candidate, file);
    disk.syncFolder(folder);
    return file;
  } catch (error) {
    removeUnfinished(folder, disk);
    throw error;
  }
}

function removeUnfinished(folder: string, disk: Disk): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : [])
    if (isUnfinished(name)) disk.remove(join(folder, name));
}

/** The new one is checked: whatever may go goes now. */
function removeOld({ folder, settings, clock, disk = systemDisk }: BackupsDeps, newest: string): string[] {
  const { backup_keep: keep, backup_keep_days: keepDays } = settings;
  const names = superfluous(readdirSync(folder), basename(newest), { keep, keepDays, now: clock() });
  for (const name of names) disk.remove(join(folder, name));
  return names.map((name) => join(dirname(newest), name));
}

function failureOf(error: unknown, { failure }: BackupState, at: number): BackupState["failure"] {
  const { message, hint } = toAppError(error);
  return { at, since: failure?.since ?? at, says: message, hint };
}

const NAME = /^scheduled-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z)\.db$/;
/** What is written and not checked yet. One that a killed server left is removed by the next backup. */
const UNFINISHED = /^scheduled-.*\.db\.unverified(?:\.partial)?(?:-wal|-shm|-journal)?$/;

export const nameAt = (at: number) => `scheduled-${new Date(at).toISOString().replaceAll(":", "-")}.db`;
const unverified = (file: string) => `${file}.unverified`;
const isUnfinished = (name: string) => UNFINISHED.test(name);

/** When a scheduled backup of that name was made; undefined where it is something else. */
function madeAt(name: string): number | undefined {
  const stamp = NAME.exec(name)?.[1];
  if (stamp === undefined) return undefined;
  const at = Date.parse(stamp.replace(/T(\d\d)-(\d\d)-/, "T$1:$2:"));
  return Number.isNaN(at) ? undefined : at;
}

/**
 * Which files of a folder go once the backup `newest` is known to be good: all beyond `keep`, and those that are older
 * than `keepDays`, where that is not 0. The newest stays in any case, also where the clock was set back since the others.
 */
export function superfluous(
  names: readonly string[],
  newest: string,
  { keep, keepDays, now }: { keep: number; keepDays: number; now: number },
): string[] {
  const others = names
    .filter((name) => name !== newest)
    .map((name) => ({ name, at: madeAt(name) }))
    .filter((each): each is { name: string; at: number } => each.at !== undefined)
    .toSorted((a, b) => b.at - a.at);
  const oldest = keepDays === 0 ? Number.NEGATIVE_INFINITY : now - keepDays * DAY_MS;
  return others.filter(({ at }, index) => index >= keep - 1 || at < oldest).map(({ name }) => name);
}

/** How the last scheduled backups went. */
interface BackupState {
  /** The newest that was made and checked. */
  good: { file: string; at: number; bytes: number } | undefined;
  /** Why there is none since, at the last try, and when the first of these tries failed. */
  failure: { at: number; since: number; says: string; hint: string | undefined } | undefined;
}

/** Empty where nothing is noted, or what is there cannot be read: the next backup writes it anew. */
function readState(file: string): BackupState {
  const { good, failure } = asRecord(jsonIn(textOf(file)));
  return { good: readGood(asRecord(good)), failure: readFailure(asRecord(failure)) };
}

function writeState(file: string, state: BackupState, disk: Disk = systemDisk): void {
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
