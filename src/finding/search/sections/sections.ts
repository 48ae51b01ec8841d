import type { ReadRuns } from "../retrieve.ts";
import type { Candidate, PassageRun } from "../search-store.ts";

/** How many passages before and behind a found one are read: of a longer section, the part around it is shown. */
const BESIDE = 8;
/** So many are read at first, which is enough for all sections of 29 questions of 30. */
const BESIDE_AT_FIRST = 4;
/** The most of a section that is shown: about fifteen hundred tokens, three passages of the usual length. */
const SECTION_CHARACTERS_MAX = 6000;
/** What answers stands below the passage that was found twice as often as above it. */
const BELOW_OF_THREE = 2;
/** The marks behind a colon end bold words. */
const ENDS_OPEN = /[:：][*_]*\s*$/;

/** The headings above a text, the outermost first, and the anchor of the lowest one. */
interface Above {
  headingsAbove: string[];
  anchorAbove: string;
}

/** The section that holds what a text has at that offset. */
export function sectionHolding(
  { innerHeadings, headingsAbove, anchorAbove }: Above & Pick<Candidate, "innerHeadings">,
  offset: number,
): Pick<Candidate, "anchor" | "headings"> {
  const inner = innerHeadings.findLast((each) => each.offset <= offset);
  return inner === undefined
    ? { anchor: anchorAbove, headings: headingsAbove }
    : { anchor: inner.anchor, headings: inner.headingPath };
}

/**
 * Makes of each passage the section that it is a part of, and leaves out those that the section of one before shows
 * already: what is more relevant there is so here.
 */
export async function wholeSections<Found extends Candidate & Above & { relevance: number }>(
  found: readonly Found[],
  read: ReadRuns,
): Promise<Found[]> {
  const ofPage = await passagesAround(found, read);
  const whole: Found[] = [];
  /** Where each passage is shown. */
  const shown = new Map<number, number>();
  for (const passage of found) {
    const at = shown.get(passage.passageId);
    const known = at === undefined ? undefined : whole[at];
    if (at !== undefined && known !== undefined) {
      whole[at] = { ...known, relevance: Math.max(known.relevance, passage.relevance) };
      continue;
    }
    const section = sectionAround(passage, ofPage.get(passage.pageId) ?? []);
    const [first, ...others] = section.filter(
      ({ passageId }, index) => !shown.has(passageId) || isAnnounced(section[index - 1], shown),
    );
    for (const { passageId } of section) if (!shown.has(passageId)) shown.set(passageId, whole.length);
    const above = first && { headingsAbove: first.headings, anchorAbove: first.anchor };
    whole.push({ ...passage, ...(first && joinPassagesInOrder(first, others)), ...above });
  }
  return whole;
}

/** Passages that follow one another as sections: each is its first passage, with the text of all. */
export function joinedSections<Found extends Candidate>(passages: readonly Found[]): Found[] {
  const sections: Found[][] = [];
  for (const passage of passages) {
    const open = sections.at(-1);
    const last = open?.at(-1);
    if (open !== undefined && last !== undefined && goesOn(last, passage) && fits(open, passage))
      open.push(passage);
    else sections.push([passage]);
  }
  return sections.flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...first, ...joinPassagesInOrder(first, others) }],
  );
}

/** Whether two show the same text: the same passage, or the same section of a page that has headings. */
export const isSameSection = (one: Candidate, other: Candidate): boolean =>
  one.passageId === other.passageId ||
  (one.pageId === other.pageId && one.anchor === other.anchor && one.anchor !== "");

/** The passages around some, by their pages: as many as their sections need. */
async function passagesAround(
  found: readonly Candidate[],
  read: ReadRuns,
): Promise<ReadonlyMap<number, readonly Candidate[]>> {
  const near = byPage(await read(found.map((each) => runAround(each, BESIDE_AT_FIRST))));
  const foundOn = byPage(found);
  const longer = [...foundOn].filter(([pageId, own]) => reachesOn(own, near.get(pageId) ?? []));
  if (longer.length === 0) return near;
  const more = longer.flatMap(([, own]) => own.map((each) => runAround(each, BESIDE)));
  return new Map([...near, ...byPage(await read(more))]);
}

/** Whether the section of one of the passages found on a page may go on where nothing was read. */
const reachesOn = (found: readonly Candidate[], near: readonly Candidate[]): boolean =>
  found.some((passage) => {
    const section = sectionAround(passage, near);
    const ends = [(section[0]?.position ?? 0) - 1, (section.at(-1)?.position ?? 0) + 1];
    return ends.some(
      (end) => end >= 0 && !found.some(({ position }) => Math.abs(position - end) <= BESIDE_AT_FIRST),
    );
  });

const byPage = (passages: readonly Candidate[]) => Map.groupBy(passages, ({ pageId }) => pageId);

const runAround = ({ pageId, position }: Candidate, beside: number): PassageRun => ({
  pageId,
  first: position - beside,
  last: position + beside,
});

