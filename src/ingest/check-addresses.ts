import { SECOND_MS } from "../lib/clock.ts";
import { FetchFault } from "../lib/guarded-fetch/fetch-fault.ts";
import type { GuardedFetch } from "../lib/guarded-fetch/guarded-fetch.ts";
import { encodePath } from "../pages/page-path.ts";
import { addressBelow } from "../text/site-url.ts";

/** Whether pages are where the site publishes them. */
export interface AddressCheck {
  /** How many addresses were asked for: a sample of all. */
  asked: number;
  answering: number;
  /** Those that did not answer, with why: "404". */
  missing: { address: string; why: string }[];
  /** Why none was asked for; completes "The published addresses were not checked: …". */
  note?: string;
}

const SAMPLE_MAX = 40;
const AT_ONCE = 4;
const CHECK_MS = 60 * SECOND_MS;
/** How long one address has. */
export const ADDRESS_MS = 10 * SECOND_MS;

interface Checking {
  get: GuardedFetch;
  siteUrl: string;
  paths: readonly string[];
  signal: AbortSignal;
}

/** Asks for a sample of a site's pages at their published addresses, and for none once time is up. Never throws. */
export async function checkAddresses(checking: Checking): Promise<AddressCheck> {
  const { get, siteUrl, paths } = checking;
  const signal = AbortSignal.any([checking.signal, AbortSignal.timeout(CHECK_MS)]);
  if (siteUrl.endsWith("/#")) return notChecked("all pages of the site are at one address, behind its #");
  const [first, ...waiting] = sampleOf(paths).map((path) => addressBelow(siteUrl, `/${encodePath(path)}`));
  if (first === undefined) return notChecked("there is no page");
  const found = new Map<string, Fault | undefined>();
  const ask = async (address: string) => {
    const fault = await faultAt(get, address, signal);
    if (!signal.aborted) found.set(address, fault);
  };
  await ask(first);
  // Where nothing can be reached, the next address would not be either.
  const fault = found.get(first);
  if (fault?.isOfNetwork) return notChecked(fault.why);
  const askOn = async () => {
    for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift())
      await ask(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, askOn));
  const missing = [...found].flatMap(([address, fault]) => (fault ? [{ address, why: fault.why }] : []));
  return found.size === 0
    ? notChecked("no address answered in time")
    : { asked: found.size, answering: found.size - missing.length, missing };
}

export const notChecked = (note: string): AddressCheck => ({ asked: 0, answering: 0, missing: [], note });

/** Some of a site's pages, from the first to the last. */
function sampleOf(paths: readonly string[]): string[] {
  const step = Math.max(1, (paths.length - 1) / (SAMPLE_MAX - 1));
  const count = Math.min(SAMPLE_MAX, paths.length);
  return Array.from({ length: count }, (_, index) => paths[Math.round(index * step)] ?? "");
}

/** Why an address does not answer. */
interface Fault {
  why: string;
  /** It says nothing of the address: no address of the site could be asked for. */
  isOfNetwork: boolean;
}

async function faultAt(get: GuardedFetch, address: string, signal: AbortSignal): Promise<Fault | undefined> {
  const ask = async (method: "HEAD" | "GET") =>
    (await get(address, { method, signal, wantsBody: () => false })).status;
  try {
    const status = await ask("HEAD");
    // Some servers know no HEAD, and say so in many ways.
    const last = status >= 400 ? await ask("GET") : status;
    return last < 400 ? undefined : { why: String(last), isOfNetwork: false };
  } catch (error) {
    if (!(error instanceof FetchFault)) return { why: String(error), isOfNetwork: false };
    return { why: error.message, isOfNetwork: ["unreachable", "refused", "tls"].includes(error.kind) };
  }
}
