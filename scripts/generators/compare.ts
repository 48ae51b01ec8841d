import type { PublishedEntry, PublishedPage, PublishedSite } from "./published.ts";

/**
 * How many of something differ, with the first ones in words. What Docent says and the generator did not publish is
 * wrong; what was published and Docent does not say is lacking.
 */
export interface Difference {
  what: string;
  count: number;
  wrong: number;
  lacking: number;
  examples: string[];
}

/** Holds what Docent says of a site against what its generator published. */
export function compareSites(ours: PublishedSite, theirs: PublishedSite): Difference[] {
  const byPath = new Map(ours.pages.map((page) => [page.path, page]));
  const pairs = theirs.pages.flatMap((page): [PublishedPage, PublishedPage][] => {
    const own = byPath.get(page.path);
    return own === undefined ? [] : [[own, page]];
  });
  const compareLists = (what: string, of: (page: PublishedPage) => string[]) =>
    differenceOf(
      what,
      pairs.map(([own, page]) => ({ of: page.path, ours: of(own), theirs: of(page) })),
    );
  return [
    differenceOf("addresses", [
      {
        of: "",
        ours: ours.pages.map(({ path }) => path),
        theirs: theirs.pages.map(({ path }) => path),
      },
    ]),
    compareLists("titles", ({ title }) => [title]),
    compareLists("heading ids", ({ headings }) => headings.map(({ id }) => id)),
    compareLists("links", ({ links }) => links),
    differenceOf(
      "places that links lead to",
      pairs.map(([own, { path, places = [] }]) => ({
        of: path,
        ours: places.filter((id) => own.places?.includes(id)),
        theirs: places,
      })),
    ),
    differenceOf("menu places", [{ of: "", ours: placesIn(ours.menu), theirs: placesIn(theirs.menu) }]),
  ];
}

/** What a generator published, with links that it redirects as what they lead to: Docent writes those. */
export function withLinksFollowed(
  site: PublishedSite,
  redirects: readonly { from: string; to: string }[],
): PublishedSite {
  const targets = new Map(redirects.map(({ from, to }) => [from, to.split("#", 1)[0] ?? to]));
  const follow = (link: string) => {
    const [path = "", ...anchor] = link.split(/(?=#)/);
    return [targets.get(path) ?? path, ...anchor].join("");
  };
  const pages = site.pages.map((page) => ({ ...page, links: [...new Set(page.links.map(follow))].sort() }));
  return { ...site, pages };
}

/** Each entry with the labels above it, and the one before it, so that order counts. */
function placesIn(entries: readonly PublishedEntry[], above = ""): string[] {
  return entries.flatMap((entry, index) => {
    const place = `${above} › ${entry.label}`;
    const before = entries[index - 1]?.label ?? "the beginning";
    return [`${place} → ${entry.path ?? ""} (after ${before})`, ...placesIn(entry.children, place)];
  });
}

const EXAMPLES = 40;

function differenceOf(
  what: string,
  lists: { of: string; ours: readonly string[]; theirs: readonly string[] }[],
): Difference {
  let count = 0;
  let wrong = 0;
  let lacking = 0;
  const examples: string[] = [];
  for (const { of, ours, theirs } of lists) {
    const missing = without(theirs, ours);
    const extra = without(ours, theirs);
    count += theirs.length;
    wrong += extra.length;
    lacking += Math.max(0, missing.length - extra.length);
    for (let index = 0; index < Math.max(missing.length, extra.length); index++)
      examples.push(`${of}: ${missing[index] ?? "(nothing)"}, and not ${extra[index] ?? "(nothing)"}`);
  }
  return { what, count, wrong, lacking, examples: examples.slice(0, EXAMPLES) };
}

/** The elements of a list that another does not have as often. */
function without(list: readonly string[], other: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const each of other) left.set(each, (left.get(each) ?? 0) + 1);
  return list.filter((each) => {
    const count = left.get(each) ?? 0;
    left.set(each, count - 1);
    return count <= 0;
  });
}
