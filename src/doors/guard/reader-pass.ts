import { type Clock, HOUR_MS } from "@docent/kernel/lib/clock";
import { isSameSecret } from "@docent/kernel/lib/secrets";
import { isShownToAnyone, type Site } from "@docent/sites/site/sites";

/**
 * Lets the built-in reader use the site's assistant where the site lists origins, or wants to know who reads. The reader's
 * pages are sandboxed: browsers call their origin `null`, as they call that of any other sandboxed page, and send no cookie
 * for them. So a pass in the address tells them apart, and names the session of their reader. It says nothing of what they
 * may read, and is worth nothing when the session has ended.
 */
export interface ReaderPasses {
  /** What is put behind the addresses that the reader's widget asks: `pass=…`. */
  query(site: Site, sessionId?: string): string;
  /** Whether a request with that origin and address comes from the reader of the site. */
  isFromReader(site: Site, origin: string | null, url: string): boolean;
  /** The session that such a request is of, which may have ended; undefined for one that names none. */
  sessionIn(site: Site, origin: string | null, url: string): string | undefined;
}

/** As long as somebody may have a page open and go on asking. */
const LIFETIME_MS = 24 * HOUR_MS;
const SANDBOXED = "null";
const PARAMETER = "pass";

export function createReaderPasses({ secret, clock }: { secret: string; clock: Clock }): ReaderPasses {
  const sign = (site: Site, until: number, sessionId: string) =>
    new Bun.CryptoHasher("sha256", secret)
      .update(JSON.stringify(["reader pass", site.id, until, sessionId]))
      .digest("base64url");

  /** The session that a good pass names, empty for none; undefined for what is no pass. */
  function read(site: Site, origin: string | null, url: string): string | undefined {
    if (origin !== SANDBOXED) return undefined;
    const pass = URL.parse(url)?.searchParams.get(PARAMETER) ?? "";
    const [until = "", sessionId = "", signature = ""] = pass.split(".", 3);
    const end = Number(until);
    const isGood =
      Number.isSafeInteger(end) && end > clock() && isSameSecret(signature, sign(site, end, sessionId));
    return isGood ? sessionId : undefined;
  }

  return {
    query(site, sessionId = "") {
      // Whole hours, so that a page is the same when it is read again soon.
      const until = Math.ceil((clock() + LIFETIME_MS) / HOUR_MS) * HOUR_MS;
      return `${PARAMETER}=${until}.${sessionId}.${sign(site, until, sessionId)}`;
    },
    isFromReader(site, origin, url) {
      const sessionId = read(site, origin, url);
      return sessionId !== undefined && (sessionId !== "" || isShownToAnyone(site));
    },
    sessionIn: (site, origin, url) => read(site, origin, url) || undefined,
  };
}
