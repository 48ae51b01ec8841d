import { asksQuestions, isInAnswersFolder, readQuestions } from "../../curated/answer-file.ts";
import { pageLabels } from "../../markdown/front-matter.ts";
import { type AnchorStyle, type ParsedPage, parsePage } from "../../markdown/page.ts";
import { answeredOn, questionTitle } from "../../pages/pages.ts";
import { decodeText } from "../../text/decode-bytes.ts";
import type { SourceItem } from "../source-reader.ts";
import type { StagedPage } from "../stores.ts";

/** To be raised whenever the same file would give other passages than before: every page is then read again. */
const PARSER_REVISION = 14;
/** The same for what may be a curated answer, so that others need not be read again. */
const ANSWER_REVISION = 1;

type Place = Pick<SourceItem, "location" | "format">;

/** How the pages of a run are read, whatever is in them. */
export interface PageReading {
  /** The generator whose anchors the site's headings have. */
  anchors: AnchorStyle;
  /** The groups that the source is for; none: for everyone. */
  groups: readonly string[];
}

/**
 * What a page is made from: its text, the format that it is read as, where it was found, because links are relative to
 * that, how the site's anchors are made, and which version and language its docs say that it is.
 */
export function hashOf(
  content: Uint8Array,
  place: Place & Pick<SourceItem, "marks">,
  reading: PageReading,
): string {
  const { location, format, marks } = place;
  const hasher = new Bun.CryptoHasher("sha256").update(`${format} ${location}\n`);
  const digest = hasher.update(content).digest("hex");
  const marked = marks === undefined ? "" : `;${shortHash(marks)}`;
  return `${readingOf(place, reading)}:${digest}${marked}`;
}

const shortHash = (value: unknown) => Bun.SHA256.hash(JSON.stringify(value), "hex").slice(0, 16);

/** Whether what has this hash was read as it would be read now. */
export function isReadAsNow(contentHash: string, place: Place, reading: PageReading): boolean {
  return contentHash.startsWith(`${readingOf(place, reading)}:`);
}

function readingOf(place: Place, { anchors, groups }: PageReading): string {
  const revision = isInAnswersFolder(place) ? `${PARSER_REVISION}.${ANSWER_REVISION}` : `${PARSER_REVISION}`;
  const styled = anchors === "github" ? revision : `${revision}-${anchors}`;
  return groups.length === 0 ? styled : `${styled}-${shortHash(groups.toSorted())}`;
}

/** A page for the index, and what its author should know. */
export interface ReadPage {
  page: StagedPage;
  faults: string[];
}

/** Completes "<location> …": why nothing can be said of a page. */
export interface Unreadable {
  unreadable: string;
}

/** Reads what a page's file holds. */
export function readPage(
  item: SourceItem,
  content: Uint8Array,
  { contentHash, anchors, groups }: PageReading & { contentHash: string },
): ReadPage | Unreadable {
  const { path, location, format } = item;
  const decoded = decodeText(content, { html: format === "html" });
  if (decoded === undefined) return { unreadable: "is not text" };
  const page = parsePage(decoded.text, {
    fallbackTitle: path.split("/").at(-1) || "Home",
    format,
    anchors,
    keepsImages: item.imageFile !== undefined,
  });
  const why = [...(item.faults ?? []), ...page.faults];
  if (page.markdown.trim() === "" && why.length > 0) return { unreadable: why.join("; ") };
  const isAnswer = isInAnswersFolder(item) && asksQuestions(page.frontMatter);
  const fields = { ...fieldsOf(page, groups), path, location, contentHash };
  return {
    page: isAnswer ? { ...fields, kind: "answer", passages: [] } : fields,
    faults: [
      ...(decoded.fault === undefined ? [] : [decoded.fault]),
      ...page.faults,
      ...(isAnswer ? readQuestions(page.frontMatter).faults : []),
      ...(isAnswer && page.markdown.trim() === "" ? ["a curated answer needs words"] : []),
    ],
  };
}

function fieldsOf(
  page: ParsedPage,
  ofSource: readonly string[],
): Omit<StagedPage, "path" | "location" | "contentHash"> {
  const { title, description, frontMatter, hidden, markdown, passages } = page;
  const { tags, groups: own } = pageLabels(frontMatter);
  const groups = narrowed(ofSource, own);
  const fields = {
    kind: "page",
    description,
    frontMatter,
    tags,
    groups,
    hidden,
    markdown,
    passages,
  } as const;
  const answered = answeredOn(frontMatter);
  return answered === undefined ? { ...fields, title } : { ...fields, title: questionTitle(title), answered };
}

/** A page is for those groups of its source that it names, and never for others: its owner has the last word. */
function narrowed(ofSource: readonly string[], own: string[]): string[] {
  if (ofSource.length === 0) return own;
  const both = own.filter((group) => ofSource.includes(group));
  return both.length > 0 ? both : [...ofSource];
}
