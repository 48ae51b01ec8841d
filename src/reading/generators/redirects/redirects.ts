import { decodePercent } from "@docent/kernel/text/decode-percent";
import { encodePath, normalizePath } from "../../page/page-path.ts";
import type { PageRedirect } from "../../page/redirects.ts";
import { askOfPatterns } from "../config/config.ts";
import type { DocsSite, Unknown } from "../docs-site.ts";
import { rewriteLinks, splitHref } from "../writing/writing.ts";
import {
  fillPieces,
  firstWords,
  isPattern,
  matchPieces,
  type RedirectPattern,
  readPattern,
} from "./patterns.ts";

export { hostRedirects, sourceRedirects } from "./host-files.ts";

/** As many as are kept: they are read with the menu. */
const REDIRECTS_MAX = 20_000;
/** As many stand for many addresses each. */
const PATTERNS_MAX = 1_000;
/** Redirects that lead to redirects are followed so far. What goes on longer is a loop, or might as well be one. */
const HOPS_MAX = 10;

/** A site whose redirects all lead to its pages, and whose links lead to those too. */
export function withRedirects(site: DocsSite): DocsSite {
  if (site.redirects.length === 0) return site;
  const rules = readRules(site);
  const redirects = leadingToPages(rules);
  const targets = new Map(redirects.map(({ from, to }) => [from, to]));
  const targetOf = (path: string) =>
    targets.get(path) ?? (rules.paths.has(path) ? undefined : endAt(rules, path));
  const rewrite = (href: string): string | undefined => {
    if (!href.startsWith("/") || href.startsWith("//")) return undefined;
    const { target, rest } = splitHref(href);
    const to = targetOf(normalizePath(target));
    return to === undefined ? undefined : hrefTo(to, rest);
  };
  return {
    ...site,
    redirects,
    unknowns: [...site.unknowns, ...rules.unknowns],
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

/** The redirects of a site, as they are looked up. */
interface Rules {
  /** The paths of its pages as they are written, by what `normalizePath` makes of them. */
  paths: ReadonlyMap<string, string>;
  /** Where single addresses lead; undefined: out of the site. Of several redirects of one address, the first counts. */
  said: ReadonlyMap<string, Place | undefined>;
  patterns: readonly RedirectPattern[];
  /** Patterns whose addresses may begin with some words, in their order. */
  patternsAt(words: string): readonly RedirectPattern[];
  unknowns: Unknown[];
}

function readRules({ redirects, pages }: DocsSite): Rules {
  const taken = redirects.slice(0, REDIRECTS_MAX);
  const said = new Map<string, Place | undefined>();
  const patterns: RedirectPattern[] = [];
  const refused: string[] = [];
  for (const { from, to } of taken) {
    if (isPattern(from)) {
      const pattern = patterns.length < PATTERNS_MAX ? readPattern(from, to) : undefined;
      if (pattern === undefined) refused.push(from);
      else patterns.push(pattern);
      continue;
    }
    const place = placeOf(from);
    if (place !== undefined && !said.has(place.path)) said.set(place.path, placeOf(to));
  }
  const question = `Which of its ${redirects.length} redirects are needed?`;
  const tooMany = { question, guess: `the first ${REDIRECTS_MAX}` };
  return {
    paths: new Map(pages.map(({ path }) => [normalizePath(path), path])),
    said,
    patterns,
    patternsAt: byFirstWords(patterns),
    unknowns: [...(redirects.length > REDIRECTS_MAX ? [tooMany] : []), ...askOfPatterns(refused)],
  };
}

/** Finds patterns by the first words of an address: few of many are tried. */
function byFirstWords(patterns: readonly RedirectPattern[]): Rules["patternsAt"] {
  const beginnings = patterns.map(({ from }) => firstWords(from));
  const open = patterns.filter((_, index) => beginnings[index] === undefined);
  const found = new Map(
    [...new Set(beginnings)].map((words) => [
      words,
      patterns.filter((_, index) => beginnings[index] === words || beginnings[index] === undefined),
    ]),
  );
  return (words) => found.get(words) ?? open;
}

/** Keeps the redirects of a site that end at a page of it, from addresses at which there is none. */
function leadingToPages(rules: Rules): PageRedirect[] {
  const leading = [...rules.said.keys()].flatMap((from): PageRedirect[] => {
    const to = rules.paths.has(from) ? undefined : endAt(rules, from);
    return to === undefined ? [] : [{ from, to }];
  });
  const known = new Set(leading.map(({ from }) => from));
  for (const { from, to } of oldAddresses(rules)) {
    if (leading.length >= REDIRECTS_MAX) break;
    if (known.has(from)) continue;
    known.add(from);
    leading.push({ from, to });
  }
  return leading;
}

/** The addresses from which patterns lead to the pages that there are: found from where they lead to. */
function* oldAddresses(rules: Rules): Generator<PageRedirect> {
  const below = Map.groupBy(rules.paths.keys(), (path) => path.split("/", 1)[0] ?? "");
  for (const { from, to } of rules.patterns) {
    if (to === undefined) continue;
    const words = firstWords(to);
    for (const path of words === undefined ? rules.paths.keys() : (below.get(words) ?? [])) {
      const values = matchPieces(to, path);
      const old = values && fillPieces(from, values);
      if (old === undefined || rules.paths.has(old) || rules.said.has(old)) continue;
      const end = endAt(rules, old);
      if (end !== undefined) yield { from: old, to: end };
    }
  }
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

/** The page at the end of redirects from a path, with its anchor. */
function endAt(rules: Rules, from: string): string | undefined {
  let place = nextOf(rules, from);
  for (let hops = 0; place !== undefined && !rules.paths.has(place.path); hops++) {
    const next: Place | undefined = hops < HOPS_MAX ? nextOf(rules, place.path) : undefined;
    place = next && { path: next.path, anchor: next.anchor || place.anchor };
  }
  const path = place && rules.paths.get(place.path);
  return place === undefined || path === undefined ? undefined : path + place.anchor;
}

/** Where a path leads in one step: by a redirect of its own, or by the first pattern that it is one of. */
function nextOf({ said, patternsAt }: Rules, path: string): Place | undefined {
  if (said.has(path)) return said.get(path);
  for (const { from, to, anchor } of patternsAt(path.split("/", 1)[0] ?? "")) {
    const values = matchPieces(from, path);
    if (values === undefined) continue;
    const target = to && fillPieces(to, values);
    return target === undefined ? undefined : { path: normalizePath(target), anchor };
  }
  return undefined;
}
