import { decodeText } from "@docent/kernel/text/decode-bytes";
import { pageGroups, pageLabels } from "@docent/reading/markdown/front-matter";
import type { LostWords } from "@docent/reading/markdown/kept-words/kept-words";
import type { ParsedPage, Passage } from "@docent/reading/markdown/page";
import { asksQuestions, isInAnswersFolder, readQuestions } from "@docent/reading/page/answer-file";
import type { PageMarks } from "@docent/reading/page/page-marks";
import { pageToRead, type Unreadable } from "@docent/reading/page-reading/page-reading";
import type { SourceSpec } from "@docent/reading/source";
import type { DocsMarks, Skipped, SkipReason, SourceItem } from "@docent/reading/source-reader";
import { answeredOn, questionTitle } from "../../pages/pages.ts";
import type { StagedPage } from "../stores.ts";
import type { ComparedPage } from "./compare.ts";
import type { FetchedPage } from "./fetch-page.ts";
import { admitted, restrictions } from "./page-groups.ts";
import type { Pass } from "./pass.ts";
import { type Remark, skipped, type Verdict } from "./verdict.ts";

const FAULTS_CHARACTERS_MAX = 500;

/** A page that was read and cut into passages. */
export interface ReadPage {
  item: SourceItem;
  page: StagedPage;
  remark: Remark;
  /** What is wrong with it, for its author. */
  fault: string | undefined;
}

/** Reads what was fetched, and cuts it into passages; a page that cannot be read now stays as it was. */
export async function readPage(pass: Pass, compared: ComparedPage): Promise<ReadPage | Verdict> {
  const { item, contentHash, held } = compared;
  const read = await pageOf(compared, pass);
  if ("unreadable" in read) return skipped(unreadable(item, read.unreadable));
  const { path, location } = item;
  pass.linked.push({ path, location, links: read.links, anchors: read.anchors });
  if (read.page.kind === "page" && !read.page.hidden) pass.audit.read(read.page);
  const remark = {
    contentHash,
    passages: read.page.passages.length,
    ...remarkOn({ ...read, faults: [...(item.faults ?? []), ...read.faults] }),
  };
  const fault = remark.reason === "parse_fault" ? (remark.detail ?? "") : undefined;
  if (held !== undefined) return { is: "held", item, held, remark, fault };
  return { item, page: { ...read.page, marks: marksOf(pass.source, item.marks) }, remark, fault };
}

/** A page for the index, and what its author should know. */
interface FilePage extends Pick<ParsedPage, "links" | "anchors"> {
  page: StagedPage;
  faults: string[];
  /** Why it is for nobody, where somebody says so. */
  closed: string | undefined;
}

/** Makes a page for the index of what its file holds. */
async function pageOf(
  { item, content, contentHash }: FetchedPage,
  { pageReading, reading: { anchors, groups } }: Pick<Pass, "pageReading" | "reading">,
): Promise<FilePage | Unreadable> {
  const { path, location, format } = item;
  const decoded = decodeText(content, { html: format === "html" });
  if (decoded === undefined) return { unreadable: "is not text" };
  const page = item.parsed?.() ?? (await pageReading.read(pageToRead(item, decoded.text, anchors)));
  if ("unreadable" in page) return page;
  const why = [...(item.faults ?? []), ...page.faults];
  if (page.markdown.trim() === "" && why.length > 0) return { unreadable: why.join("; ") };
  const isAnswer = isInAnswersFolder(item) && asksQuestions(page.frontMatter);
  const own = pageGroups(page.frontMatter);
  const said = restrictions(item, groups, own.groups);
  const { groups: left, why: whyNobody, isConflict } = admitted(said);
  const passages = withoutWholeness(page.passages, page.lost);
  const fields = { ...fieldsOf({ ...page, passages }), groups: left, path, location, contentHash };
  return {
    closed: isConflict || own.fault !== undefined ? undefined : whyNobody,
    links: page.links,
    anchors: page.anchors,
    page: isAnswer ? { ...fields, kind: "answer", passages: [] } : fields,
    faults: [
      ...(decoded.fault === undefined ? [] : [decoded.fault]),
      ...page.faults,
      ...lossesIn(page.lost),
      ...(own.fault === undefined ? [] : [`is for nobody: ${own.fault}`]),
      ...(isConflict && whyNobody !== undefined ? [whyNobody] : []),
      ...(isAnswer ? readQuestions(page.frontMatter).faults : []),
      ...(isAnswer && page.markdown.trim() === "" ? ["a curated answer needs words"] : []),
    ],
  };
}

const LOSSES_SAID_MAX = 5;

/** What is said of lost words, for the page's author. */
function lossesIn(lost: readonly LostWords[]): string[] {
  const said = lost.slice(0, LOSSES_SAID_MAX).map(({ words, context }) => `"${words}" in "${context}"`);
  const others = lost.length - said.length;
  if (said.length === 0) return [];
  return [
    `words are missing where it is shown: ${said.join(", ")}${others > 0 ? `, and ${others} more` : ""}`,
  ];
}

/** The passages, with a mark on those that lack words. */
function withoutWholeness(passages: readonly Passage[], lost: readonly LostWords[]): Passage[] {
  const lacking = new Set(lost.map(({ passage }) => passage));
  return passages.map((passage, index) => (lacking.has(index) ? { ...passage, lacksWords: true } : passage));
}

function fieldsOf(page: ParsedPage): Omit<StagedPage, "path" | "location" | "contentHash" | "groups"> {
  const { title, description, frontMatter, hidden, markdown, passages } = page;
  const { tags } = pageLabels(frontMatter);
  const fields = {
    kind: "page",
    description,
    frontMatter,
    tags,
    hidden,
    markdown,
    passages,
  } as const;
  const answered = answeredOn(frontMatter);
  return answered === undefined ? { ...fields, title } : { ...fields, title: questionTitle(title), answered };
}

/** Why a page that was taken is not found, or not as its author meant it. */
function remarkOn({ page, faults, closed }: FilePage): { reason?: SkipReason; detail?: string } {
  const why = closed === undefined ? [] : [closed];
  if (page.hidden) return { reason: "hidden", detail: "asks that search does not show it" };
  if (faults.length > 0)
    return { reason: "parse_fault", detail: [...faults, ...why].join("; ").slice(0, FAULTS_CHARACTERS_MAX) };
  if (page.kind === "page" && page.passages.length === 0) return { reason: "empty", detail: "has no words" };
  if (closed !== undefined) return { detail: closed };
  return page.kind === "answer" ? { detail: "is a curated answer" } : {};
}

/** Keeps a page whose file cannot be read now: it may be half written as well as have become a picture. */
function unreadable({ location, found, path, rule }: SourceItem, detail: string): Skipped {
  return { location, found, reason: "parse_fault", detail, keeps: { path }, rule };
}

/**
 * The version and language of a page: as its docs say, or else as its source is set. The language that is set is also that
 * of pages in the main language of the docs, which are for this language alone then.
 */
function marksOf(
  { version, language }: Pick<SourceSpec, "version" | "language">,
  marks: DocsMarks = {},
): PageMarks {
  const isNamed = language !== "" && marks.translations !== undefined;
  return {
    version: marks.version ?? version,
    language: isNamed ? language : (marks.language ?? language),
    ...(isNamed || marks.translations === undefined ? {} : { translations: marks.translations }),
  };
}
