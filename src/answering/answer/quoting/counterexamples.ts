import { endsOpen, introduces, type ReadPiece } from "../pieces.ts";
import { codeInside } from "./saying.ts";

/** What says of a piece that it is not the way: the piece itself, unless one of these is given. */
export interface Warning {
  /** A heading above it. */
  heading?: string;
  /** The positions of the pieces that say so: the one before it, or those below it, with the better way. */
  positions?: readonly number[];
}

// As in `question-kind.ts`, each pattern has the words of several languages.
const MARK = "❌|✗|✘|✖|❎|🔴|⛔|🚫|👎";
const REFUSING =
  "(?:do not|don['’]t)(?! (?:disturb|track|forget|worry|hesitate|panic|need|have))|never|avoid(?!.*\\b(?:by|with)\\b)|not recommended|anti-?patterns?|what not to do|not like this|nicht empfohlen|vermeide\\w*|à éviter|évite[rz]|déconseillé|no recomendado|evit[ae]r?";
const FAULTY =
  "bad|incorrect|wrong|deprecated|discouraged|falsch|schlecht|veraltet|mauvais|obsolète|incorrecto?|malo?|obsoleto";
const THING = "way|example|usage|code|practice|pattern|approach|syntax";
const UNSPACED = "错误(?:示例|用法|做法|写法)|反例|不推荐|避免|已(?:弃用|废弃)|悪い例|誤った例|非推奨";
const AFTER_LABEL = `(?:\\s+(?:${THING})s?)?\\s*(?:[:：.!(]|$)`;
const BAD = new RegExp(
  `^(?:(?:${MARK})|(?:${REFUSING})(?![\\p{L}\\p{N}])|(?:${FAULTY})${AFTER_LABEL}|(?:${UNSPACED}))|(?:${MARK})$`,
  "iu",
);
/** Says so in the middle of a sentence that what follows belongs to. */
const BAD_INSIDE =
  /\b(?:is|are) (?:wrong|incorrect|bad|not recommended|discouraged|an anti-?pattern)\b|\b(?:will not|won['’]t|does(?: not|n['’]t)|do(?: not|n['’]t)) work\b/iu;
/** Says of what stands above it, which the sentence begins with, that it is not the way. */
const BAD_ABOVE =
  /^(?:this|that|it|the (?:above|(?:code|example|snippet|command|query|configuration|pattern|approach)(?: above)?)|(?:dies|das|cela|ceci|esto)(?! \p{L}+ nur))\b[^.:;]{0,40}?(?:\b(?:is|are) (?:wrong|incorrect|unsafe|insecure|broken|(?:a )?(?:bug|mistake|bad (?:idea|practice)|an anti-?pattern))\b|\b(?:will not|won['’]t|does(?: not|n['’]t)|cannot) work\b(?! (?:for|with|if|when|unless|on|in)\b)|\b(?:will|would|is going to) (?:fail|deadlock|crash|leak|break)\b|\b(?:ist falsch|funktioniert nicht|est incorrecte?|ne fonctionne pas|es incorrecto|no funciona)\b)/iu;
/** Names what goes wrong: with the better way right below, it is what stands above that does. */
const FAULT =
  /\b(?:race conditions?|deadlocks?|memory leaks?|data loss|leaks?|fails?|crash(?:es)?|bug|problems?|trouble|pitfall|drawback|downside|unsafe|insecure|dangerous|inefficient|wrong|incorrect|(?:does(?: not|n['’]t)|won['’]t|will not|cannot) work|Problem|Fehler|falsch|problème|erreur|problema|fallo)\b|问题|問題|错误/iu;
/** A fault that is of a case, or of what comes next. */
const OF_OTHERS = /\b(?:if|when|in case|unless|the following|below|wenn|falls|si|lorsque|cuando)\b/iu;
/** Begins the better way. */
const MENDING =
  /\b(?:instead|(?:the|a|one|better|simple|correct) (?:solution|fix|way)|to (?:fix|solve|prevent|avoid) (?:this|that|it)|stattdessen|die Lösung|à la place|la solution|en su lugar|la solución)\b|解决|代わりに/iu;
const CONDITION = /^(?:if|when|should|in case|where|wenn|falls|si)\b/iu;
const GOOD =
  /^(?:✅|✔|🟢|👍|(?:good|correct|right|better|recommended|prefer(?:red)?|instead|do|after|richtig|besser|stattdessen|bon|correcte?|recommandé|plutôt|bueno|correcto|recomendado|en su lugar)(?![\p{L}\p{N}'’])(?! not)|正确|推荐|良い例|正しい)/iu;
const BEFORE = /^(?:before|vorher|avant|antes|之前|変更前)\s*(?:\([^)]*\))?[:：]?$/iu;
const AFTER = /^(?:after|nachher|après|después|之后|変更後)\s*(?:\([^)]*\))?[:：]?$/iu;
const DRESS = /^[\s>*_#-]+|[\s*_]+$/g;
const COMMENT = /^\s*(?:\/\/|\/\*|#|--|;|<!--)\s*(.*?)\s*(?:\*\/|-->)?$/;
const COMMENT_LINES = 3;
/** Longer code is not shown beside what it is the better way of. */
const BETTER_CHARACTERS_MAX = 700;
/** A label above code is this short. */
const LABEL_CHARACTERS_MAX = 40;

/** A question that wants to know what not to do. */
const ASKS_FOR_IT =
  /\b(?:avoid\w*|wrong|bad|mistakes?|pitfalls?|anti-?patterns?|deprecated|discouraged|not recommended|(?:should|do)(?: not|n['’]t)|vermeiden|falsch|veraltet|éviter|évite|evitar|obsolet\w*)\b|避免|弃用|非推奨/iu;

/** Whether a question asks for what pages warn of. */
export const asksWhatNotToDo = (question: string): boolean => ASKS_FOR_IT.test(question);

/** What warns of a piece, where something does. `headings` are those above it, the nearest last. */
export function warningOf(
  piece: ReadPiece,
  around: readonly ReadPiece[],
  headings: readonly string[],
): Warning | undefined {
  const { kind, blockIndex, position } = piece;
  const first = around.find((other) => other.blockIndex === blockIndex)?.position ?? position;
  const lead = around[first - 1];
  const said = lead?.kind === "paragraph" ? undressed(lead.markdown) : "";
  if (kind === "code" && isBadCode(piece)) return {};
  if (kind === "paragraph" && introducesBad(piece, around)) return {};
  if (kind !== "paragraph" && isBadLead(lead, around)) return { positions: [first - 1] };
  const below = faultBelow(introduces(piece, around) ? around[position + 1] : piece, around);
  if (below.length > 0) return { positions: below };
  if (GOOD.test(said) || GOOD.test(undressed(piece.markdown))) return undefined;
  const heading = headings.findLast((words) => isBadHeading(undressed(words), around));
  return heading === undefined || GOOD.test(undressed(headings.at(-1) ?? "")) ? undefined : { heading };
}

const undressed = (markdown: string): string => markdown.replace(DRESS, "");

function isBadCode({ markdown }: ReadPiece): boolean {
  const comments = codeInside(markdown)
    .split("\n")
    .map((line) => COMMENT.exec(line)?.[1] ?? "");
  return (
    comments.slice(0, COMMENT_LINES).some((said) => BAD.test(said)) &&
    !comments.some((said) => GOOD.test(said))
  );
}

/** Whether a sentence says of the code or the list after it that it is not the way. */
function introducesBad(piece: ReadPiece, around: readonly ReadPiece[]): boolean {
  const next = around[piece.position + 1];
  const isLead = next !== undefined && next.kind !== "paragraph" && next.kind !== "heading";
  return isLead && isBadLead(piece, around);
}

function isBadLead(lead: ReadPiece | undefined, around: readonly ReadPiece[]): boolean {
  if (lead?.kind !== "paragraph") return false;
  const said = undressed(lead.markdown);
  if (!endsOpen(lead) && said.length > LABEL_CHARACTERS_MAX) return false;
  if (BAD.test(said) || isBefore(said, around)) return true;
  return BAD_INSIDE.test(said) && endsOpen(lead) && !CONDITION.test(said);
}

/**
 * The positions of the sentence below code that says that it goes wrong, and of the better way where that follows: "This will
 * not work", or "There is a race condition" above the code that has none.
 */
function faultBelow(code: ReadPiece | undefined, around: readonly ReadPiece[]): number[] {
  if (code?.kind !== "code") return [];
  const below = around.slice(code.position + 1);
  const end = below.findIndex(({ kind }) => kind !== "paragraph" && kind !== "quote");
  const said = end < 0 ? below : below.slice(0, end);
  const lead = said.at(-1);
  const mended = below[end]?.kind === "code" && MENDING.test(lead?.markdown ?? "") ? below[end] : undefined;
  const fault = said.find(
    ({ markdown }, index) =>
      (index === 0 && BAD_ABOVE.test(undressed(markdown))) ||
      (mended !== undefined && FAULT.test(markdown) && !OF_OTHERS.test(markdown)),
  );
  if (fault === undefined) return [];
  const better = mended === undefined || mended.markdown.length > BETTER_CHARACTERS_MAX ? [] : [lead, mended];
  return [fault, ...better].flatMap((piece) => piece?.position ?? []);
}

const isBadHeading = (words: string, around: readonly ReadPiece[]): boolean =>
  BAD.test(words) || isBefore(words, around);

/** What was written before is bad where what is written now stands beside it. */
const isBefore = (said: string, around: readonly ReadPiece[]): boolean =>
  BEFORE.test(said) && around.some(({ markdown }) => AFTER.test(undressed(markdown)));
