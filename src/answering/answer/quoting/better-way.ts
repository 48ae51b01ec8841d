import { endsOpen, type ReadPiece } from "../pieces.ts";
import { codeInside } from "./saying.ts";

// As in `question-kind.ts`, each pattern has the words of several languages.
const GOOD =
  /^(?:✅|✔|🟢|👍|(?:good|correct|right|better|recommended|prefer(?:red)?|instead|do|after|richtig|besser|stattdessen|bon|correcte?|recommandé|plutôt|bueno|correcto|recomendado|en su lugar)(?![\p{L}\p{N}'’])(?! not)|正确|推荐|良い例|正しい)/iu;
/** Says of what stands above it, which the sentence begins with, that it is not the way. */
const BAD_ABOVE =
  /^(?:this|that|it|the (?:above|(?:code|example|snippet|command|query|configuration|pattern|approach)(?: above)?)|(?:dies|das|cela|ceci|esto)(?! \p{L}+ nur))\b[^.:;]{0,40}?(?:\b(?:is|are) (?:wrong|incorrect|unsafe|insecure|broken|(?:a )?(?:bug|mistake|bad (?:idea|practice)|an anti-?pattern))\b|\b(?:will not|won['’]t|does(?: not|n['’]t)|cannot) work\b(?! (?:for|with|if|when|unless|on|in)\b)|\b(?:will|would|is going to) (?:fail|deadlock|crash|leak|break)\b|\b(?:ist falsch|funktioniert nicht|est incorrecte?|ne fonctionne pas|es incorrecto|no funciona)\b)/iu;
/** Names what goes wrong: with the better way below, it is what stands above that does. */
const FAULT =
  /\b(?:race conditions?|deadlocks?|memory leaks?|data loss|leaks?|fails?|crash(?:es)?|bug|problems?|trouble|pitfall|drawback|downside|unsafe|insecure|dangerous|inefficient|errors?|exceptions?|wrong|incorrect|(?:does(?: not|n['’]t)|won['’]t|will not|cannot) work|Problem|Fehler|falsch|problème|erreur|problema|fallo)\b|问题|問題|错误/iu;
/** A fault that is of a case, or of what comes next. */
const OF_OTHERS = /\b(?:if|when|in case|unless|the following|below|wenn|falls|si|lorsque|cuando)\b/iu;
/** Begins the better way. */
const MENDING =
  /\b(?:instead(?! of)|(?:the|a|one|better|simple|correct) (?:solution|fix|way)|to (?:fix|solve|prevent|avoid) (?:this|that|it)|stattdessen|die Lösung|à la place|la solution|en su lugar|la solución)\b|解决|代わりに/iu;
const DRESS = /^[\s>*_#-]+|[\s*_]+$/g;
const COMMENT = /^\s*(?:\/\/|\/\*|#|--|;|<!--)\s*(.*?)\s*(?:\*\/|-->)?$/;
/** A label above code is this short. */
export const LABEL_CHARACTERS_MAX = 40;
/** Longer code is not shown beside what it is the better way of. */
const BETTER_CHARACTERS_MAX = 700;
/** Between code that goes wrong and code that doesn't, there is the output of one at most. */
const BLOCKS_OF_CODE_MAX = 2;

/** A text without the marks of headings, lists and bold words around it. */
export const undressed = (markdown: string): string => markdown.replace(DRESS, "");

/** Whether words say of what they stand above that it is the way. */
export const isGood = (said: string): boolean => GOOD.test(said);

/** For each line of a block of code, the comment that it is; "" where it is none. */
export const commentsOf = (code: string): string[] =>
  codeInside(code)
    .split("\n")
    .map((line) => COMMENT.exec(line)?.[1] ?? "");

/** The positions of the better way below code of the same section, and of the sentence that leads to it. */
export function betterBelow(code: ReadPiece | undefined, around: readonly ReadPiece[]): number[] {
  const below = belowOf(code, around);
  const blocks = below.filter(({ kind }) => kind === "code").slice(0, BLOCKS_OF_CODE_MAX);
  const better = blocks.find((block) => isBetter(block, around[block.position - 1]));
  if (better === undefined) return [];
  const lead = around[better.position - 1];
  const isShort = better.markdown.length <= BETTER_CHARACTERS_MAX;
  return [lead?.kind === "paragraph" ? lead : undefined, isShort ? better : undefined].flatMap(
    (piece) => piece?.position ?? [],
  );
}

function isBetter({ markdown }: ReadPiece, lead: ReadPiece | undefined): boolean {
  if (commentsOf(markdown).some(isGood)) return true;
  if (lead?.kind !== "paragraph") return false;
  const said = undressed(lead.markdown);
  return MENDING.test(said) || (isGood(said) && (endsOpen(lead) || said.length <= LABEL_CHARACTERS_MAX));
}

/** What stands below a piece, up to the next heading. */
function belowOf(piece: ReadPiece | undefined, around: readonly ReadPiece[]): readonly ReadPiece[] {
  if (piece === undefined) return [];
  const below = around.slice(piece.position + 1);
  const end = below.findIndex(({ kind }) => kind === "heading");
  return end < 0 ? below : below.slice(0, end);
}

/**
 * The positions of the sentence below code that says that it goes wrong, and of the better way where that follows: "This will
 * not work", or "There is a race condition" above the code that has none.
 */
export function faultBelow(code: ReadPiece | undefined, around: readonly ReadPiece[]): number[] {
  if (code?.kind !== "code") return [];
  const below = belowOf(code, around);
  const end = below.findIndex(({ kind }) => kind !== "paragraph" && kind !== "quote");
  const said = end < 0 ? below : below.slice(0, end);
  const refused = said[0] !== undefined && isFaultOfAbove(said[0], code) ? said[0] : undefined;
  const named = refused ?? said.find(({ markdown }) => FAULT.test(markdown) && !OF_OTHERS.test(markdown));
  if (named === undefined) return [];
  const better = betterBelow(code, around);
  return refused === undefined && better.length === 0 ? [] : [named.position, ...better];
}

/** Whether a sentence says of the code right above it that it goes wrong. */
export const isFaultOfAbove = ({ kind, markdown }: ReadPiece, above: ReadPiece | undefined): boolean =>
  above?.kind === "code" && kind !== "code" && BAD_ABOVE.test(undressed(markdown));
