import { SECOND_MS } from "@docent/kernel/lib/clock";
import { FetchFault } from "@docent/kernel/lib/guarded-fetch/fetch-fault";
import type { GuardedFetch } from "@docent/kernel/lib/guarded-fetch/guarded-fetch";
import { addressBelow } from "@docent/kernel/text/site-url";
import { encodePath } from "@docent/reading/page/page-path";
import { z } from "zod";

/** Whether pages are where the site publishes them. */
export const addressCheckSchema = z.lazy(() =>
  z.object({
    /** How many addresses were asked for: a sample of all. */
    asked: z.number(),
    answering: z.number(),
    /** Addresses that did not answer, with why: "404". */
    missing: z.array(z.object({ address: z.string(), why: z.string() })),
    /** Why it is not known; completes "The published addresses were not checked: …". */
    note: z.string().optional(),
  }),
);
export type AddressCheck = z.infer<typeof addressCheckSchema>;

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
  const found = new Map<string, Answer>();
  const ask = async (address: string) => {
    const answer = await answerAt(get, address, signal);
    if (!signal.aborted) found.set(address, answer);
  };
  await ask(first);
  // Where nothing can be reached, the next address would not be either.
  const fault = found.get(first)?.fault;
  if (fault?.isOfNetwork) return notChecked(fault.why);
  const impossible = await answerAt(get, impossibleAddress(siteUrl, paths), signal);
  if (answersForAll(impossible)) return notChecked(provesNothing(impossible));
  const askOn = async () => {
    for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift())
      await ask(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, askOn));
  const missing = [...found].flatMap(([address, { fault }]) => (fault ? [{ address, why: fault.why }] : []));
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
  /** Whether the network failed, which says nothing of the address: none of the site could be asked for. */
  isOfNetwork: boolean;
}

/** What came of asking for an address. */
interface Answer {
  address: string;
  /** Where it led to on its host. */
  end: string;
  /** Undefined where it answers. */
  fault: Fault | undefined;
}

async function answerAt(get: GuardedFetch, address: string, signal: AbortSignal): Promise<Answer> {
  const ask = (method: "HEAD" | "GET") => get(address, { method, signal, wantsBody: () => false });
  try {
    const head = await ask("HEAD");
    // Some servers know no HEAD, and say so in many ways.
    const { status, url } = head.status >= 400 ? await ask("GET") : head;
    return {
      address,
      end: url,
      fault: status < 400 ? undefined : { why: whyOf(status), isOfNetwork: false },
    };
  } catch (error) {
    if (!(error instanceof FetchFault))
      return { address, end: address, fault: { why: String(error), isOfNetwork: false } };
    const isOfNetwork = ["unreachable", "refused", "tls"].includes(error.kind);
    return { address, end: address, fault: { why: error.message, isOfNetwork } };
  }
}

const whyOf = (status: number) =>
  status === 401 || status === 403 ? `${status}, as behind a sign-in` : String(status);

/** An address at which no site has a page. */
function impossibleAddress(siteUrl: string, paths: readonly string[]): string {
  const taken = new Set(paths);
  let name = "docent-asks-for-a-page-that-cannot-exist";
  while (taken.has(name)) name += "-";
  return addressBelow(siteUrl, `/${name}`);
}

/** Whether a host answers where there is no page: its answers say nothing of the pages that there are. */
const answersForAll = ({ fault }: Answer) => fault === undefined;

function provesNothing({ address, end }: Answer): string {
  const { pathname } = new URL(end);
  return pathname.replace(/\/$/, "") === new URL(address).pathname
    ? `the host also answers for ${address}, which does not exist, as sites of one page do`
    : `the host leads even ${address}, which does not exist, to ${pathname.slice(0, SHOWN_MAX)}, as a sign-in does`;
}

const SHOWN_MAX = 200;
