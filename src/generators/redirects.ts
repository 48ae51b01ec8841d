import type { PageRedirect } from "../pages/navigation/navigation.ts";
import { encodePath, normalizePath } from "../pages/page-path.ts";
import { decodePercent } from "../text/decode-percent.ts";
import type { DocsSite } from "./docs-site.ts";
import { rewriteLinks, splitHref } from "./writing/writing.ts";

/** As many as are kept: they are read with the menu. */
const REDIRECTS_MAX = 20_000;
/** Redirects that lead to redirects are followed so far. What goes on longer is a loop, or might as well be one. */
const HOPS_MAX = 10;

/** A site whose redirects all lead to its pages, and whose links lead to those too. */
export function withRedirects(site: DocsSite): DocsSite {
  if (site.redirects.length === 0) return site;
  const { redirects, unknowns } = leadingToPages(site);
  const targets = new Map(redirects.map(({ from, to }) => [from, to]));
  const rewrite = (href: string): string | undefined => {
    if (!href.startsWith("/") || href.startsWith("//")) return undefined;
    const { target, rest } = splitHref(href);
    const to = targets.get(normalizePath(target));
    return to === undefined ? undefined : hrefTo(to, rest);
  };
  return {
    ...site,
    redirects,
    unknowns: [...site.unknowns, ...unknowns],
    async read(page) {
      const read = await site.read(page);
      return { ...read, markdown: rewriteLinks(read.markdown, rewrite) };
    },
  };
}

/** The anchor of the link itself is nearer to what its author meant. */
function hrefTo(to: string, rest: string): string {
  const [path = "", anchor] = to.split("#", 2);
  const own = rest.includes("#") ? rest.slice(rest.indexOf("#")) : anchor === undefined ? "" : `#${anchor}`;
  return `/${encodePath(path)}${own}`;
}

/** Those of a site's redirects that end at a page of it, from addresses at which there is none. */
function leadingToPages({ redirects, pages }: DocsSite): {
  redirects: PageRedirect[];
  unknowns: DocsSite["unknowns"];
} {
  const taken = redirects.slice(0, REDIRECTS_MAX);
  const paths = new Map(pages.map(({ path }) => [normalizePath(path), path]));
  const said = new Map<string, Place | undefined>();
  for (const { from, to } of taken) {
    const place = placeOf(from);
    if (place !== undefined) said.set(place.path, placeOf(to));
  }
  const leading = [...said.keys()].flatMap((from): PageRedirect[] => {
    if (paths.has(from)) return [];
    const place = endOf(from, said, paths);
    const path = place === undefined ? undefined : paths.get(place.path);
    return place === undefined || path === undefined ? [] : [{ from, to: path + place.anchor }];
  });
  const question = `Which of its ${redirects.length} redirects are needed?`;
  return {
    redirects: leading,
    unknowns: redirects.length > REDIRECTS_MAX ? [{ question, guess: `the first ${REDIRECTS_MAX}` }] : [],
  };
}

/** A place in a site: a path as `normalizePath` writes it, and an anchor with its `#`, or nothing. */
interface Place {
  path: string;
  anchor: string;
}

/** Undefined where an address is outside of the site. */
function placeOf(written: string): Place | undefined {
  if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(written)) return undefined;
  const [address = ""] = written.split(/[?#]/, 1);
  const mark = written.indexOf("#");
  return { path: normalizePath(decodePercent(address)), anchor: mark < 0 ? "" : written.slice(mark) };
}

function endOf(
  from: string,
  said: ReadonlyMap<string, Place | undefined>,
  paths: ReadonlyMap<string, string>,
): Place | undefined {
  let place = said.get(from);
  for (let hops = 0; place !== undefined && !paths.has(place.path); hops++) {
    const next = hops < HOPS_MAX ? said.get(place.path) : undefined;
    place = next && { path: next.path, anchor: next.anchor || place.anchor };
  }
  return place;
}
