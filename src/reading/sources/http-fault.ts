import { AppError } from "@docent/kernel/errors";
import { FetchFault, type FetchFaultKind } from "@docent/kernel/lib/guarded-fetch/fetch-fault";
import type { GuardedFetch } from "@docent/kernel/lib/guarded-fetch/guarded-fetch";

const HINTS: Partial<Record<FetchFaultKind, string>> = {
  outside: "Readers still see what was there before. Add the address that it leads to as a source.",
  refused: "Readers still see what was there before. Change the server's configuration, then run this again.",
  too_large: "Readers still see what was there before.",
};
const LATER = "Readers still see what was there before. Run this again when the server answers.";

/** The error that ends a run because something without which it cannot go on was not there. */
export function unreadable(what: string, cause: unknown): AppError {
  if (!(cause instanceof FetchFault)) throw cause;
  const isForbidden = cause.kind === "outside" || cause.kind === "refused";
  return new AppError(
    isForbidden ? "forbidden" : "unavailable",
    `${what} could not be read: ${cause.message}.`,
    { hint: HINTS[cause.kind] ?? LATER, cause },
  );
}

/** The same for a server that answered, with a status that is no answer. */
export function unreadableStatus(what: string, status: number): AppError {
  if (isRefusal(status)) return refused(what, status);
  return new AppError("unavailable", `${what} could not be read: the server answers ${status}.`, {
    hint: LATER,
  });
}

/** One file of another server, whole. */
export async function readRemoteFile(
  get: GuardedFetch,
  location: string,
  { signal, bytesMax }: { signal: AbortSignal; bytesMax: number },
): Promise<Uint8Array> {
  const { status, body } = await get(location, { signal, bytesMax }).catch((cause) => {
    signal.throwIfAborted();
    throw unreadable(location, cause);
  });
  if (status !== 200) throw unreadableStatus(location, status);
  return body;
}

/** Whether a status says that this request was understood and is not answered: it says nothing of what is there. */
export function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && ![404, 410, 429].includes(status);
}

/** The error that ends a run because its server says no. */
export function refused(what: string, status: number): AppError {
  return new AppError("forbidden", `${what} could not be read: its server refuses it (${status}).`, {
    hint: "Readers still see what was there before. If it wants a sign-in, name the environment variable that holds a valid one with --authorization.",
  });
}
