import { timingSafeEqual } from "node:crypto";
import type { Clock } from "../lib/clock.ts";
import type { Site } from "../sites/sites.ts";

interface ReaderLinkOptions {
  secret: string;
  lifetimeMs: number;
  clock: Clock;
}

/** Makes and checks the signatures that open one page of a site whose content is not public. */
export interface ReaderLinks {
  /**
   * The query that opens this page, or nothing for a public site. A link from one page to another ends when the
   * first one's does (`until`), so that one link does not open a site for ever.
   */
  query(site: Site, path: string, until?: number): string;
  allows(site: Site, path: string, query: URLSearchParams): boolean;
}

export function createReaderLinks({ secret, lifetimeMs, clock }: ReaderLinkOptions): ReaderLinks {
  const sign = (site: Site, path: string, until: number) =>
    new Bun.CryptoHasher("sha256", secret).update(`${site.id}\n${path}\n${until}`).digest("base64url");

  /** Rounded up, so that a page has the same address for a while, and browsers know it again. */
  const freshUntil = () => Math.ceil((clock() + lifetimeMs) / (lifetimeMs / 8)) * (lifetimeMs / 8);

  return {
    query(site, path, until = freshUntil()) {
      if (site.settings.public) return "";
      return `?until=${until}&signature=${sign(site, path, until)}`;
    },
    allows(site, path, query) {
      if (site.settings.public) return true;
      const until = Number(query.get("until"));
      if (!Number.isSafeInteger(until) || until < clock()) return false;
      return safeEqual(query.get("signature") ?? "", sign(site, path, until));
    },
  };
}

/** Takes the same time whatever differs. */
function safeEqual(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
