import { createGuardedFetch, type GuardedFetch } from "../lib/guarded-fetch/guarded-fetch.ts";
import type { AllowedPlaces } from "./allowed-places.ts";
import { ADDRESS_MS } from "./check-addresses.ts";

interface SiteFetchOptions {
  /** PEM certificates that are trusted besides the usual ones. */
  certificateAuthorities: readonly string[];
}

export type OpenSiteFetch = (siteUrl: string, allowed: AllowedPlaces) => GuardedFetch;

/** Opens what asks whether pages of a site are at their addresses. No credentials are sent. */
export function createOpenSiteFetch({ certificateAuthorities }: SiteFetchOptions): OpenSiteFetch {
  return (siteUrl, { privateHosts }) =>
    createGuardedFetch({
      hosts: [new URL(siteUrl).host],
      privateHosts,
      certificateAuthorities,
      totalMs: ADDRESS_MS,
    });
}
