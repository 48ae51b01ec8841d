import type { GuardedFetch } from "../../lib/guarded-fetch/guarded-fetch.ts";
import { unreadable, unreadableStatus } from "./http-fault.ts";

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
