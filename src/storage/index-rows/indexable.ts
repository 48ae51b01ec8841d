import type { IndexablePassage, LinkingPage } from "@docent/finding/search/keyword-index/segment-store";
import { namedLinksIn } from "@docent/reading/markdown/destinations";
import { pageLabels } from "@docent/reading/markdown/front-matter";
import { type LinkBase, resolveLink } from "@docent/sites/pages/page-link";
import { z } from "zod";
import { readStrings } from "../rows/json.ts";

const frontMatterSchema = z.lazy(() => z.record(z.string(), z.unknown()));

/** A passage, as the index reads it. */
export interface IndexableRow
  extends Omit<IndexablePassage, "headings" | "identifiers" | "keywords" | "page" | "added"> {
  headingsJson: string;
  identifiersJson: string;
  frontMatterJson: string;
  /** Of the page, with its first passage alone. */
  markdown: string | null;
  path: string;
  location: string;
  /** Of its source. */
  version: string;
  language: string;
  siteUrl: string | null;
}

export function toIndexable({
  id,
  pageId,
  title,
  text,
  headingsJson,
  identifiersJson,
  frontMatterJson,
  markdown,
  siteUrl,
  ...page
}: IndexableRow): IndexablePassage {
  return {
    id,
    pageId,
    title,
    text,
    headings: readStrings(headingsJson),
    identifiers: readStrings(identifiersJson),
    keywords: keywordsIn(frontMatterJson),
    page: markdown === null ? undefined : toLinkingPage({ ...page, markdown, siteUrl: siteUrl ?? undefined }),
  };
}

const keywordsIn = (frontMatterJson: string) =>
  pageLabels(frontMatterSchema.parse(JSON.parse(frontMatterJson))).keywords;

/** A passage with what was written for it, as the index reads it. */
export interface WrittenRow
  extends Pick<
    IndexableRow,
    "id" | "pageId" | "title" | "headingsJson" | "identifiersJson" | "frontMatterJson" | "text"
  > {
  questionsJson: string;
  wordsJson: string;
}

export const toIndexableWritten = (row: WrittenRow): IndexablePassage => ({
  id: row.id,
  pageId: row.pageId,
  title: row.title,
  keywords: keywordsIn(row.frontMatterJson),
  headings: readStrings(row.headingsJson),
  text: row.text,
  identifiers: readStrings(row.identifiersJson),
  added: { questions: readStrings(row.questionsJson), words: readStrings(row.wordsJson) },
});

/** What segments are made of: passages, or what models wrote for them. */
export type SegmentKind = "passages" | "enrichments";

/** A page with what its links are resolved by. */
interface LinkingRow extends LinkBase {
  /** Of its source: in one, the pages of all versions and languages have paths of their own, and link to each other. */
  version: string;
  language: string;
  markdown: string;
}

/** A link may leave out what an address ends in, or have what it leaves out. */
const ENDING = /\/index\.html?$|\.html?$/i;

/** A page's links to other pages, as its readers follow them: within the version and language of its source. */
function toLinkingPage({ version, language, markdown, ...base }: LinkingRow): LinkingPage {
  const addressOf = (path: string) => JSON.stringify([path.replace(ENDING, ""), version, language]);
  const links = namedLinksIn(markdown).flatMap(({ href, text }) => {
    const target = resolveLink(href, base);
    return target?.kind === "page" ? [{ to: addressOf(target.path), text }] : [];
  });
  return { address: addressOf(base.path), links };
}
