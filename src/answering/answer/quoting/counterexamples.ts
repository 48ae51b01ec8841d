import { endsOpen, introduces, type ReadPiece } from "../pieces.ts";
import {
  betterBelow,
  commentsOf,
  faultBelow,
  isFaultOfAbove,
  isGood,
  LABEL_CHARACTERS_MAX,
  undressed,
} from "./better-way.ts";

/** What says of a piece that it is not the way: the piece itself, unless one of these is given. */
export interface Warning {
  /** A heading above it. */
  heading?: string;
  /** The positions of the pieces that say so: the one before it, or those below it, with the better way. */
  positions?: readonly number[];
}

// As in `question-kind.ts`, each pattern has the words of several languages.
const MARK = "❌|✗|✘|✖|❎|🔴|⛔|🚫|🚩|👎";
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
const CONDITION = /^(?:if|when|should|in case|where|wenn|falls|si)\b/iu;
const BEFORE = /^(?:before|vorher|avant|antes|之前|変更前)\s*(?:\([^)]*\))?[:：]?$/iu;
const AFTER = /^(?:after|nachher|après|después|之后|変更後)\s*(?:\([^)]*\))?[:：]?$/iu;
/** A mark says more than words do, wherever it stands in the comments of code. */
const MARKED = new RegExp(`(?://|/\\*|#|--|;|<!--)\\s*(?:${MARK})`, "u");
const COMMENT_LINES = 3;

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
  const shown = kind === "paragraph" && introduces(piece, around) ? around[position + 1] : piece;
  const isBad = shown?.kind === "code" && isBadCode(shown);
  if (isBad || (kind === "paragraph" && introducesBad(piece, around)))
    return { positions: betterBelow(shown, around) };
  if (kind !== "paragraph" && isBadLead(lead, around))
    return { positions: [first - 1, ...betterBelow(piece, around)] };
  const below = faultBelow(shown, around);
  if (below.length > 0) return { positions: below };
  if (position === first && isFaultOfAbove(piece, lead)) return { positions: [first - 1] };
  const said = lead?.kind === "paragraph" ? undressed(lead.markdown) : "";
  if (isGood(said) || isGood(undressed(piece.markdown))) return undefined;
  const heading = headings.findLast((words) => isBadHeading(undressed(words), around));
  return heading === undefined || isGood(undressed(headings.at(-1) ?? "")) ? undefined : { heading };
}

/** The positions of what warns of code, without its headings. */
export const warningsOf = (code: ReadPiece, around: readonly ReadPiece[]): readonly number[] =>
  warningOf(code, around, [])?.positions ?? [];

function isBadCode({ markdown }: ReadPiece): boolean {
  const comments = commentsOf(markdown);
  const isLabelled = comments.slice(0, COMMENT_LINES).some((said) => BAD.test(said));
  return (isLabelled || MARKED.test(markdown)) && !comments.some(isGood);
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

const isBadHeading = (words: string, around: readonly ReadPiece[]): boolean =>
  BAD.test(words) || isBefore(words, around);

/** What was written before is bad where what is written now stands beside it. */
const isBefore = (said: string, around: readonly ReadPiece[]): boolean =>
  BEFORE.test(said) && around.some(({ markdown }) => AFTER.test(undressed(markdown)));
