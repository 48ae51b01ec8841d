import { namedNumbers, PASSAGE_NAMES } from "./cited-numbers.ts";

/** Parentheses at the start of a text. `isSure` where they call what they cite a passage. */
interface InParentheses {
  length: number;
  numbers: number[];
  isSure: boolean;
}

/** The longest parentheses that are read: `(according to passages 1, 2 and 3)`. */
export const IN_PARENTHESES_CHARACTERS_MAX = 80;
const LEADS = [
  "see ",
  "see also ",
  "from ",
  "per ",
  "as per ",
  "cf. ",
  "according to ",
  "based on ",
  "siehe ",
  "voir ",
  "ver ",
];
const LEAD = new RegExp(`^\\((?:${LEADS.map((lead) => lead.replace(".", "\\.")).join("|")})?`, "i");
/** Numbers alone: `1`, `1, 2`. */
const BARE = /^[1-9]\d?(?:\s?[,;]\s?[1-9]\d?)*$/;
const MAY_BE_BARE = /^\([\d,;\s]{0,20}$/;
/** What follows a name: a mark, and from the first number on anything that may stand between numbers. */
const NUMBERS_BEGUN = /^[\s:#_.]*(?:[\d^[][^)\n]*)?$/;
/** The longest word between numbers that is no name: `and`. */
const JOINT_CHARACTERS_MAX = 3;
/** What follows a citation at the end of a sentence, or of a part of it. */
const SENTENCE_ENDS = /^(?:$|[.,;!?。，；！？]|\s*\n|\s*$)/;
/** Words whose number is no passage's. */
const NUMBERED =
  /(?:^|[\s("'*`])(?:steps?|options?|sections?|figures?|tables?|chapters?|items?|points?|notes?|lines?|versions?|codes?|levels?|exit|status|state|errors?|examples?|parts?|phases?|cases?|rules?|class|type|id|port|page|number|value|default|zero|one|two|three|four|five|six|seven|eight|nine|ten|true|false|yes|no|on|off|enabled|disabled|success|failure|tuples?|pairs?|shape|range|position|size|vector|array|list|set|coordinates?)[*"'`]*\s$/i;
const ENUMERATES = /\(\d{1,2}\)\s+[\p{L}`*]/u;
/** A word, or a mark that closes one, and a space. */
const BEHIND_WORD = /[\p{L}\p{N}"'”’»)\]*_`.!?]\s$/u;

/**
 * What parentheses at the start of a text cite. Undefined where they are words, "undecided" while they may still turn out
 * to cite something.
 */
export function parenthesesAt(
  text: string,
  before: string,
  isWhole: boolean,
): InParentheses | "undecided" | undefined {
  const close = text.slice(0, IN_PARENTHESES_CHARACTERS_MAX).indexOf(")");
  if (close === -1) return !isWhole && mayCite(text) ? "undecided" : undefined;
  const length = close + 1;
  const inside = text.slice(LEAD.exec(text)?.[0].length ?? 1, close);
  const bracketed = /^[\s\d[\],;&–^-]*$/.test(inside) && /^\[.*\]$/.test(inside);
  const named = namedNumbers(bracketed ? `ref ${inside.replace(/[[\]]/g, "")}` : inside);
  if (named !== undefined) return { length, numbers: named, isSure: true };
  if (!BARE.test(text.slice(1, close)) || !mayBeCited(before)) return undefined;
  const after = text.slice(length);
  if (!isWhole && /^\s*$/.test(after) && !after.includes("\n")) return "undecided";
  if (!SENTENCE_ENDS.test(after)) return undefined;
  return { length, numbers: inside.split(/[,;]/).map(Number), isSure: false };
}

const mayBeCited = (before: string) =>
  BEHIND_WORD.test(before) && !NUMBERED.test(before) && !ENUMERATES.test(before);

/** Whether open parentheses may still cite something. */
function mayCite(text: string): boolean {
  if (text.length >= IN_PARENTHESES_CHARACTERS_MAX) return false;
  if (MAY_BE_BARE.test(text)) return true;
  const lower = text.slice(1).toLowerCase();
  if (LEADS.some((lead) => lead.startsWith(lower))) return true;
  const rest = lower.slice((LEAD.exec(text)?.[0].length ?? 1) - 1);
  const name = /^\p{L}*/u.exec(rest)?.[0] ?? "";
  const behind = rest.slice(name.length);
  if (behind === "") return mayBeName(name);
  const others = behind.match(/\p{L}+/gu) ?? [];
  const isName = name === "" || PASSAGE_NAMES.includes(name) || PASSAGE_NAMES.includes(name.slice(0, -1));
  const isJoined = others.every((each) => each.length <= JOINT_CHARACTERS_MAX || mayBeName(each));
  return isName && isJoined && NUMBERS_BEGUN.test(behind);
}

/** Whether a word is what a passage is called, or the beginning of that. */
const mayBeName = (word: string) =>
  PASSAGE_NAMES.some(
    (name) => name.startsWith(word) || (word.startsWith(name) && /^[sn]$/.test(word.slice(name.length))),
  );
