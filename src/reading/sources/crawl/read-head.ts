import { decodeEntities } from "../../markdown/html-text.ts";

/** What a crawl needs to know of an HTML page. */
interface PageHead {
  noindex: boolean;
  nofollow: boolean;
  /** The address that the page says is its own. */
  canonical?: string;
  /** The address that the page redirects to. */
  refresh?: string;
  /** Where the page's links lead, absolute, each once, in order. */
  links: string[];
  /** The same page as Markdown. */
  markdownTwin?: string;
}

const ROBOTS_NAMES = ["robots", "docent"];

/** Reads the head and the links of an HTML page. Never throws. */
export function readHead(html: string, url: string): PageHead {
  const head: PageHead = { noindex: false, nofollow: false, links: [] };
  const links = new Set<string>();
  let base: string | undefined;
  const absolute = (href: string | null): string | undefined => {
    const target = decodeEntities(href ?? "").trim();
    const from = base ?? url;
    return target !== "" && URL.canParse(target, from) ? new URL(target, from).href : undefined;
  };
  const rewriter = new HTMLRewriter()
    .on("base[href]", {
      element(element) {
        base ??= absolute(element.getAttribute("href"));
      },
    })
    .on("meta[name][content]", {
      element(element) {
        if (!ROBOTS_NAMES.includes((element.getAttribute("name") ?? "").trim().toLowerCase())) return;
        const { noindex, nofollow } = readDirectives(element.getAttribute("content") ?? "");
        head.noindex ||= noindex;
        head.nofollow ||= nofollow;
      },
    })
    .on("meta[http-equiv][content]", {
      element(element) {
        if ((element.getAttribute("http-equiv") ?? "").trim().toLowerCase() !== "refresh") return;
        const target = absolute(refreshTarget(element.getAttribute("content") ?? ""));
        if (target !== undefined) head.refresh ??= target;
      },
    })
    .on("link[rel][href]", {
      element(element) {
        const rel = words(element.getAttribute("rel"));
        const target = absolute(element.getAttribute("href"));
        if (target === undefined) return;
        if (rel.includes("canonical")) head.canonical ??= target;
        const type = (element.getAttribute("type") ?? "").trim().toLowerCase();
        if (rel.includes("alternate") && type === "text/markdown") head.markdownTwin ??= target;
      },
    })
    .on("a[href]", {
      element(element) {
        if (words(element.getAttribute("rel")).includes("nofollow")) return;
        const target = absolute(element.getAttribute("href"));
        if (target !== undefined) links.add(target);
      },
    });
  try {
    rewriter.transform(html);
  } catch {
    // Markup that the parser gives up on: what was found so far is what there is.
  }
  head.links = [...links];
  return head;
}

/** Reads `noindex, nofollow` and the like; `none` is both. */
export function readDirectives(text: string): { noindex: boolean; nofollow: boolean } {
  const directives = text.toLowerCase().split(/[\s,]+/);
  const has = (name: string) => directives.includes(name) || directives.includes("none");
  return { noindex: has("noindex"), nofollow: has("nofollow") };
}

const REFRESH = /^\s*(\d{1,5})[\d.]*\s*[;,]\s*(?:url\s*=\s*)?['"]?([^'"]+)/i;
/** A page that redirects later than this is a page of its own. */
const REFRESH_SECONDS_MAX = 10;

/** The target of `0; url=/new`. */
function refreshTarget(content: string): string | null {
  const [, seconds, target = null] = REFRESH.exec(decodeEntities(content)) ?? [];
  return Number(seconds) <= REFRESH_SECONDS_MAX ? target : null;
}

const words = (text: string | null) => (text ?? "").toLowerCase().split(/\s+/);
