import { createHighlighter, type TextRange } from "@docent/finding/search/highlight";
import { type Hit, listedHits, type Search } from "@docent/finding/search/search";
import type { SearchLog } from "@docent/measuring/analytics";
import { readerAddress } from "@docent/reading/page/page-path";
import type { Audience } from "@docent/sites/pages/audience";
import type { Site } from "@docent/sites/site/sites";
import { type GuardDeps, unkeyedVisitor } from "../guard/guard.ts";
import { storableText } from "../request/fields.ts";
import type { ReaderAddresses, ReaderChoice } from "./addresses.ts";
import { type Html, html } from "./html.ts";
import { fill, type ReaderLabels } from "./labels.ts";

/** A passage that was found, as lists show it. */
interface ReaderHit {
  title: string;
  /** The headings above it below the page's title. */
  headings: string[];
  content: string;
  /** Where words of the query stand in the content. */
  highlights: TextRange[];
  href: string;
}

/** Searches for readers of a site that need no key. */
export interface ReaderSearch {
  /** Counts to the limits of searches, and raises `rate_limited`. */
  find(asked: ReaderQuery): Promise<ReaderResults>;
}

interface ReaderResults {
  /** Best first. */
  hits: ReaderHit[];
  /** What was searched for in the place of misspelled words; undefined where nothing was corrected. */
  corrected: string | undefined;
}

interface ReaderQuery {
  site: Site;
  /** Who asks: what is not for them is not there. */
  audience: Audience;
  query: string;
  choice: ReaderChoice;
  addresses: ReaderAddresses;
  most: number;
  /** The last word may be unfinished. */
  asYouType: boolean;
  request: Request;
  peer: string | undefined;
}

/** As long a question as the search operation takes. */
const QUERY_CHARACTERS_MAX = 1000;

export function createReaderSearch(
  search: Search,
  guard: Pick<GuardDeps, "limits" | "concurrency" | "meters" | "isProxy">,
  log: Pick<SearchLog, "note">,
): ReaderSearch {
  return {
    async find({ site, audience, query: written, choice, addresses, most, asYouType, request, peer }) {
      const query = storableText(written.slice(0, QUERY_CHARACTERS_MAX)).trim();
      if (query === "") return { hits: [], corrected: undefined };
      const visitor = unkeyedVisitor(guard, request, { site, peer });
      const leave = visitor.enter();
      try {
        await visitor.count("searches");
        const { version, language } = choice;
        const { hits, corrected } = await search.find({
          siteId: site.id,
          audience,
          text: query,
          pageSize: most,
          asYouType,
          order: "navigation",
          filter: { version: version || undefined, language: language || undefined },
        });
        const found = listedHits(hits);
        log.note({ siteId: site.id, asker: `reader ${visitor.address}`, query, results: found.length });
        const highlight = createHighlighter(corrected?.text ?? query, { asYouType });
        return {
          hits: found.map((hit) => toReaderHit(hit, highlight, choice, addresses)),
          corrected: found.length === 0 ? undefined : corrected?.text,
        };
      } finally {
        leave();
      }
    },
  };
}

function toReaderHit(
  hit: Hit,
  highlight: (text: string) => TextRange[],
  choice: ReaderChoice,
  addresses: ReaderAddresses,
): ReaderHit {
  const { path, title, headings, version, language } = hit;
  const [, anchor = ""] = hit.href.split(/(?=#)/);
  const content = withoutHeading(hit.snippet, headings.at(-1) ?? title);
  // What was found is shown in its own version, where nobody asked for one.
  const own = { version: choice.version || version, language: choice.language || language };
  return {
    title,
    content,
    headings: headings[0] === title ? headings.slice(1) : headings,
    highlights: highlight(content),
    href: readerAddress(addresses.page(path, own), anchor),
  };
}

/** A passage's text begins with its heading, which stands above it already. */
function withoutHeading(text: string, heading: string): string {
  const rest = text.startsWith(`${heading} `) ? text.slice(heading.length).trim() : "";
  return rest === "" ? text : rest;
}

/** The page of results, for browsers without scripts and for links to a search. */
export function resultsOf(query: string, { hits, corrected }: ReaderResults, labels: ReaderLabels): Html {
  if (hits.length === 0) return html`<p class="nothing">${fill(labels.noResults, { query })}</p>`;
  const said =
    corrected !== undefined && html`<p class="corrected">${fill(labels.corrected, { query: corrected })}</p>`;
  return html`${said}<p class="count">${fill(labels.results, { count: String(hits.length) })}</p>
    <ol class="results">${hits.map(resultOf)}</ol>`;
}

function resultOf({ title, headings, content, highlights, href }: ReaderHit): Html {
  const trail = headings.length > 0 && html`<span class="trail">${headings.join(" › ")}</span>`;
  return html`<li dir="auto"><a href="${href}">${title}${trail}</a><p>${marked(content, highlights)}</p></li>`;
}

function marked(text: string, ranges: readonly TextRange[]): Html[] {
  let at = 0;
  const parts = ranges.map(([start, end]) => {
    const part = html`${text.slice(at, start)}<mark>${text.slice(start, end)}</mark>`;
    at = end;
    return part;
  });
  return [...parts, html`${text.slice(at)}`];
}
