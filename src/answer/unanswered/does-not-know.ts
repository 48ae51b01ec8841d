import { scanBlocks } from "../../markdown/md/md.ts";
import { plainText } from "../../markdown/plain-text.ts";
import { CONDITION, CONTRAST, COURTESIES, REFUSALS } from "./refusal-words.ts";

/** An answer that says so is short. */
const CHARACTERS_MAX = 700;
const SENTENCE_END = /(?<=[。！？])|(?<=[.!?])\s+|\n+/u;
const LINKED = /\[\[(\d{1,3})\]\]\([^()\s]*\)/g;
const CITED = /\[\d{1,3}\]/;

/**
 * Whether an answer says that the docs do not answer, and nothing else: `notCovered` is the sentence that a model is
 * asked to say then. An answer that goes on to state something is an answer.
 */
export function doesNotKnow(answer: string, notCovered: string): boolean {
  const told = answer.replace(LINKED, "[$1]").replaceAll(notCovered, "\n").trim();
  if (told === "") return answer.trim() !== "";
  if (told.length > CHARACTERS_MAX || scanBlocks(told).some(({ kind }) => !PROSE.has(kind))) return false;
  const clauses = told.split(SENTENCE_END).flatMap(clausesOf);
  const refuses = answer.includes(notCovered) || clauses.some(isRefusal);
  return refuses && clauses.every((clause) => isRefusal(clause) || isCourtesy(clause));
}

const PROSE: ReadonlySet<string> = new Set(["paragraph", "heading", "quote"]);

function clausesOf(sentence: string): string[] {
  return sentence.split(CONTRAST).filter((clause) => /\p{L}/u.test(clause));
}

function isRefusal(clause: string): boolean {
  const plain = plainText(clause.replace(/\s?\[\d{1,3}\]/g, ""));
  return !CONDITION.test(plain) && REFUSALS.some((refusal) => refusal.test(plain));
}

/** What cites something or asks something back is no statement, or no courtesy. */
function isCourtesy(clause: string): boolean {
  if (CITED.test(clause) || clause.includes("`")) return false;
  return /[?？]\W*$/u.test(clause) || COURTESIES.some((courtesy) => courtesy.test(clause.trim()));
}
