import { decodeText } from "@docent/kernel/text/decode-bytes";
import { pageGroups, pageLabels } from "@docent/reading/markdown/front-matter";
import type { LostWords } from "@docent/reading/markdown/kept-words/kept-words";
import type { AnchorStyle, ParsedPage, Passage } from "@docent/reading/markdown/page";
import { asksQuestions, isInAnswersFolder, readQuestions } from "@docent/reading/page/answer-file";
import { type PageReading, pageToRead, type Unreadable } from "@docent/reading/page-reading/page-reading";
import type { SourceItem } from "@docent/reading/source-reader";
import { answeredOn, questionTitle } from "../../pages/pages.ts";
import type { StagedPage } from "../stores.ts";
import { admitted, type Restriction } from "./page-groups.ts";

/** To be raised whenever the same file would give other passages than before: every page is then read again. */
const PARSER_REVISION = 20;
/** The same for what may be a curated answer, so that others need not be read again. */
const ANSWER_REVISION = 1;

type Place = Pick<SourceItem, "location" | "format">;

/** How the pages of a run are read, whatever is in them. */
export interface HowPagesAreRead {
  /** The generator whose anchors the site's headings have. */
  anchors: AnchorStyle;
  /** The groups that the source is for; none: for everyone. */
  groups: readonly string[];
}

/**
 * What a page is made from: its text, the format that it is read as, where it was found, because links are relative to
 * that, how the site's anchors are made, which version and language its docs say that it is, and whom a rule says it is for.
 */
export function hashOf(
  content: Uint8Array,
  place: Place & Pick<SourceItem, "marks" | "rule">,
  reading: HowPagesAreRead,
): string {
  const { location, format, marks, rule } = place;
  const hasher = new Bun.CryptoHasher("sha256").update(`${format} ${location}\n`);
  const digest = hasher.update(content).digest("hex");
  const marked = marks === undefined ? "" : `;${shortHash(marks)}`;
  return `${readingOf(place, reading)}:${digest}${marked}${ruledAs(rule)}`;
}

/** The end of the hash of a page that a rule is for. */
const ruledAs = (rule: SourceItem["rule"]): string =>
  rule === undefined ? "" : `~${shortHash([rule.location, rule.groups.toSorted()])}`;

/** Whether what has this hash was for those whom the rule of its folder names now. */
export function isRuledAsNow(contentHash: string, { rule }: Pick<SourceItem, "rule">): boolean {
  const at = contentHash.indexOf("~");
  return (at < 0 ? "" : contentHash.slice(at)) === ruledAs(rule);
}

const shortHash = (value: unknown) => Bun.SHA256.hash(JSON.stringify(value), "hex").slice(0, 16);

/** Whether what has this hash was read as it would be read now. */
export function isReadAsNow(contentHash: string, place: Place, reading: HowPagesAreRead): boolean {
  return contentHash.startsWith(`${readingOf(place, reading)}:`);
}

function readingOf(place: Place, { anchors, groups }: HowPagesAreRead): string {
  const revision = isInAnswersFolder(place) ? `${PARSER_REVISION}.${ANSWER_REVISION}` : `${PARSER_REVISION}`;
  const styled = anchors === "github" ? revision : `${revision}-${anchors}`;
  return groups.length === 0 ? styled : `${styled}-${shortHash(groups.toSorted())}`;
}

/** A page for the index, and what its author should know. */
export interface ReadPage {
  page: StagedPage;
  faults: string[];
  /** Why it is for nobody, where somebody says so. */
  closed: string | undefined;
}

/** Reads what a page's file holds. */
export async function readPage(
  item: SourceItem,
  content: Uint8Array,
  {
    contentHash,
    anchors,
    groups,
    pageReading,
  }: HowPagesAreRead & { contentHash: string; pageReading: PageReading },
): Promise<ReadPage | Unreadable> {
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

/** What its source, the rule of its folder and the page itself say of whom it is for. */
export const restrictions = (
  { rule }: Pick<SourceItem, "rule">,
  ofSource: readonly string[],
  own: readonly string[] = [],
): Restriction[] => [
  { by: "its source", groups: ofSource },
  ...(rule === undefined ? [] : [{ by: rule.location, groups: rule.groups }]),
  { by: "its front matter", groups: own },
];

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
