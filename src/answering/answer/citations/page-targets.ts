import { decodePercent } from "@docent/kernel/text/decode-percent";
import { fragmentOf, normalizePath } from "@docent/reading/page/page-path";

/** A passage that may be cited. */
export interface Citable {
  number: number;
  /** Where a citation leads: its page, at its heading. */
  url: string;
  /** Its page's path, relative to the site's root. */
  path: string;
}

/** The page of a retrieved passage, as a link's target. */
interface PageTarget {
  number: number;
  url: string;
}

interface Place extends Citable {
  host: string;
  /** The path of the page's address, in canonical form. */
  route: string;
  anchor: string;
}

const NOWHERE = "http://site.invalid/";

/** Finds the page that a link leads to. The docs know the headings of their pages; a model may invent one. */
export type FindPage = (written: string, isOfDocs: boolean) => PageTarget | undefined;

/**
 * Decides whether a link leads to a passage's page, however the docs or a model write it: absolute, from the
 * site's root, or relative to a retrieved page's file. Returns the passage's own address, so that nothing of
 * the written one remains but the heading that the docs name.
 */
export function createPageTargets(passages: Citable[]): FindPage {
  const places = passages.flatMap(toPlace);
  return (written, isOfDocs) => {
    const target = written.trim();
    if (target === "" || target.startsWith("#")) return undefined;
    const exact = places.find(({ url }) => url === target);
    if (exact) return { number: exact.number, url: exact.url };
    const url = URL.parse(target);
    if (url !== null && !/^https?:$/.test(url.protocol)) return undefined;
    const anchor = decodePercent(/#(.*)$/.exec(target)?.[1] ?? "");
    const pages = url === null ? below(target, places) : places.filter((place) => isPage(url, place));
    const [first] = pages;
    if (first === undefined) return undefined;
    const named = pages.find((place) => place.anchor === anchor);
    if (named) return { number: named.number, url: named.url };
    const page = first.url.replace(/#.*$/, "");
    // The heading of no retrieved passage may not exist, but the page does.
    if (!isOfDocs || anchor === "") return { number: first.number, url: page };
    return { number: first.number, url: page + fragmentOf(anchor) };
  };
}

function toPlace(passage: Citable): Place[] {
  const url = URL.parse(passage.url, NOWHERE);
  if (url === null) return [];
  return [{ ...passage, host: url.host, route: routeOf(url), anchor: decodePercent(url.hash.slice(1)) }];
}

function isPage(url: URL, { host, route }: Place): boolean {
  return url.username === "" && url.password === "" && url.host === host && routeOf(url) === route;
}

/** The pages that a link without a host may mean: it may be relative to any of them or to the root. */
function below(target: string, places: Place[]): Place[] {
  if (/^(?:[a-z][a-z0-9+.-]*:|[\\/]{2})/i.test(target)) return [];
  return places.filter(({ path, route }) =>
    ["", ...places.map((each) => each.path)].some((base) => {
      const url = URL.parse(target, NOWHERE + base);
      if (url === null || url.origin !== new URL(NOWHERE).origin) return false;
      const found = routeOf(url);
      return found !== "" && (found === normalizePath(path) || (target.startsWith("/") && found === route));
    }),
  );
}

const routeOf = ({ pathname }: URL) => normalizePath(decodePercent(pathname));
