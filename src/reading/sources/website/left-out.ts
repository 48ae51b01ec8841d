import type { Skipped } from "../../source-reader.ts";
import { type PageAddress, type SourceScope, scopeName } from "../page-address.ts";

/** How many addresses are named one by one that sitemaps list and that are left out for one reason. */
const NAMES_MAX = 100;
const FOUND = "sitemap";

/** What is left out of what sitemaps list. */
export interface LeftOut {
  readonly duplicates: Skipped[];
  /** Another address of a page that is listed already. */
  noteDuplicate(address: PageAddress, listed: PageAddress, sitemap: string): void;
  /** What is said of the addresses of one sitemap that are no pages of the site. */
  outside(addresses: readonly string[], sitemap: string, isAll: boolean): Skipped[];
}

export function createLeftOut(scope: SourceScope): LeftOut {
  const named = new Set<string>();
  const duplicates = new Map<string, Skipped>();
  let areMore = false;
  return {
    get duplicates() {
      return [...duplicates.values()];
    },

    noteDuplicate(address, listed, sitemap) {
      const { url: location } = address;
      if (location === listed.url || duplicates.has(location) || areMore) return;
      areMore = duplicates.size >= NAMES_MAX;
      const reason = "duplicate";
      if (areMore) {
        const detail = `lists more than ${NAMES_MAX} pages by several addresses: the others are not named here`;
        duplicates.set(sitemap, { location: sitemap, found: FOUND, reason, detail });
      } else {
        const detail = `has the same path as ${listed.url}`;
        duplicates.set(location, { location, found: FOUND, reason, detail });
      }
    },

    outside(addresses, sitemap, isAll) {
      const summary = (detail: string): Skipped => ({
        location: sitemap,
        found: FOUND,
        reason: "outside",
        detail,
      });
      if (addresses.length === 0) return [];
      const where = scopeName(scope);
      if (isAll) return [summary(`lists ${addresses.length} pages, none of them below ${where}`)];
      const fresh = [...new Set(addresses.map((href) => locationOf(href, sitemap)))].filter(
        (location) => !named.has(location),
      );
      const rows = fresh.slice(0, NAMES_MAX - named.size);
      for (const location of rows) named.add(location);
      const more = fresh.length - rows.length;
      return [
        ...rows.map((location) => row(location, scope)),
        ...(more > 0 ? [summary(`lists ${more} more addresses that are no pages below ${where}`)] : []),
      ];
    },
  };
}

const LOCATION_CHARACTERS_MAX = 2000;

function locationOf(href: string, sitemap: string): string {
  const location = URL.canParse(href, sitemap) ? new URL(href, sitemap).href : href;
  return location.slice(0, LOCATION_CHARACTERS_MAX);
}

function row(location: string, scope: SourceScope): Skipped {
  const where = scopeName(scope);
  // What is below it all the same is too long, or one folder comes in it again and again.
  return location.startsWith(where)
    ? { location, found: FOUND, reason: "refused", detail: "is too long or repeats itself" }
    : { location, found: FOUND, reason: "outside", detail: `is not below ${where}` };
}
