import type { AnchorStyle } from "@docent/reading/markdown/page";
import { isInAnswersFolder } from "@docent/reading/page/answer-file";
import type { SourceItem } from "@docent/reading/source-reader";

/** To be raised whenever the same file would give other passages than before: every page is then read again. */
const PARSER_REVISION = 21;
/** The same for what may be a curated answer, so that others need not be read again. */
const ANSWER_REVISION = 1;
/**
 * The same for the pages of one format: to be raised, from 0, where only files of that format would give other passages, so
 * that those of others need not be read again.
 */
type FormatRevisions = Partial<Record<SourceItem["format"], number>>;
const FORMAT_REVISIONS: FormatRevisions = {};

type Place = Pick<SourceItem, "location" | "format">;

/** How the pages of a run are read, whatever is in them. */
export interface HowPagesAreRead {
  /** The generator whose anchors the site's headings have. */
  anchors: AnchorStyle;
  /** The groups that the source is for; none: for everyone. */
  groups: readonly string[];
  /** Default: those of this version. */
  formats?: FormatRevisions;
}

/**
 * What a page is made from: its text, the format that it is read as, where it was found, because links are relative to
 * that, how the site's anchors are made, which ids it is published with, which version and language its docs say that it is,
 * and whom a rule says it is for.
 */
export function hashOf(
  content: Uint8Array,
  place: Place & Pick<SourceItem, "marks" | "rule" | "published">,
  reading: HowPagesAreRead,
): string {
  const { location, format, marks, rule, published } = place;
  const hasher = new Bun.CryptoHasher("sha256").update(`${format} ${location}\n`);
  const digest = hasher.update(content).digest("hex");
  const marked = marks === undefined ? "" : `;${shortHash(marks)}`;
  const named = published === undefined ? "" : `;p${shortHash(published)}`;
  return `${readingOf(place, reading)}:${digest}${marked}${named}${ruledAs(rule)}`;
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

function readingOf(place: Place, { anchors, groups, formats = FORMAT_REVISIONS }: HowPagesAreRead): string {
  const ofFormat = formats[place.format] ?? 0;
  const parser = ofFormat === 0 ? `${PARSER_REVISION}` : `${PARSER_REVISION}+${ofFormat}`;
  const revision = isInAnswersFolder(place) ? `${parser}.${ANSWER_REVISION}` : parser;
  const styled = anchors === "github" ? revision : `${revision}-${anchors}`;
  return groups.length === 0 ? styled : `${styled}-${shortHash(groups.toSorted())}`;
}
