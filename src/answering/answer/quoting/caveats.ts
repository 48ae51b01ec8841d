import { analyze } from "@docent/finding/search/analyze";
import { withoutCalloutMark } from "@docent/reading/markdown/callouts";
import { introduces, type ReadPiece } from "../pieces.ts";
import type { Candidate } from "./candidates.ts";
import type { QuestionKind } from "./question-kind.ts";

// As in `question-kind.ts`, the pattern has the words of several languages.
const UNSUPPORTED =
  /\b(?:is|are|was|were|be)(?: \w+ly)? not (?:(?:\w+ly|yet) )?(?:supported|possible|recommended|available|allowed)\b|\b(?:is|are)n['’]t (?:\w+ly )?(?:supported|possible|recommended|available)\b|\bunsupported\b|\b(?:does|do)(?: not|n['’]t) support\b|\bthere is no (?:supported )?way\b|\bnicht (?:\w+ )?(?:unterstützt|möglich|empfohlen)\b|\b(?:pas|non) (?:prise? en charge|possible|recommandée?|supportée?)\b|\bno (?:es|está|son|se) (?:compatible|posible|admit\w+|recomend\w+|soport\w+)\b|不支持|不可能|不推荐|サポートされて(?:いません|いない)|対応していません/iu;
/** The same, and words of what comes of it. */
const REFUSING = new RegExp(
  `${UNSUPPORTED.source}|\\b(?:insecure|unsafe|dangerous|deadlocks?|data loss|(?:must|should|may)(?: never| not|n['’]t)|cannot|never|unsicher|gefährlich|darf nicht|sollte nicht|dangereux|ne (?:doit|devez|faut) pas|peligroso|no (?:debe|se debe))\\b|危险|不安全|不应|不得|危険|べきではありません`,
  "iu",
);
/** A paragraph this short is quoted whole, because its other sentences say why. */
const REFUSAL_CHARACTERS = 400;
/** "This is not supported" is of the thing that its section is about. */
const ABOUT_SECTION = /^(?:this|it|dies|das|cela|esto)\b(?: \w+){0,2} (?:is|ist|est|es)\b/iu;
const ABOUT_CHARACTERS = 60;
/** The share of a question's words, by their rarity, that such a sentence must have to be about the same thing. */
const ABOUT_SHARE = 0.4;

const DRESS = /^[\s>*_]+/;
/** Begins a sentence that takes back a part of what the one before it says. */
const LIMITING =
  /^(?:however|but|unless|except|only|otherwise|note that|never|do not|don['’]t|you (?:cannot|can['’]t|must|may not)|(?:this|it|that|they)(?: \w+)? (?:only|cannot|requires?|(?:is|are|does|do|will|works?)(?:n['’]t| not| only))|(?:allerdings|jedoch|aber|außer|nur|dies \w+ nur|cependant|toutefois|mais|sauf|uniquement|sin embargo|pero|salvo|solo)\b)|^(?:但是?|不过|除非|仅|ただし|しかし)/iu;

/** The positions of the sentences around a piece without which it would be understood wrongly. */
export function neededFor(
  candidate: Candidate,
  { yesNo, permission }: Pick<QuestionKind, "yesNo" | "permission">,
  rarity: ReadonlyMap<string, number>,
): number[] {
  const { warning } = candidate;
  const limit = yesNo ? limitBelow(candidate) : undefined;
  const refusal = permission ? refusalBeside(candidate, rarity) : [];
  return [...(warning?.positions ?? []), caveatAbove(candidate, rarity), limit, ...refusal].filter(
    (position) => position !== undefined,
  );
}

/** What the same section says most of what is asked about that may not be done, or should not. */
function refusalBeside(candidate: Candidate, rarity: ReadonlyMap<string, number>): number[] {
  const section = sectionAround(candidate);
  const [best] = section
    .filter((one) => isSaid(one) && REFUSING.test(one.markdown) && saidBy(one, rarity) > 0)
    .toSorted((a, b) => saidBy(b, rarity) - saidBy(a, rarity));
  if (best === undefined) return [];
  const paragraph = section.filter(({ blockIndex }) => blockIndex === best.blockIndex);
  const length = paragraph.reduce((sum, { markdown }) => sum + markdown.length, 0);
  return (length <= REFUSAL_CHARACTERS ? paragraph : [best]).map(({ position }) => position);
}

const isSaid = ({ kind }: ReadPiece): boolean => kind === "paragraph" || kind === "quote";

/** The share of a question's words, by their rarity, that a piece has. */
const saidBy = ({ terms }: ReadPiece, rarity: ReadonlyMap<string, number>): number =>
  [...rarity].reduce((sum, [term, weight]) => sum + (terms.has(term) ? weight : 0), 0);

/** The pieces below the same heading, in order. */
function sectionAround({ piece, around }: Candidate): readonly ReadPiece[] {
  const headings = around.filter(({ kind }) => kind === "heading").map(({ position }) => position);
  const above = headings.findLast((position) => position < piece.position) ?? -1;
  return around.slice(
    above + 1,
    headings.find((position) => position > piece.position),
  );
}

/** The sentence right below that takes back a part of what is said. */
function limitBelow({ piece, around }: Candidate): number | undefined {
  if (piece.kind !== "paragraph") return undefined;
  const last = around.findLast(({ blockIndex }) => blockIndex === piece.blockIndex) ?? piece;
  return [around[piece.position + 1], around[last.position + 1]].find(
    (below) =>
      below !== undefined &&
      (below.kind === "paragraph" || below.kind === "quote") &&
      LIMITING.test(withoutCalloutMark(below.markdown).replace(DRESS, "")),
  )?.position;
}

/** The sentence above steps or code that says that the thing which is asked about is not supported. */
function caveatAbove(candidate: Candidate, rarity: ReadonlyMap<string, number>): number | undefined {
  const { piece, around } = candidate;
  if (piece.kind !== "code" && piece.kind !== "list" && !introduces(piece, around)) return undefined;
  const above = around.slice(0, piece.position).filter(isSaid);
  return above.findLast(
    (one) =>
      UNSUPPORTED.test(one.markdown) && (isOfSection(one, candidate) || saidBy(one, rarity) >= ABOUT_SHARE),
  )?.position;
}

/** The share of a heading's words that a sentence must have to be about what the section is called. */
const OF_HEADING_SHARE = 0.6;

/** Whether such a sentence is about all of a section: it says "this", or opens the section and has its heading's words. */
function isOfSection({ markdown, terms, blockIndex }: ReadPiece, candidate: Candidate): boolean {
  if (ABOUT_SECTION.test(markdown) && UNSUPPORTED.test(markdown.slice(0, ABOUT_CHARACTERS))) return true;
  const named = analyze(candidate.heading).filter((term) => !/\d/.test(term));
  const said = named.filter((term) => terms.has(term));
  const isOpening = sectionAround(candidate)[0]?.blockIndex === blockIndex;
  return isOpening && named.length > 1 && said.length >= OF_HEADING_SHARE * named.length;
}
