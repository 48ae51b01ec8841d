import { createGuardedFetch, type GuardedFetch } from "@docent/kernel/lib/guarded-fetch/guarded-fetch";
import type { Seal } from "@docent/kernel/lib/seal/seal";
import type { AllowedPlaces } from "@docent/reading/allowed-places";
import { ADDRESS_MS } from "./check-addresses.ts";

interface SiteFetchOptions {
  /** Refuses all of them where the process is sealed. */
  seal: Seal;
  /** PEM certificates that are trusted besides the usual ones. */
  certificateAuthorities: readonly string[];
}

export type OpenSiteFetch = (siteUrl: string, allowed: AllowedPlaces) => GuardedFetch;

/** Opens what asks whether pages of a site are at their addresses. No credentials are sent. */
export function createOpenSiteFetch({ seal, certificateAuthorities }: SiteFetchOptions): OpenSiteFetch {
  return (siteUrl, { privateHosts }) =>
    createGuardedFetch({
      seal,
      hosts: [new URL(siteUrl).host],
      privateHosts,
      certificateAuthorities,
      totalMs: ADDRESS_MS,
    });
}
