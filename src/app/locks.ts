import { AppError } from "../errors.ts";
import { lockIngests, lockServer } from "../storage/storage.ts";

/** Takes the lock that one server at a time has. Raises `conflict` where another one has it. */
export function takeServerLock(directory: string): () => void {
  const unlock = lockServer(directory);
  if (unlock) return unlock;
  throw new AppError("conflict", `A server is using the data directory ${directory}.`, {
    hint: "Stop it first, or name another directory with --data.",
  });
}

/** A run that went on would write to the database that is put away, and report success. */
export function lockRuns(directory: string): () => void {
  const release = lockIngests(directory);
  if (release) return release;
  throw new AppError("conflict", `Docs are being read into the data directory ${directory}.`, {
    hint: "Wait until docent ingest has ended, then run this again.",
  });
}
