import { asList, asRecord, asText } from "@docent/kernel/text/json";

/** A passage that was found. */
export interface Hit {
  title: string;
  /** The headings above it, below the page's title. */
  headings: string[];
  content: string;
  /** Where words of the query stand in the content. */
  highlights: [number, number][];
  /** Where it leads; undefined where it is not known at which address the docs are. */
  url: string | undefined;
}

/** What a search gives: what was found, and what was searched for where words were misspelled. */
export interface Reply {
  hits: Hit[];
  corrected: string | undefined;
}

/** The hits of one page. */
interface HitGroup {
  title: string;
  hits: Hit[];
}

/** The reply of the search operation, whose links begin at the site's own address. */
export function readOperationReply(reply: unknown, siteUrl: string | undefined): Reply {
  const results = asList(reply).map((each) => {
    const { content, metadata } = asRecord(each);
    return { ...asRecord(metadata), content };
  });
  const toUrl = (href: string) => siteUrl && siteUrl.replace(/\/$/, "") + href.replace(/^\/*/, "/");
  return { hits: hitsIn(results, toUrl), corrected: asText(asRecord(results[0])["corrected"]) };
}

/** The reply of the reader site's own search, whose links are paths of its server. */
export function readReaderReply(reply: unknown, base: string): Reply {
  const { results, corrected } = asRecord(reply);
  const toUrl = (href: string) => (/^\/(?![/\\])/.test(href) ? new URL(href, base).href : undefined);
  return { hits: hitsIn(asList(results), toUrl), corrected: asText(corrected) };
}

/** Reads what is a hit, and passes over the rest. */
function hitsIn(results: readonly unknown[], toUrl: (href: string) => string | undefined): Hit[] {
  return results.flatMap((result) => {
    const { title, headings, content, highlights, href } = asRecord(result);
    if (typeof title !== "string" || typeof content !== "string" || typeof href !== "string") return [];
    const said = asList(headings).filter((each) => typeof each === "string");
    const below = said[0] === title ? said.slice(1) : said;
    const url = toUrl(href);
    const isWeb = url !== undefined && /^https?:$/.test(URL.parse(url)?.protocol ?? "");
    // A passage begins with its heading, which stands above it already.
    const heading = `${below.at(-1) ?? title} `;
    const cut = content.startsWith(heading) && content.length > heading.length ? heading.length : 0;
    const ranges = rangesIn(highlights).flatMap(([start, end]): [number, number][] =>
      start < cut ? [] : [[start - cut, end - cut]],
    );
    return [
      {
        title,
        headings: below,
        content: content.slice(cut),
        highlights: ranges,
        url: isWeb ? url : undefined,
      },
    ];
  });
}

const rangesIn = (said: unknown): [number, number][] =>
  asList(said).flatMap((range) => {
    const [start, end] = asList(range);
    return typeof start === "number" && typeof end === "number" && start < end ? [[start, end]] : [];
  });

/** Hits by their pages, in the order in which those come first. A title may be that of several pages. */
export function groupHits(hits: readonly Hit[]): HitGroup[] {
  const pageOf = ({ url, title }: Hit) => url?.split("#", 1)[0] ?? title;
  return [...Map.groupBy(hits, pageOf).values()].map((group) => ({
    title: group[0]?.title ?? "",
    hits: group,
  }));
}
