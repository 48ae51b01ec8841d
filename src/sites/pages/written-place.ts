import { decodePercent } from "@docent/kernel/text/decode-percent";
import { plainAddress, withoutForm } from "@docent/kernel/text/site-url";

/** A place in a site: the path of a page as it was written, and where in it. */
export interface WrittenPlace {
  path: string;
  /** Empty where the page itself is meant. */
  anchor: string;
}

/** The place that a person means by a path, with an anchor or without, or by an address of the site. */
export function readWrittenPlace(written: string, siteUrl: string | undefined): WrittenPlace {
  const root = withoutForm(siteUrl ?? "");
  const isBelow = (place: string) => root !== "" && `${place}/`.startsWith(`${root}/`);
  const trimmed = written.trim();
  const isAddress = isBelow(trimmed.split(/[?#]/, 1)[0] ?? "");
  const [place = "", anchor = ""] = (isAddress ? plainAddress(siteUrl, trimmed) : trimmed).split("#", 2);
  const below = isBelow(place) ? place.slice(root.length) : place;
  const path = URL.canParse(below) ? new URL(below).pathname : below;
  return { path: decodePercent(path), anchor: decodePercent(anchor) };
}
