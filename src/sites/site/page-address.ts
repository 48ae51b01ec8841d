import { decodePercent } from "@docent/kernel/text/decode-percent";
import { plainAddress } from "@docent/kernel/text/site-url";
import { pathInAddress } from "@docent/reading/page/page-path";
import type { Site } from "./sites.ts";

/** The page that an address means, as its path below the site's url, or in Docent's own reader. */
export function pathWithin({ url, domain }: Pick<Site, "url" | "domain">, address: string): string {
  const pathname = URL.parse(plainAddress(url, address), url ?? "http://site.invalid")?.pathname ?? "";
  const [, inReader] = pathname.split(`/sites/${domain}/`, 2);
  if (inReader !== undefined) return decodePercent(pathInAddress(inReader));
  const base = url === undefined ? "" : new URL(url).pathname.replace(/\/$/, "");
  const below = base !== "" && pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : pathname;
  return decodePercent(pathInAddress(below));
}
