import { AppError } from "@docent/kernel/errors";
import { offWhileSealed, type Seal } from "@docent/kernel/lib/seal/seal";
import { isConnectorKind } from "./connectors/connectors.ts";
import { isRemote } from "./place.ts";
import type { Source } from "./source.ts";

type Place = Pick<Source, "kind" | "location">;

/** Whether reading a source takes more than this machine: its server, or git. */
export const needsNetwork = (source: Place): boolean => whatIsOff(source) !== undefined;

/** Why a source is not read while the process is sealed; undefined where it is. */
export function whyNotRead(seal: Seal, source: Place): string | undefined {
  const what = seal.isSealed ? whatIsOff(source) : undefined;
  return what === undefined ? undefined : offWhileSealed(what);
}

/** Raises `forbidden` for a source that is not read while the process is sealed. */
export function checkSealed(seal: Seal, source: Place): void {
  const why = whyNotRead(seal, source);
  if (why === undefined) return;
  throw new AppError("forbidden", `${why.slice(0, 1).toUpperCase()}${why.slice(1)}.`, {
    hint: "Bring the docs to this machine, and add them as a folder, an archive or an upload. What was read of a source before stays.",
  });
}

function whatIsOff({ kind, location }: Place): string | undefined {
  // A repository of this machine too: git is another program, and a repository's own configuration tells it where to go.
  if (kind === "git") return "sources that are read with git are";
  if (kind === "website") return "websites as sources are";
  if (isConnectorKind(kind)) return "sources that are read from another server are";
  return isRemote(location) ? "sources that are fetched from an address are" : undefined;
}
