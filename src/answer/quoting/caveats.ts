import type { Candidate } from "./candidates.ts";
import { introduces } from "./saying.ts";

// As in `question-kind.ts`, the pattern has the words of several languages.
const UNSUPPORTED =
  /\b(?:is|are|was|were|be)(?: \w+ly)? not (?:(?:\w+ly|yet) )?(?:supported|possible|recommended|available|allowed)\b|\b(?:is|are)n['’]t (?:\w+ly )?(?:supported|possible|recommended|available)\b|\bunsupported\b|\b(?:does|do)(?: not|n['’]t) support\b|\bthere is no (?:supported )?way\b|\bnicht (?:\w+ )?(?:unterstützt|möglich|empfohlen)\b|\b(?:pas|non) (?:prise? en charge|possible|recommandée?|supportée?)\b|\bno (?:es|está|son|se) (?:compatible|posible|admit\w+|recomend\w+|soport\w+)\b|不支持|不可能|不推荐|サポートされて(?:いません|いない)|対応していません/iu;
/** "This is not supported" is of the thing that its section is about. */
const ABOUT_SECTION = /^(?:this|it|dies|das|cela|esto)\b(?: \w+){0,2} (?:is|ist|est|es)\b/iu;
const ABOUT_CHARACTERS = 60;
/** The share of a question's words, by their rarity, that such a sentence must have to be about the same thing. */
const ABOUT_SHARE = 0.4;

/** The position of the sentence above steps or code that says that the thing which is asked about is not supported. */
export function caveatOf(
  { piece, around }: Candidate,
  rarity: ReadonlyMap<string, number>,
): number | undefined {
  if (piece.kind !== "code" && piece.kind !== "list" && !introduces(piece)) return undefined;
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
