import { isInLanguage } from "@docent/kernel/text/language-tags";
import { hrefOf } from "@docent/reading/page/page-path";
import { type LinkTarget, resolveLink } from "@docent/sites/pages/page-link";
import { spellingsOf } from "@docent/sites/pages/pages";
import type { LinkedPage, StoredAnswer } from "./curated-store.ts";
import { rewriteLinks, writtenLinks } from "./rewrite-links.ts";

/** A page that a curated answer leads to, at the heading that it names. */
export interface CitedPage {
  path: string;
  anchor: string;
  /** Path and anchor as an address, relative to the site. */
  href: string;
  title: string;
  version: string;
  language: string;
  /** Whom the page is for; empty: everyone. */
  groups: string[];
  /** What the page is about, or its beginning. */
  text: string;
  /** The passage that the heading is in; undefined where the page has none. */
  passageId: number | undefined;
  /** The generation in which its file last changed. */
  generation: number;
}

/** Where a link of a curated answer leads. */
export type ResolvedLink =
  | { kind: "page"; page: CitedPage }
  | { kind: "elsewhere"; href: string }
  /** A link to a page of the site that is not there. */
  | { kind: "gone"; path: string };

/** Which of several versions and languages of a page is meant. */
export interface LinkScope {
  version: string;
  language: string;
}

/** The targets of an answer's links, as they are written, and what each means. One that may not be linked to is left out. */
export function linkTargets(
  answer: StoredAnswer,
  siteUrl: string | undefined,
): ReadonlyMap<string, LinkTarget> {
  const { path, location } = answer;
  return new Map(
    writtenLinks(answer.markdown).flatMap((href) => {
      const target = resolveLink(href, { path, location, siteUrl });
      return target === undefined ? [] : [[href, target] as const];
    }),
  );
}

/** The paths under which the page of a link may be stored: one that was found at an address is called by all of it. */
export function pathsOf(targets: Iterable<LinkTarget>): string[] {
  const paths = [...targets].flatMap((target) => (target.kind === "page" ? spellings(target.path) : []));
  return [...new Set(paths)];
}

const spellings = (path: string) => (path === "" ? [path] : [...spellingsOf(path), `${path}.md`]);

/** The pages that a link may mean: of the answer's version and language, and of none. */
export function candidatesOf(
  path: string,
  { version, language }: Pick<StoredAnswer, "version" | "language">,
  pages: ReadonlyMap<string, LinkedPage[]>,
): LinkedPage[] {
  const fits = (own: string, asked: string) => own === "" || asked === "" || own === asked;
  const found = spellings(path).find((spelling) => pages.has(spelling)) ?? path;
  return (pages.get(found) ?? []).filter(
    // One that may be translated is meant where it is named itself.
    (page) =>
      fits(page.version, version) &&
      (page.translations !== undefined || isInLanguage(page.language, language)),
  );
}

/** Finds where a link leads. */
export function resolveTarget(
  target: LinkTarget,
  candidates: LinkedPage[],
  { version, language }: LinkScope,
): ResolvedLink {
  if (target.kind === "elsewhere") return target;
  const rank = (page: LinkedPage) =>
    Number(page.version === version) * 2 + Number(page.language === language);
  const [page] = candidates.toSorted((a, b) => rank(b) - rank(a));
  return page === undefined
    ? { kind: "gone", path: target.path }
    : { kind: "page", page: toCited(page, target.anchor) };
}

function toCited({ passages, translations: _, location, ...page }: LinkedPage, anchor: string): CitedPage {
  const passage = passages.find(({ anchors }) => anchors.includes(anchor)) ?? passages[0];
  const href = hrefOf({ path: page.path, anchor, location });
  return { ...page, anchor, href, passageId: passage?.id };
}

/** An answer's Markdown, and where its links lead, by what is written. */
interface LinkedAnswer {
  markdown: string;
  links: ReadonlyMap<string, ResolvedLink>;
}

/** The pages that an answer leads to, each once. */
export function citedPages({ links }: LinkedAnswer): CitedPage[] {
  const pages = [...links.values()].flatMap((link) => (link.kind === "page" ? [link.page] : []));
  return pages.filter(({ href }, index) => pages.findIndex((page) => page.href === href) === index);
}

/** An answer's Markdown with its links as readers reach them. */
export function withLinks({ markdown, links }: LinkedAnswer, urlOf: (page: CitedPage) => string): string {
  return rewriteLinks(markdown, (href) => {
    const link = links.get(href);
    if (link?.kind === "elsewhere") return link.href;
    return link?.kind === "page" ? urlOf(link.page) : undefined;
  });
}
