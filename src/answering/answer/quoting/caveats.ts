import { withoutCalloutMark } from "@docent/reading/markdown/callouts";
import { introduces } from "../pieces.ts";
import type { Candidate } from "./candidates.ts";
import type { QuestionKind } from "./question-kind.ts";

// As in `question-kind.ts`, the pattern has the words of several languages.
const UNSUPPORTED =
  /\b(?:is|are|was|were|be)(?: \w+ly)? not (?:(?:\w+ly|yet) )?(?:supported|possible|recommended|available|allowed)\b|\b(?:is|are)n['’]t (?:\w+ly )?(?:supported|possible|recommended|available)\b|\bunsupported\b|\b(?:does|do)(?: not|n['’]t) support\b|\bthere is no (?:supported )?way\b|\bnicht (?:\w+ )?(?:unterstützt|möglich|empfohlen)\b|\b(?:pas|non) (?:prise? en charge|possible|recommandée?|supportée?)\b|\bno (?:es|está|son|se) (?:compatible|posible|admit\w+|recomend\w+|soport\w+)\b|不支持|不可能|不推荐|サポートされて(?:いません|いない)|対応していません/iu;
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
  { yesNo }: Pick<QuestionKind, "yesNo">,
  rarity: ReadonlyMap<string, number>,
): number[] {
  const { warning } = candidate;
  const limit = yesNo ? limitBelow(candidate) : undefined;
  return [warning?.position, caveatAbove(candidate, rarity), limit].filter(
    (position) => position !== undefined,
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
function caveatAbove({ piece, around }: Candidate, rarity: ReadonlyMap<string, number>): number | undefined {
  if (piece.kind !== "code" && piece.kind !== "list" && !introduces(piece, around)) return undefined;
  const above = around
    .slice(0, piece.position)
    .filter(({ kind }) => kind === "paragraph" || kind === "quote");
  return above.findLast(
    ({ markdown, terms }) =>
      UNSUPPORTED.test(markdown) &&
      ((ABOUT_SECTION.test(markdown) && UNSUPPORTED.test(markdown.slice(0, ABOUT_CHARACTERS))) ||
        [...rarity].reduce((sum, [term, weight]) => sum + (terms.has(term) ? weight : 0), 0) >= ABOUT_SHARE),
  )?.position;
}
