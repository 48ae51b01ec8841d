import { attribute, collapse, type HtmlElement, textOf, walkNodes } from "./dom.ts";

/** The metadata in a page's `<head>`, and its links. */
export interface Metadata {
  /** The `<title>`, without the site's name where the page shows which part that is. */
  title?: string;
  /** The `<title>` as it is. */
  headTitle: string;
  description?: string;
  language?: string;
  canonical?: string;
  /** The address of the same page as Markdown. */
  markdownTwin?: string;
  /** The address to which the page redirects its readers at once. */
  redirect?: string;
  noindex: boolean;
  nofollow: boolean;
  tags: string[];
  version?: string;
  /** The targets of all links, navigation included, distinct and in order. */
  links: string[];
}

interface Heard {
  title?: string;
  metas: Map<string, string>;
  tags: string[];
  robots: Set<string>;
  links: Map<string, string>;
  anchors: string[];
  base?: string;
}

const ROBOTS = new Set(["robots", "googlebot", "docent"]);
const MAX_TAGS = 50;

/** Reads a page's `<head>` and all its links. */
export function readMetadata(root: HtmlElement, url: string | undefined): Metadata {
  const heard = listen(root);
  const { metas } = heard;
  const read = createTargetReader(heard.base, url);
  const title = titleOf(heard);
  const description = descriptionOf(heard);
  const language = attribute(root, "lang") ?? metas.get("docsearch:language");
  const redirect = refreshTarget(metas.get("refresh"));
  const version = metas.get("docsearch:version");
  const canonical = heard.links.get("canonical");
  const twin = heard.links.get("markdown");
  return {
    ...(title ? { title } : {}),
    headTitle: heard.title ?? "",
    ...(description ? { description } : {}),
    ...(language?.trim() ? { language: language.trim() } : {}),
    ...(canonical ? { canonical: read(canonical) } : {}),
    ...(twin ? { markdownTwin: read(twin) } : {}),
    ...(redirect ? { redirect: read(redirect) } : {}),
    ...(version && !version.includes(",") ? { version } : {}),
    noindex: heard.robots.has("noindex") || heard.robots.has("none"),
    nofollow: heard.robots.has("nofollow") || heard.robots.has("none"),
    tags: [...new Set(heard.tags)].slice(0, MAX_TAGS),
    links: [...new Set(heard.anchors.map(read))],
  };
}

function listen(root: HtmlElement): Heard {
  const heard: Heard = { metas: new Map(), tags: [], robots: new Set(), links: new Map(), anchors: [] };
  walkNodes([root], {
    enter(element) {
      switch (element.tagName) {
        case "title":
          heard.title ??= textOf(element);
          return false;
        case "meta":
          hearMeta(element, heard);
          return false;
        case "link":
          hearLink(element, heard);
          return false;
        case "base":
          heard.base ??= attribute(element, "href")?.trim() ?? "";
          return false;
        case "a":
        case "area": {
          const href = attribute(element, "href")?.trim();
          if (href && !/^(?:javascript|data|vbscript):/i.test(href)) heard.anchors.push(href);
          return true;
        }
        // The title of an SVG drawing is not the page's.
        default:
          return element.tagName !== "svg" && element.tagName !== "script";
      }
    },
  });
  if (heard.base === "") delete heard.base;
  return heard;
}

function hearMeta(element: HtmlElement, heard: Heard): void {
  const name = ["name", "property", "http-equiv"].map((each) => attribute(element, each)).find(Boolean);
  const content = collapse(attribute(element, "content") ?? "");
  const key = name?.trim().toLowerCase();
  if (key === undefined || content === "") return;
  if (ROBOTS.has(key)) for (const word of content.toLowerCase().split(/[\s,]+/)) heard.robots.add(word);
  if (key === "keywords")
    heard.tags.push(
      ...content
        .split(",")
        .slice(0, MAX_TAGS)
        .map((tag) => tag.trim())
        .filter(Boolean),
    );
  if (key === "article:tag" && heard.tags.length < MAX_TAGS) heard.tags.push(content);
  if (!heard.metas.has(key)) heard.metas.set(key, content);
}

function hearLink(element: HtmlElement, heard: Heard): void {
  const href = attribute(element, "href")?.trim();
  if (!href) return;
  const rel = (attribute(element, "rel") ?? "").toLowerCase().split(/\s+/);
  const type = attribute(element, "type")?.trim().toLowerCase();
  if (rel.includes("canonical") && !heard.links.has("canonical")) heard.links.set("canonical", href);
  const isMarkdown = type === "text/markdown" || type === "text/x-markdown";
  if (rel.includes("alternate") && isMarkdown && !heard.links.has("markdown"))
    heard.links.set("markdown", href);
}

/** What a tool writes there that has no words of the page is no description: `declaration: package: java.util`, the title again. */
function descriptionOf({ title, metas }: Heard): string | undefined {
  const said = metas.get("description") ?? metas.get("og:description");
  return said === title || said?.startsWith("declaration: ") ? undefined : said;
}

/** The page's part of `<title>`, which often ends, and sometimes begins, with the site's name. */
function titleOf({ title = "", metas }: Heard): string | undefined {
  const own = metas.get("og:title");
  const site = metas.get("og:site_name");
  const given = title === "" ? own : title;
  if (given === undefined) return undefined;
  // Texinfo writes the manual's title behind that of the page.
  if (/^(?:makeinfo|texi2any)/i.test(metas.get("generator") ?? ""))
    return /^(.{1,300}?)\s\([^()]{1,300}(?:\([^()]{0,300}\)[^()]{0,300}){0,3}\)$/.exec(given)?.[1] ?? given;
  const parts = given.split(/\s+[|—–·•:»-]\s+|:\s+(?=\S+$)/).filter(Boolean);
  if (parts.length < 2) return given;
  if (own !== undefined && own !== given && given.includes(own)) return own;
  const rest = parts.filter((part) => part !== site);
  if (rest.length > 0 && rest.length < parts.length) return rest.join(" - ");
  const cut = /^(.*\S)\s+[|—–·•»-]\s+[^|—–·•»]+$/u.exec(given)?.[1];
  return cut ?? given;
}

/** The target of `0; url=/new`: a page that redirects has no words of its own. */
function refreshTarget(content: string | undefined): string | undefined {
  const found =
    content === undefined ? null : /^\s*(\d{1,5})[\d.]*\s*[;,]\s*(?:url\s*=\s*)?['"]?([^'"]+)/i.exec(content);
  return found !== null && Number(found[1]) <= MAX_REDIRECT_SECONDS ? found[2]?.trim() : undefined;
}

const MAX_REDIRECT_SECONDS = 10;

/**
 * Reads targets as the page means them: a `<base>` changes every relative one, but not those inside the page.
 */
function createTargetReader(base: string | undefined, url: string | undefined): (href: string) => string {
  if (base === undefined) return (href) => href;
  const start = URL.parse(base, url ?? NOWHERE);
  return (href) => {
    if (start === null || href.startsWith("#")) return href;
    const target = URL.parse(href, start);
    if (target === null) return href;
    return target.origin === new URL(NOWHERE).origin
      ? target.pathname + target.search + target.hash
      : target.href;
  };
}

const NOWHERE = "http://nowhere.invalid/";
