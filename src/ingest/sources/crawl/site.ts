import type { Scope } from "../page-address.ts";
import type { PoliteFetch } from "./polite-fetch.ts";
import type { Refusals } from "./refusals.ts";
import type { Robots } from "./robots.ts";

/** A web site as a crawl knows it. */
export interface Site {
  polite: PoliteFetch;
  robots: Robots;
  refusals: Refusals;
  scope: Scope;
  signal: AbortSignal;
  pageBytesMax: number;
}

/** The name that robots.txt and X-Robots-Tag know this crawler by. */
export const AGENT = "docent";

/** Whether robots.txt lets this address be fetched. */
export function isAllowed(robots: Robots, address: string): boolean {
  const { pathname, search } = new URL(address);
  return robots.allows(pathname + search);
}
