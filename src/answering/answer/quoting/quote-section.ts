import { analyzeQuestion } from "@docent/finding/search/analyze";
import { introduces, type ReadPiece } from "../pieces.ts";
import type { NumberedPassage } from "../responder.ts";
import { charactersOf, isLeantOn, type Quote, withNeeded } from "./build-quote.ts";
import { isCodeAsText } from "./candidates.ts";
import { saysSomething } from "./saying.ts";
import { whatFollows, withShortOutput } from "./symptoms.ts";
import type { Weighed } from "./weigh-candidates.ts";

/** A section this short is quoted whole. */
const WHOLE_CHARACTERS = 1000;
/** Of a longer one, so much around the piece that says most. */
const CHARACTERS_MAX = 600;
/** Search has ordered and weighed the passages, and here it says more than any single sentence. */
const RANK_SHARE = 0.85;
/** An answer stands below the words of its question twice as often as above them. */
const BELOW_OF_THREE = 2;

/**
 * The section around the piece that says most of a question, in order: where it is not sure which of its sentences answers,
 * a few of them would be a guess.
 */
export function quoteSection(
  weighed: readonly Weighed[],
  passages: readonly Pick<NumberedPassage, "relevance">[],
): Quote[] {
  const inOrder = ({ strength, passage }: Weighed) =>
    strength * (passages[passage]?.relevance ?? 0) * RANK_SHARE ** passage;
  const [found] = weighed.toSorted((a, b) => inOrder(b) - inOrder(a));
  return found === undefined ? [] : quoteAround(found);
}

/**
 * The beginning of the section that was found first, if it has a word of the question anywhere. Where the passage has several
 * short sections, it is the one that says most of the question.
 */
export function quoteFirstSection(weighed: readonly Weighed[], asked: string): Quote[] {
  const terms = analyzeQuestion(asked);
  const own = weighed.filter(({ passage }) => passage === 0);
  const says = ({ piece, headingTerms }: Weighed) =>
    terms.some((term) => piece.terms.has(term) || headingTerms.has(term));
  const [best] = own.toSorted((a, b) => b.strength - a.strength);
  const first = own.find(({ heading }) => heading === best?.heading);
  return first === undefined || !own.some(says) ? [] : quoteAround(first);
}

function quoteAround(found: Weighed): Quote[] {
  const isShort = charactersOf([...found.around.keys()], found.around) <= WHOLE_CHARACTERS;
  const core = isShort ? found : withShortOutput(found);
  const { around, passage, strength } = core;
  const positions = withNeeded(core, positionsAround(core)).filter((position) =>
    isShown(around[position], around),
  );
  return [{ passage, positions, strength, core, characters: charactersOf(positions, around) }];
}

function isShown(piece: ReadPiece | undefined, around: readonly ReadPiece[]): boolean {
  return (
    piece !== undefined &&
    (piece.kind === "heading" || (saysSomething(piece) && !isCodeAsText(piece, around)))
  );
}

function positionsAround({ piece, around, isSymptom }: Weighed): number[] {
  const all = around.map(({ position }) => position);
  if (charactersOf(all, around) <= WHOLE_CHARACTERS) return withoutLooseEnd(all, around);
  const below = isSymptom ? whatFollows(piece.position, around, CHARACTERS_MAX - piece.markdown.length) : [];
  let [first, last] = [piece.position, below.at(-1) ?? piece.position];
  for (let turn = 0; ; turn++) {
    const growsDown = grows(first, last + 1, around);
    const growsUp = grows(first - 1, last, around);
    if (growsDown && (!growsUp || turn % 3 < BELOW_OF_THREE)) last += 1;
    else if (growsUp) first -= 1;
    else break;
  }
  if (isLeantOn(around[first - 1], around[first])) first -= 1;
  return withoutLooseEnd(all.slice(first, last + 1), around);
}

/** Whether a run of pieces is within its passage and the room that there is, and goes not beyond its heading. */
function grows(first: number, last: number, around: readonly ReadPiece[]): boolean {
  const run = around.slice(Math.max(0, first), last + 1);
  const isWithin = first >= 0 && last < around.length && run.every(({ kind }) => kind !== "heading");
  const positions = run.map(({ position }) => position);
  return isWithin && charactersOf(positions, around) <= CHARACTERS_MAX;
}

/** A run without the end of it that says what comes next, and is not there. */
function withoutLooseEnd(positions: readonly number[], around: readonly ReadPiece[]): number[] {
  const end = positions.findLastIndex((position) => {
    const piece = around[position];
    return piece !== undefined && piece.kind !== "heading" && !introduces(piece, around);
  });
  return end < 0 ? [...positions] : positions.slice(0, end + 1);
}
