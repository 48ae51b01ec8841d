import type { Config } from "@docent/kernel/config/settings";
import { AppError } from "@docent/kernel/errors";
import { readCertificateAuthorities } from "@docent/kernel/lib/certificate-authorities";
import { SECOND_MS } from "@docent/kernel/lib/clock";
import { createGuardedFetch } from "@docent/kernel/lib/guarded-fetch/guarded-fetch";
import type { Seal } from "@docent/kernel/lib/seal/seal";
import type { ReadKeySet } from "@docent/people/readers/readers";

/** As long as a reader waits for an answer that has not begun. */
const FETCH_MS = 5 * SECOND_MS;

/**
 * Reads the public keys of a site. The operator has named the address, so that it may be a private one; it leads nowhere
 * else.
 */
export function fetchKeySets(config: Pick<Config, "certificate_authorities">, seal: Seal): ReadKeySet {
  const certificateAuthorities = readCertificateAuthorities(config);
  return async (address, bytesMax) => {
    const url = new URL(address);
    const get = createGuardedFetch({
      seal,
      hosts: [url.host],
      privateHosts: [url.hostname.replace(/^\[|\]$/g, "")],
      certificateAuthorities,
      totalMs: FETCH_MS,
      bytesMax,
    });
    const { status, body } = await get(address, { signal: AbortSignal.timeout(FETCH_MS) });
    if (status !== 200) throw new AppError("unavailable", `${url.host} answers with the status ${status}.`);
    return body;
  };
}
