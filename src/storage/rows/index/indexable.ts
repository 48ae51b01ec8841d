import { z } from "zod";
import { pageLabels } from "../../../markdown/front-matter.ts";
import type { IndexablePassage } from "../../../search/keyword-index/segment-store.ts";
import { readStrings } from "../json.ts";
import { toLinkingPage } from "../linking-page.ts";

const frontMatterSchema = z.lazy(() => z.record(z.string(), z.unknown()));

/** A passage, as the index reads it. */
export interface IndexableRow
  extends Omit<IndexablePassage, "headings" | "identifiers" | "keywords" | "page"> {
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
    keywords: pageLabels(frontMatterSchema.parse(JSON.parse(frontMatterJson))).keywords,
    page: markdown === null ? undefined : toLinkingPage({ ...page, markdown, siteUrl: siteUrl ?? undefined }),
  };
}

/** What was written for a passage, as the index reads it. */
export interface WrittenRow {
  id: number;
  pageId: number;
  questionsJson: string;
  context: string;
}

/** The questions stand where headings do: they say in few words what a passage is about. */
export const toIndexableWritten = ({ id, pageId, questionsJson, context }: WrittenRow): IndexablePassage => ({
  id,
  pageId,
  title: "",
  keywords: [],
  headings: readStrings(questionsJson),
  text: context,
  identifiers: [],
});

/** What segments are made of: passages, or what models wrote for them. */
export type SegmentKind = "passages" | "enrichments";
