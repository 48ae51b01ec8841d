import { hasUnspaced } from "@docent/kernel/text/sentences/sentences";
import type { Quantity } from "./quantities.ts";
import type { Sentence } from "./sentences.ts";
import { type ToldPassage, type ToldPiece, termsOf } from "./told.ts";

/** Why a statement is in doubt: a fact of it that its passages do not say, or say otherwise. */
export interface Doubt {
  kind: "number" | "name" | "denial" | "contrary" | "words";
  /** The words of the statement that are in doubt. */
  what: string;
}

/** What statements are compared with. */
export interface Known {
  question: string;
  /** The numbers of the question, which an answer may repeat. */
  asked: Quantity[];
  passages: (ToldPassage & { number: number })[];
}

/** A piece of what a statement cites, and how much of the statement it says. */
export interface NearPiece {
  piece: ToldPiece;
  /** The share of the statement's words that the piece has itself. */
  own: number;
  /** The same, with its neighbours and the headings above it. */
  share: number;
}

/** A sentence of an answer, with what it is compared with. */
export interface Statement {
  text: string;
  isCode: boolean;
  /** What it has between backticks. */
  code: string[];
  language: string | undefined;
  terms: Set<string>;
  /** Whether its words can be compared: those of another language than the passages' cannot. */
  isComparable: boolean;
  cited: ToldPassage[];
  near: NearPiece[];
}

/** Reads a sentence beside what it cites; beside everything where it cites nothing that there is. */
export function readStatement(
  { passages }: Known,
  { text, isCode, code }: Sentence,
  { cites, language }: { cites: readonly number[]; language: string | undefined },
): Statement {
  const terms = termsOf(text);
  const named = passages.filter(({ number }) => cites.includes(number));
  const cited = named.length > 0 ? named : passages;
  const near = cited.flatMap(({ pieces, about }) =>
    pieces.map((piece, index) => {
      const around = [pieces[index - 1], pieces[index + 1]];
      const has = (term: string) =>
        piece.terms.has(term) || about.has(term) || around.some((each) => each?.terms.has(term));
      return { piece, own: shareOf(terms, (term) => piece.terms.has(term)), share: shareOf(terms, has) };
    }),
  );
  const theirs = cited.flatMap((each) => each.language ?? []);
  const isOther = language !== undefined && theirs.length > 0 && !theirs.includes(language);
  const isComparable = !isOther && (!hasUnspaced(text) || cited.some((each) => hasUnspaced(each.text)));
  return { text, isCode, code, language, terms, isComparable, cited, near };
}

/** The share of some words that are somewhere. */
export function shareOf(terms: ReadonlySet<string>, has: (term: string) => boolean): number {
  if (terms.size === 0) return 0;
  let count = 0;
  for (const term of terms) if (has(term)) count++;
  return count / terms.size;
}
