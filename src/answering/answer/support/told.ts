import { analyze, isStopWord } from "@docent/finding/search/analyze";
import { languageOf } from "@docent/kernel/text/language-of";
import { plainText } from "@docent/reading/markdown/plain-text";
import { cutPieces } from "../pieces.ts";
import { denialsIn, hedges } from "./denials.ts";
import { type Quantity, quantitiesIn } from "./quantities.ts";
import type { SupportPassage } from "./supporting-passages.ts";

/** A part of a sentence that says one thing. */
export interface Clause {
  text: string;
  /** Its telling words. */
  terms: Set<string>;
  /** Whether it is a denial; undefined where its words do not tell. */
  denies: boolean | undefined;
}

/** A sentence, row or code block of a passage, in a form in which facts can be looked up. */
export interface ToldPiece {
  isCode: boolean;
  text: string;
  terms: Set<string>;
  quantities: Quantity[];
  clauses: Clause[];
  /** Whether a denial, or what may be one, stands anywhere in it. */
  mayDeny: boolean;
}

/** A passage in a form in which facts can be looked up. */
export interface ToldPassage {
  language: string | undefined;
  /** All that it says, in lower case, with its headings. */
  text: string;
  about: Set<string>;
  pieces: ToldPiece[];
}

const CLAUSE_END =
  /[.!?]\s+|[,;:：，；、。()（）]\s*|\s[-–]\s|\s?—\s?|\s(?=(?:and|but|while|whereas|because|since|so|if|when|unless|which|und|aber|während|weil|wenn|et|mais|y|pero)\s)/u;
/** An answer's first word, to the question and not of the statement. */
export const REPLY = /^\s*(?:yes|no|ja|nein|oui|non|sí|si|是的?|不是|不)\s*[,.:;–—，。：]\s*/iu;

/** How many clauses of a sentence are looked at. */
const CLAUSES_MAX = 40;

/** The clauses of a sentence, in order. */
export function clausesOf(text: string): Clause[] {
  return text
    .replace(REPLY, "")
    .split(CLAUSE_END)
    .slice(0, CLAUSES_MAX)
    .map((clause) => toClause(clause ?? ""));
}

/** Whether a text denies something, or may. */
export const mayDeny = (text: string): boolean => denialsIn(text) > 0 || hedges(text);

function toClause(text: string): Clause {
  const denials = denialsIn(text);
  const denies = hedges(text) || denials > 1 ? undefined : denials === 1;
  return { text, terms: termsOf(text), denies };
}

/** Words that a question is not searched by, and that a statement is made of. */
const TELLING = new Set(analyze("see use work need know help go same other after before"));

/** The telling words of a text, without its numbers; of a name, its parts. */
export function termsOf(text: string): Set<string> {
  const all = [...new Set(analyze(text))].filter(
    (term) => (!isStopWord(term) || TELLING.has(term)) && !/^[\d.,:]+$|(?!^-)[^\p{L}\p{N}]/u.test(term),
  );
  const known = new Set(all);
  const isJoined = (term: string) =>
    all.some(
      (start) => term.length > start.length && term.startsWith(start) && known.has(term.slice(start.length)),
    );
  return new Set(all.filter((term) => !isJoined(term)));
}

const WORDS_MIN = 8;
const STOP_SHARE_MIN = 0.12;

/** Whether a text is not English, as far as its small words tell: `languageOf` wants to be certain, and takes more of it. */
export function seemsForeign(text: string): boolean {
  const words =
    text
      .replace(/```[\s\S]*?```|`[^`]*`/g, " ")
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  return words.length >= WORDS_MIN && words.filter(isStopWord).length / words.length < STOP_SHARE_MIN;
}

/** Reads what a passage says. */
export function readTold({
  title,
  headings = [],
  text: markdown,
}: Omit<SupportPassage, "number">): ToldPassage {
  const head = [title, ...headings].join("\n");
  const pieces = cutPieces(markdown, "en").map(({ kind, header = "", markdown: own }): ToldPiece => {
    const plain = plainText(own);
    const text = header === "" ? plain : `${plainText(header)}\n${plain}`;
    return {
      isCode: kind === "code",
      text: plain,
      terms: new Set(analyze(text)),
      quantities: quantitiesIn(text),
      clauses: kind === "code" ? [] : clausesOf(plain),
      mayDeny: mayDeny(plain),
    };
  });
  const text = `${head}\n${markdown}`.toLowerCase();
  return { language: languageOf(markdown), text, about: new Set(analyze(head)), pieces };
}
