import { audienceWords } from "@docent/kernel/text/groups/groups";
import { isAsPublished, looksUnlike } from "@docent/kernel/text/lost-links/lost-links";
import { anchorWords } from "@docent/kernel/text/lost-links/missing-anchors";
import { signsIn } from "@docent/kernel/text/lost-links/run-signs";
import type { LedgerEntry, Source, SourceRun } from "../../replies.ts";
import { sentence } from "../../text.ts";
import { counted, formatNumber } from "../text/format-number.ts";

type Tone = "good" | "warn" | "bad" | "quiet" | "accent";
type Counts = Readonly<Record<string, number>>;

/** Says why a source is not read at present, and what that leaves. */
export const notReadWords = (why: string): string => `${sentence(why)} What was read before stays.`;

/** How a run ended, in a word or two. */
interface Ended {
  label: string;
  tone: Tone;
}

const OUTCOMES: Readonly<Record<string, Ended>> = {
  published: { label: "Updated", tone: "good" },
  unchanged: { label: "Up to date", tone: "good" },
  incomplete: { label: "Broke off", tone: "warn" },
  failed: { label: "Failed", tone: "bad" },
  stopped: { label: "Stopped", tone: "warn" },
  removed: { label: "Removed", tone: "quiet" },
  previewed: { label: "Looked at, not read", tone: "accent" },
  refused: { label: "Not published", tone: "warn" },
};

const READ: readonly string[] = ["published", "unchanged"];

/** How a run ended: with a doubt where its pages do not look like the site that its docs are published as. */
export function outcomeOf({ outcome, counts }: Pick<SourceRun, "outcome" | "counts">): Ended {
  if (outcome === null) return { label: "Not ended", tone: "quiet" };
  if (READ.includes(outcome) && (isUnlike(counts) || signsIn(counts).length > 0))
    return { label: "Read, but unlike your site", tone: "warn" };
  return OUTCOMES[outcome] ?? { label: outcome, tone: "quiet" };
}

/** Whether a run's pages do not look like their site, so that its owner can help. */
export const isUnlike = (counts: Counts): boolean =>
  looksUnlike(linksOf(counts)) && !isAsPublished(publishedOf(counts));

const publishedOf = ({ publishedPages: pages = 0, publishedFound: found = 0 }: Counts) => ({ pages, found });

const linksOf = ({ links = 0, linksLost: lost = 0 }: Counts) => ({ links, lost });

/** What kinds of sources are called. */
export const KINDS: Readonly<Record<string, string>> = {
  folder: "Folder",
  website: "Website",
  "llms-txt": "llms.txt",
  git: "Git",
  archive: "Archive",
  upload: "Upload",
  openapi: "OpenAPI",
  demo: "Built in",
  confluence: "Confluence",
  mediawiki: "MediaWiki",
  bookstack: "BookStack",
  outline: "Outline",
  wikijs: "Wiki.js",
  dokuwiki: "DokuWiki",
  xwiki: "XWiki",
  gitlab: "GitLab",
  gitea: "Gitea",
  github: "GitHub",
};

/** The kinds of sources whose pages are published somewhere else than where they are read. */
export const isOfFiles = ({ kind }: Pick<Source, "kind">): boolean =>
  ["folder", "git", "archive", "upload"].includes(kind);

/** What a run decided of a page. */
export const DECISIONS: Readonly<Record<LedgerEntry["decision"], { label: string; tone: Tone }>> = {
  added: { label: "Added", tone: "good" },
  changed: { label: "Changed", tone: "accent" },
  unchanged: { label: "Unchanged", tone: "quiet" },
  removed: { label: "Removed", tone: "quiet" },
  kept: { label: "Kept", tone: "warn" },
  skipped: { label: "Left out", tone: "warn" },
};

/** Why something of a source was not taken, or not as its author meant it, by what the ledger calls that. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ["robots", "robots.txt forbids it"],
  ["noindex", "asks not to be found"],
  ["hidden", "hidden by its author"],
  ["restricted", "not for everyone"],
  ["empty", "has no words"],
  ["too_large", "too large"],
  ["parse_fault", "not all understood"],
  ["assumed", "assumed, not known"],
  ["duplicate", "there already"],
  ["outside", "outside of the source"],
  ["not_found", "not there"],
  ["refused", "access refused"],
  ["failed", "could not be fetched"],
]);

/** The reason in words; as it is where there are none for it. */
export const reasonInWords = (reason: string) => REASONS.get(reason) ?? reason;

/** What is noted of a source, and is no decision of a page. */
export const NOTE: { label: string; tone: Tone } = { label: "Note", tone: "accent" };

