import type { IndexablePassage } from "@docent/finding/search/keyword-index/segment-store";
import { pageLabels } from "@docent/reading/markdown/front-matter";
import { z } from "zod";
import { readStrings } from "../rows/json.ts";
import { toLinkingPage } from "../rows/linking-page.ts";

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