/** The passages of the section of one of them, in order. */
function sectionAround(passage: Candidate, passages: readonly Candidate[]): Candidate[] {
  const at = new Map(passages.map((each) => [each.position, each]));
  let run = [at.get(passage.position) ?? passage];
  for (let turn = 0; ; turn++) {
    const below = belowOf(run, at);
    const above = aboveOf(run, at);
    if (below !== undefined && (above === undefined || turn % 3 < BELOW_OF_THREE)) run = [...run, below];
    else if (above !== undefined) run = [above, ...run];
    else return run;
  }
}

/** The next passage, where it is of the same section, or what the last one announces. */
function belowOf(run: readonly Candidate[], at: ReadonlyMap<number, Candidate>): Candidate | undefined {
  const last = run.at(-1);
  const next = last && at.get(last.position + 1);
  if (last === undefined || next === undefined) return undefined;
  if (goesOn(last, next)) return endsOpen(last) || fits(run, next) ? next : undefined;
  return endsOpen(last) && isWithin(next, last) ? next : undefined;
}

function aboveOf(run: readonly Candidate[], at: ReadonlyMap<number, Candidate>): Candidate | undefined {
  const [first] = run;
  const before = first && at.get(first.position - 1);
  return before && goesOn(before, first) && fits(run, before) ? before : undefined;
}

/** Whether a passage begins in the section in which the one before it ends. */
const goesOn = (before: Candidate, next: Candidate): boolean =>
  (before.innerHeadings.at(-1)?.anchor ?? before.anchor) === next.anchor;

/** Whether a passage's heading stands below that of the section in which the one before it ends. */
function isWithin({ headings }: Candidate, before: Candidate): boolean {
  const above = before.innerHeadings.at(-1)?.headingPath ?? before.headings;
  return headings.length > above.length && above.every((heading, depth) => headings[depth] === heading);
}

const endsOpen = ({ markdown }: Candidate): boolean => ENDS_OPEN.test(markdown);

/** Whether a passage that is not shown yet announces the one behind it. */
const isAnnounced = (before: Candidate | undefined, shown: ReadonlyMap<number, number>): boolean =>
  before !== undefined && !shown.has(before.passageId) && endsOpen(before);

const fits = (run: readonly Candidate[], next: Candidate): boolean =>
  run.reduce((sum, { markdown }) => sum + markdown.length, next.markdown.length) <= SECTION_CHARACTERS_MAX;

/** The text of passages of a page that follow one another, with the headings that stand between them. */
export function joinPassagesInOrder(first: Candidate, others: readonly Candidate[]): PassageText {
  let { anchor, headings } = first;
  const { markdown, text, innerHeadings, lacksWords } = first;
  let whole: PassageText = { markdown, text, innerHeadings, lacksWords };
  for (const next of others) {
    const last = whole.innerHeadings.at(-1);
    if (last !== undefined) ({ anchor, headingPath: headings } = last);
    if (next.anchor !== anchor && next.headings.length > 0)
      whole = joinPassages(whole, headingsOf(next, headings));
    whole = joinPassages(whole, next);
  }
  return whole;
}

/** The headings of a passage that do not stand above the one before it, its own in any case, as a text above it. */
function headingsOf({ headings, anchor }: Candidate, before: readonly string[]): PassageText {
  const other = headings.findIndex((heading, depth) => before[depth] !== heading);
  const from = other < 0 ? headings.length - 1 : other;
  const lines = headingLines(headings, from);
  const markdown = lines.join("\n\n");
  const text = headings.slice(from).join("\n");
  const offset = markdown.length - (lines.at(-1)?.length ?? 0);
  const textOffset = text.length - (headings.at(-1)?.length ?? 0);
  const inner = { offset, textOffset, anchor, headingPath: headings };
  return { markdown, text, innerHeadings: [inner], lacksWords: false };
}

/** The lines of the headings of a path, from that of a depth on. */
export const headingLines = (headings: readonly string[], from: number): string[] =>
  headings.slice(from).map((heading, index) => `${"#".repeat(Math.min(6, from + index + 1))} ${heading}`);

/** What passages of one page say, and where its headings are in that. */
type PassageText = Pick<Candidate, "markdown" | "text" | "innerHeadings" | "lacksWords">;

const GAP = "\n\n";

/** The text of two passages of a page that follow one another. */
export function joinPassages(above: PassageText, below: PassageText): PassageText {
  const start = above.markdown.length + GAP.length;
  const textStart = above.text.length + 1;
  return {
    markdown: `${above.markdown}${GAP}${below.markdown}`,
    text: `${above.text}\n${below.text}`,
    innerHeadings: [
      ...above.innerHeadings,
      ...below.innerHeadings.map(({ offset, textOffset, ...inner }) => ({
        ...inner,
        offset: offset + start,
        textOffset: textOffset + textStart,
      })),
    ],
    lacksWords: above.lacksWords || below.lacksWords,
  };
}
