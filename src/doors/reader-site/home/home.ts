import { snippet } from "@docent/kernel/text/snippet";
import { plainText } from "@docent/reading/markdown/plain-text";
import { normalizePath } from "@docent/reading/page/page-path";
import type { Audience } from "@docent/sites/pages/audience";
import {
  type NavigationNode,
  type NavigationTree,
  pagesBelow,
} from "@docent/sites/pages/navigation/navigation";
import { findPage, type Page, type PageStore } from "@docent/sites/pages/pages";
import type { Site } from "@docent/sites/site/sites";
import type { Edition } from "../edition.ts";
import { type Html, html } from "../html.ts";

/** Of more, a plain list is easier to read. */
const CARDS_MAX = 60;
const DESCRIPTION_CHARACTERS_MAX = 160;
/** A paragraph that describes a page stands at its top. */
const TOP_CHARACTERS = 4000;
const NAMED_PAGES_MAX = 4;
/** A first page with fewer letters than that leads nowhere: its site is shown below it. */
const THIN_CHARACTERS_MAX = 280;

/** What a site has, as cards: a section or a page each, with what it is about. Undefined where there is nothing, or too much. */
export async function sectionCards(
  pages: Pick<PageStore, "findPages">,
  of: { site: Site; audience: Audience },
  { tree, choice, addresses }: Pick<Edition, "tree" | "choice" | "addresses">,
): Promise<Html | undefined> {
  const { children } = tree.root;
  if (children.length === 0 || children.length > CARDS_MAX) return undefined;
  const cards = children.map(async (node) => {
    const page = node.isPage ? await pageOf(pages, of, node, choice) : undefined;
    const about = (page && aboutPage(page)) || namesBelow(node);
    const href = node.href ?? addresses.page(node.path);
    return html`<li><a href="${href}"><bdi>${node.title}</bdi></a>${about !== "" && html`<p>${about}</p>`}</li>`;
  });
  return html`<ul class="cards">${await Promise.all(cards)}</ul>`;
}

/** Whether a page is the first one of its site, and has too little in it to lead on. */
export function isThinHome({ root }: NavigationTree, { path, markdown }: Page): boolean {
  if (normalizePath(path) !== "" && path !== root.path) return false;
  return plainText(markdown.slice(0, TOP_CHARACTERS)).length < THIN_CHARACTERS_MAX;
}

const pageOf = (
  pages: Pick<PageStore, "findPages">,
  { site, audience }: { site: Site; audience: Audience },
  { path }: NavigationNode,
  { version, language }: Edition["choice"],
) =>
  findPage(pages, site.id, path, {
    asked: { version, language },
    defaults: { version: site.settings.defaultVersion, language: site.settings.defaultLanguage },
    audience,
  });

/** What a page says of itself, else its first paragraph. */
function aboutPage({ description, markdown }: Page): string {
  const written = description?.trim() || firstParagraph(markdown);
  return snippet(plainText(written).replace(/\s+/g, " ").trim(), DESCRIPTION_CHARACTERS_MAX);
}

/** Begins with a letter: what stands in front of headings, code, tables, lists and pictures is none. */
const PARAGRAPH = /^[\p{L}\p{N}*_`[“"'(¿¡]/u;

const firstParagraph = (markdown: string): string =>
  markdown
    .slice(0, TOP_CHARACTERS)
    .split(/\n\s*\n/)
    .map((block) => block.replace(/^#{1,6} .*\n?/, "").trim())
    .find((block) => PARAGRAPH.test(block) && !/^(?:```|\* |\d+[.)] |\[\^?[^\]]*\]:)/.test(block)) ?? "";

/** The names of the first pages of a section. */
function namesBelow(node: NavigationNode): string {
  const names: string[] = [];
  for (const page of pagesBelow(node)) {
    if (page === node) continue;
    if (names.length === NAMED_PAGES_MAX) return `${names.join(" · ")} …`;
    names.push(page.title);
  }
  return names.join(" · ");
}
