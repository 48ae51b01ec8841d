/*
 * A site's URL ends in `/#` where a script shows all pages at one address, behind its #, and takes headings from a
 * query: https://docs.example.com/#/guide?id=setup. It ends in `/?id=` where only the headings are in a query:
 * https://docs.example.com/guide?id=setup. Docsify makes both. Any other URL has pages below it, and headings behind #.
 */

const FORM = /\/(?:#|\?id=)$/;

/** A site's URL as it is kept; undefined for what is none. */
export function readSiteUrl(written: string): { url: string; host: string } | undefined {
  const parsed = URL.parse(written.trim());
  const form = /(?:#\/?|\?id=)$/.exec(parsed?.href ?? "")?.[0];
  const ending = form === undefined ? "" : form.startsWith("#") ? "/#" : "/?id=";
  const isPlain = ending === "" && parsed?.search === "" && parsed.hash === "";
  const isKnown = ending === "/#" ? parsed?.search === "" : ending !== "" && parsed?.search === "?id=";
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || !(isPlain || isKnown)) return undefined;
  return { url: (parsed.origin + parsed.pathname).replace(/\/+$/, "") + ending, host: parsed.host };
}

/** A site's URL without what says how its pages are addressed: below it are its files. */
export const withoutForm = (siteUrl: string) => siteUrl.replace(FORM, "");

/** The address of what has the address `/guide?x=1#setup` from the site's root. */
export function addressBelow(siteUrl: string, href: string): string {
  const form = FORM.exec(siteUrl)?.[0];
  if (form === undefined) return siteUrl + href;
  const [page = "", heading] = href.split(/#(.*)/s);
  const query = heading === undefined ? "" : `${page.includes("?") ? "&" : "?"}id=${heading}`;
  return (form === "/#" ? siteUrl : withoutForm(siteUrl)) + page + query;
}

/** An address of such a site as that of one with pages below its URL; any other address as it is. */
export function plainAddress(siteUrl: string | undefined, address: string): string {
  const form = FORM.exec(siteUrl ?? "")?.[0];
  if (siteUrl === undefined || form === undefined) return address;
  const root = withoutForm(siteUrl);
  const url = URL.parse(address, `${root}/`);
  if (url === null) return address;
  const isBehind = form === "/#" && url.hash.startsWith("#/");
  const shown = isBehind ? URL.parse(root + url.hash.slice(1)) : url;
  const heading = shown?.searchParams.get("id") ?? "";
  if (shown === null || (!isBehind && heading === "")) return address;
  return shown.origin + shown.pathname + (heading === "" ? "" : `#${encodeURIComponent(heading)}`);
}
