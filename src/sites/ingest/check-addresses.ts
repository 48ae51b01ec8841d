import { SECOND_MS } from "@docent/kernel/lib/clock";
import { FetchFault } from "@docent/kernel/lib/guarded-fetch/fetch-fault";
import type { GuardedFetch, ResponseHead } from "@docent/kernel/lib/guarded-fetch/guarded-fetch";
import { addressBelow } from "@docent/kernel/text/site-url";
import { encodePath } from "@docent/reading/page/page-path";
import { z } from "zod";
import type { CitedPage } from "./cited-page.ts";
import { placesOn } from "./places-on.ts";

/** Whether pages are where the site publishes them. */
export const addressCheckSchema = z.lazy(() =>
  z.object({
    /** How many addresses were asked for: a sample of all. */
    asked: z.number(),
    answering: z.number(),
    /** Addresses that did not answer, with why: "404". */
    missing: z.array(z.object({ address: z.string(), why: z.string() })),
    /** Of the places on those pages that citations lead to, how many are there. */
    anchors: z.object({ asked: z.number(), there: z.number(), missing: z.array(z.string()) }).optional(),
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
  /** What citations of a page lead to, where that is known: its places are looked for as well. */
  cited?: (path: string) => Promise<CitedPage | undefined>;
  signal: AbortSignal;
}

/** Asks for a sample of a site's pages at their published addresses, and for none once time is up. Never throws. */
export async function checkAddresses(checking: Checking): Promise<AddressCheck> {
  const { get, siteUrl, paths } = checking;
  const signal = AbortSignal.any([checking.signal, AbortSignal.timeout(CHECK_MS)]);
  if (siteUrl.endsWith("/#")) return notChecked("all pages of the site are at one address, behind its #");
  const sample = sampleOf(paths);
  const found = new Map<string, Answer>();
  const ask = async (path: string): Promise<string> => {
    const page = await checking.cited?.(path);
    const address = addressBelow(siteUrl, page?.href ?? `/${encodePath(path)}`);
    // Headings in a query are none of a page's ids.
    const anchors = siteUrl.endsWith("/?id=") ? [] : (page?.anchors ?? []);
    const answer = await answerAt(get, address, { signal, anchors });
    if (!signal.aborted) found.set(address, answer);
    return address;
  };
  const [start, ...waiting] = sample;
  if (start === undefined) return notChecked("there is no page");
  const first = await ask(start);
  // Where nothing can be reached, the next address would not be either.
  const fault = found.get(first)?.fault;
  if (fault?.isOfNetwork) return notChecked(fault.why);
  const impossible = await answerAt(get, impossibleAddress(siteUrl, paths), { signal });
  if (answersForAll(impossible)) return notChecked(provesNothing(impossible));
  const askOn = async () => {
    for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift())
      await ask(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, askOn));
  const missing = [...found].flatMap(([address, { fault }]) => (fault ? [{ address, why: fault.why }] : []));
  return found.size === 0
    ? notChecked("no address answered in time")
    : { asked: found.size, answering: found.size - missing.length, missing, ...anchorsIn(found) };
}

const MISSING_ANCHORS_MAX = 20;

/** Of the places that were looked for, how many are there; nothing where none was. */
function anchorsIn(found: ReadonlyMap<string, Answer>): Pick<AddressCheck, "anchors"> {
  const looked = [...found].flatMap(([address, { places }]) =>
    [...places].map(([anchor, isThere]) => ({ address: `${address}#${anchor}`, isThere })),
  );
  if (looked.length === 0) return {};
  const missing = looked.flatMap(({ address, isThere }) => (isThere ? [] : [address]));
  const there = looked.length - missing.length;
  return { anchors: { asked: looked.length, there, missing: missing.slice(0, MISSING_ANCHORS_MAX) } };
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
  /** The places that were looked for on it, and whether they are there. */
  places: ReadonlyMap<string, boolean>;
}

/** Larger pages are not looked into. */
const PAGE_BYTES_MAX = 5_000_000;
const NOWHERE: ReadonlyMap<string, boolean> = new Map();

async function answerAt(
  get: GuardedFetch,
  address: string,
  { signal, anchors = [] }: { signal: AbortSignal; anchors?: readonly string[] },
): Promise<Answer> {
  const isPage = ({ status, headers }: ResponseHead) =>
    anchors.length > 0 && status < 400 && /html/i.test(headers.get("content-type") ?? "");
  const ask = (method: "HEAD" | "GET") =>
    get(address, { method, signal, wantsBody: isPage, bytesMax: PAGE_BYTES_MAX });
  const failed = (fault: Fault) => ({ address, end: address, fault, places: NOWHERE });
  try {
    const head = await ask(anchors.length > 0 ? "GET" : "HEAD");
    // Some servers know no HEAD, and say so in many ways.
    const response = head.status >= 400 ? await ask("GET") : head;
    const { status, url, body } = response;
    const fault = status < 400 ? undefined : { why: whyOf(status), isOfNetwork: false };
    return { address, end: url, fault, places: isPage(response) ? placesOn(body, anchors) : NOWHERE };
  } catch (error) {
    if (!(error instanceof FetchFault)) return failed({ why: String(error), isOfNetwork: false });
    if (error.kind === "too_large") return { ...failed({ why: "", isOfNetwork: false }), fault: undefined };
    const isOfNetwork = ["unreachable", "refused", "tls"].includes(error.kind);
    return failed({ why: error.message, isOfNetwork });
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
