import { analyze } from "@docent/finding/search/analyze";
import { escapeInline } from "@docent/kernel/text/write-markdown";
import type { ReadPiece } from "../pieces.ts";
import type { NumberedPassage } from "../responder.ts";
import { type Warning, warningOf } from "./counterexamples.ts";
import { saysSomething } from "./saying.ts";

/** A piece of a passage that could be quoted, with what stands around it. */
export interface Candidate {
  /** The index of its passage. */
  passage: number;
  piece: ReadPiece;
  /** All pieces of its passage. */
  around: readonly ReadPiece[];
  /** The nearest heading above it, in Markdown: the passage's own where there is none inside. */
  heading: string;
  /** The words of all headings above it and of the page's title. */
  headingTerms: ReadonlySet<string>;
  /** How many pieces stand between it and its heading. */
  depth: number;
  /** What says of it that it is not the way to do something. */
  warning: Warning | undefined;
}

/** The pieces that say something, of all passages and in order; none of a passage that may say something else than its page. */
export function listCandidates(
  passages: readonly NumberedPassage[],
  piecesOf: readonly (readonly ReadPiece[])[],
): Candidate[] {
  return passages.flatMap((passage, index) =>
    passage.lacksWords ? [] : candidatesOf(passage, index, piecesOf[index] ?? []),
  );
}

function candidatesOf(
  { title, headings }: NumberedPassage,
  passage: number,
  around: readonly ReadPiece[],
): Candidate[] {
  let heading = escapeInline(headings.at(-1) ?? title, " ");
  let headingTerms = new Set(analyze([title, ...headings].join("\n")));
  let depth = 0;
  let path = headings.map((words) => escapeInline(words, " "));
  const inside: { level: number; words: string }[] = [];
  const found: Candidate[] = [];
  for (const piece of around) {
    if (piece.kind === "heading") {
      heading = piece.markdown.replace(/^#+\s*/, "");
      depth = 0;
      const level = piece.markdown.indexOf(" ");
      while ((inside.at(-1)?.level ?? 0) >= level) inside.pop();
      inside.push({ level, words: heading });
      // The last heading of a passage may stand beside those inside it, and not above them.
      path = [
        ...headings.slice(0, -1).map((words) => escapeInline(words, " ")),
        ...inside.map(({ words }) => words),
      ];
      headingTerms = new Set(analyze([title, ...path].join("\n")));
    } else {
      if (saysSomething(piece) && !isCodeAsText(piece, around))
        found.push({
          passage,
          piece,
          around,
          heading,
          headingTerms,
          depth,
          warning: warningOf(piece, around, path),
        });
      depth += 1;
    }
  }
  return found;
}

/** The nearest heading above a piece, in Markdown: the passage's own where there is none inside. */
export function headingAbove(
  { position }: ReadPiece,
  around: readonly ReadPiece[],
  { title, headings }: NumberedPassage,
): string {
  const inside = around.slice(0, position).findLast(({ kind }) => kind === "heading");
  return inside?.markdown.replace(/^#+\s*/, "") ?? escapeInline(headings.at(-1) ?? title, " ");
}

/** The share of a paragraph's words that the code below it has, from which on the paragraph is that code again. */
const SAME_AS_CODE = 0.9;
const TERMS_OF_CODE_MIN = 3;

/** Whether a paragraph is the code that follows, as text: some sites put both on a page, and show one of them. */
export function isCodeAsText(
  { kind, terms, position, blockIndex }: ReadPiece,
  around: readonly ReadPiece[],
): boolean {
  if (kind !== "paragraph" || terms.size < TERMS_OF_CODE_MIN) return false;
  const below = around.slice(position + 1).find((other) => other.blockIndex !== blockIndex);
  return (
    below?.kind === "code" &&
    [...terms].filter((term) => below.terms.has(term)).length >= SAME_AS_CODE * terms.size
  );
}
