import { replaceEnclosed } from "@docent/kernel/text/code-spans";
import { normalizeSource } from "@docent/kernel/text/decode-bytes";
import { type AnchorStyle, placesIn } from "@docent/reading/markdown/anchors";
import { htmlToText } from "@docent/reading/markdown/html-text";
import { readOutline } from "@docent/reading/markdown/md/md";
import { renderHtml } from "@docent/reading/markdown/render/render";
import { type LinkBase, resolveLink } from "../../pages/page-link.ts";

/** A link to a page of the same site. */
export interface InnerLink {
  /** As the page has it. */
  href: string;
  path: string;
  anchor: string;
}

/** A heading as readers see it. */
export interface PageHeading {
  level: number;
  words: string;
  /** In Markdown, without an explicit anchor. */
  source: string;
  /** The words of the headings above it and its own. */
  trail: string[];
  anchor: string;
}

/** What is looked at of a page. */
export interface PageFacts {
  headings: PageHeading[];
  anchors: ReadonlySet<string>;
  links: InnerLink[];
  /** What it calls the images that it shows. */
  images: string[];
  markup: string[];
}

const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;
const LINKS_MAX = 2_000;
/** The reader site's own words, which no page is judged by. */
const WORDS = {
  linkHere: "",
  taskDone: "",
  taskOpen: "",
  callouts: { note: "", tip: "", important: "", warning: "", caution: "" },
};

/** Reads a page as the reader site shows it. */
export function readPageFacts(
  markdown: string,
  { base, anchors }: { base: LinkBase; anchors: AnchorStyle },
): PageFacts {
  const links = new Map<string, InnerLink>();
  const images = new Set<string>();
  const html = renderHtml(markdown, {
    anchors,
    reading: WORDS,
    resolveLink(href) {
      const isLooked = links.size < LINKS_MAX && !href.startsWith("?");
      const target = isLooked ? resolveLink(href, base) : undefined;
      if (target?.kind === "page") links.set(href, { href, path: target.path, anchor: target.anchor });
      return undefined;
    },
    resolveImage(src) {
      if (!ELSEWHERE.test(src)) images.add(src);
      return undefined;
    },
  });
  const { sections } = readOutline(normalizeSource(markdown), anchors);
  return {
    headings: sections
      .filter(({ level }) => level > 0)
      .map(({ level, heading: words, headingSource: source, headingPath: trail, anchor }) => ({
        level,
        words,
        source,
        trail,
        anchor,
      })),
    anchors: new Set([...sections.map(({ anchor }) => anchor), ...placesIn(markdown)]),
    links: [...links.values()],
    images: [...images],
    markup: leftoverMarkup(html),
  };
}

/** Marks of formats and generators, which readers should never see. */
const MARKUP = new RegExp(
  [
    String.raw`\{\{[<%]|\{%[-\s]`,
    String.raw`^(?:<<<|\.\. [\w-]+::|!!! \w|\?\?\?\+? ?["\w]|={3}[+!]? ?["“]|:::)`,
    String.raw`--8<--|\[\[(?:_TOC_|toc)\]\]|\[![A-Z]{3,12}\]`,
    String.raw`(?:^|\s):(?:ref|doc|class|func|meth|mod|term|attr|option|envvar|py:\w{1,20}):`,
    String.raw`</?(?:Tabs?|TabItem|Steps?|Cards?|CardGroup|Accordion|Callout|Note|Tip|Warning|Info|CodeGroup)[\s/>]`,
    String.raw`^import \S.{0,200} from ['"]`,
    String.raw`\]\((?:https?:|\.{0,2}/|#)|\*\*\w[^*\n]{0,200}\*\*`,
  ].join("|"),
  "m",
);
const CODE = /<(pre|code)\b[^<>]*>/;
const LINE_CHARACTERS_MAX = 120;
const LINES_MAX = 20;

/** The lines of a page, as readers see it, that show markup. Code is what it is. */
function leftoverMarkup(html: string): string[] {
  const text = htmlToText(
    replaceEnclosed(
      html,
      CODE,
      ([, name = ""]) => `</${name}>`,
      () => " ",
    ),
  );
  if (!MARKUP.test(text)) return [];
  const lines = text.split("\n").map((line) => line.replace(/\s+/g, " ").trim());
  return lines
    .filter((line) => MARKUP.test(line))
    .slice(0, LINES_MAX)
    .map((line) => (line.length > LINE_CHARACTERS_MAX ? `${line.slice(0, LINE_CHARACTERS_MAX)}…` : line));
}
