import { AppError } from "@docent/kernel/errors";

/** An entry as an archive lists it. */
export interface ArchiveEntry {
  /** As it stands in the archive. */
  name: string;
  kind: "file" | "folder" | "link" | "other";
  sizeBytes: number;
  /** Why it cannot be read, where that is so; completes "<name> …". */
  refusal?: string | undefined;
}

/** More entries than this are no documentation. */
export const ENTRIES_MAX = 1_000_000;

/** What ends a run over an archive that cannot be trusted to be whole: nothing changes then. */
export const damaged = (detail: string, cause?: unknown) =>
  new AppError("invalid_request", `The archive is damaged: ${detail}.`, {
    hint: "Readers still see what was there before. Make or carry over the archive again.",
    ...(cause === undefined ? {} : { cause }),
  });

/** What ends a run over an archive that unpacks to more than it may. */
export const tooLarge = (detail: string) =>
  new AppError("too_large", `The archive ${detail}.`, {
    hint: "Readers still see what was there before. Carry over a smaller archive, of the docs alone.",
  });