/** What a run did, in one line: only what there was of it. */
export function countsLine(counts: Counts): string {
  const told = [
    [counts["added"], "added"],
    [counts["changed"], "changed"],
    [counts["removed"], "removed"],
    [counts["unchanged"], "unchanged"],
    [counts["skipped"], "left out"],
  ] as const;
  const parts = told.flatMap(([count = 0, word]) => (count > 0 ? [`${formatNumber(count)} ${word}`] : []));
  const done = parts.length === 0 ? "Nothing changed" : parts.join(", ");
  const { addressesAsked: asked = 0, addressesAnswering: answering = 0 } = counts;
  const { links, lost } = linksOf(counts);
  const { pages, found } = publishedOf(counts);
  return [
    done,
    ...(pages === 0
      ? []
      : [`${formatNumber(found)} of ${counted(pages, "page")} found on the published site`]),
    ...(counts["publishedUnread"] === 1 ? ["the published site was not read to its end"] : []),
    ...(asked === 0 ? [] : [shareOf({ asked, answering })]),
    ...(lost === 0
      ? []
      : [`${formatNumber(lost)} of ${counted(links, "link")} between its pages lead nowhere`]),
    ...signsIn(counts).map((words) => words.replace(/\.$/, "")),
  ].join("; ");
}

const shareOf = ({ asked, answering }: { asked: number; answering: number }) =>
  `${formatNumber(answering)} of ${formatNumber(asked)} addresses answer`;

/** Whether pages answer at their published addresses, in a sentence. */
export function addressesWords(addresses: NonNullable<SourceRun["addresses"]>): string {
  if (addresses.note !== null) return `The published addresses were not checked: ${addresses.note}.`;
  const share = shareOf(addresses);
  if (addresses.answering === 0) return `${share}: is the site's URL right?`;
  return addresses.anchors === null ? `${share}.` : `${share}, ${anchorWords(addresses.anchors)}`;
}

/** What a run recognized its source as; undefined where it is no docs generator's. */
export function recognizedWords({
  generator,
  counts,
}: {
  generator: string | null;
  counts: Counts;
}): string | undefined {
  if (generator === null) return undefined;
  const read = `Recognized as ${generator}: pages have the addresses, anchors and menu that it gives them.`;
  return counts["unknowns"] ? `${read} Its configuration leaves questions open.` : read;
}

/** How many pages a run has of its source, whatever it decided of them. */
export const pagesOf = ({ added = 0, changed = 0, unchanged = 0 }: Counts) => added + changed + unchanged;

/** Where a run is: what it does now, how far that is, and what it has by now. */
interface RunStage {
  label: string;
  /** 0 to 1; undefined while nobody knows how much there is. */
  share: number | undefined;
  text: string;
}

/** Reads off a run's counts what it does now. */
export function stageOf(counts: Counts, kind: string | undefined): RunStage {
  const pages = pagesOf(counts);
  const { embedded, indexed, passages = 0 } = counts;
  if (indexed !== undefined) return passagesStage("Indexing words", indexed, passages);
  if (embedded !== undefined) return passagesStage("Making it searchable", embedded, passages);
  if (pages === 0)
    return { label: BEGINNINGS[kind ?? ""] ?? "Looking for pages", share: undefined, text: "" };
  return { label: "Reading pages", share: undefined, text: `${counted(pages, "page")} so far` };
}

const passagesStage = (label: string, done: number, passages: number): RunStage => ({
  label,
  share: passages > 0 ? Math.min(1, done / passages) : undefined,
  text: `${formatNumber(done)} of ${counted(passages, "passage")}`,
});

const BEGINNINGS: Readonly<Record<string, string>> = {
  website: "Looking for a sitemap",
  "llms-txt": "Fetching the list of pages",
  git: "Fetching the repository",
  upload: "Opening the archive",
  archive: "Opening the archive",
};

/** How often sources can be told to be read. */
export const SCHEDULES: readonly { label: string; everyMs: number | null }[] = [
  { label: "Only when I ask", everyMs: null },
  { label: "Every hour", everyMs: 3_600_000 },
  { label: "Every 6 hours", everyMs: 21_600_000 },
  { label: "Every day", everyMs: 86_400_000 },
  { label: "Every week", everyMs: 604_800_000 },
];

/** How often a source is read, in words; of an interval that the command line set, too. */
export function scheduleWords(everyMs: number | null): string {
  const known = SCHEDULES.find((each) => each.everyMs === everyMs);
  if (known) return known.label;
  const minutes = Math.round((everyMs ?? 0) / 60_000);
  if (minutes % 1440 === 0) return `Every ${minutes / 1440} days`;
  if (minutes % 60 === 0) return `Every ${minutes / 60} hours`;
  return `Every ${minutes} minutes`;
}

/** What a source is marked with: a version, a language. */
export const marksOf = ({
  version,
  language,
  groups,
}: Pick<Source, "version" | "language"> & Partial<Pick<Source, "groups">>) =>
  [version, language, groups?.length ? `for ${audienceWords(groups)}` : ""].filter((mark) => mark !== "");
