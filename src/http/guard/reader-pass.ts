import { type Clock, HOUR_MS } from "../../lib/clock.ts";
import { isSameSecret } from "../../lib/secrets.ts";
import type { Site } from "../../sites/sites.ts";

/**
 * Lets the built-in reader use the site's assistant where the site lists origins. The reader's pages are sandboxed:
 * browsers call their origin `null`, as they call that of any other sandboxed page, so a pass in the address tells them
 * apart.
 */
export interface ReaderPasses {
  /** What is put behind the addresses that the reader's widget asks: `pass=…`. */
  query(site: Site): string;
  /** Whether a request with that origin and address comes from the reader of the site. */
  isFromReader(site: Site, origin: string | null, url: string): boolean;
}

/** As long as somebody may have a page open and go on asking. */
const LIFETIME_MS = 24 * HOUR_MS;
const SANDBOXED = "null";
const PARAMETER = "pass";

export function createReaderPasses({ secret, clock }: { secret: string; clock: Clock }): ReaderPasses {
  const sign = (site: Site, until: number) =>
    new Bun.CryptoHasher("sha256", secret)
      .update(JSON.stringify(["reader pass", site.id, until]))
      .digest("base64url");

  return {
    query(site) {
      // Whole hours, so that a page is the same when it is read again soon.
      const until = Math.ceil((clock() + LIFETIME_MS) / HOUR_MS) * HOUR_MS;
      return `${PARAMETER}=${until}.${sign(site, until)}`;
    },
    isFromReader(site, origin, url) {
      if (origin !== SANDBOXED || !site.settings.public) return false;
      const [until = "", signature = ""] = (URL.parse(url)?.searchParams.get(PARAMETER) ?? "").split(".", 2);
      const end = Number(until);
      return Number.isSafeInteger(end) && end > clock() && isSameSecret(signature, sign(site, end));
    },
  };
}
