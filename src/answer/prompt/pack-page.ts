import type { ReadPiece } from "../pieces.ts";
import type { NumberedPassage } from "../responder.ts";
import { type PackedPassage, type PackOptions, wordsOf } from "./packing.ts";
import { readPlainPieces } from "./read-ahead.ts";
import { showPart, showPieces } from "./show-pieces.ts";

/** A part of a page, and the heading at which it goes on; undefined where all of it is shown. */
export interface PackedPage {
  passages: PackedPassage[];
  goesOnAt: string | undefined;
}

/** Shows a page from its top on, whole, as far as there is room: what is left away comes behind what is shown. */
export function packPage(
  passages: readonly NumberedPassage[],
  { language, readPieces = readPlainPieces, tokens, count, show }: PackOptions,
): PackedPage {
  const shown: PackedPassage[] = [];
  let left = tokens;
  for (const passage of passages) {
    const pieces = readPieces(passage.text, language);
    const whole = { ...passage, text: showPieces(pieces), isWhole: true, said: wordsOf(pieces) };
    const cost = count(show(whole));
    if (cost <= left) {
      shown.push(whole);
      left -= cost;
      continue;
    }
    // The beginning of a section is only shown where nothing else is.
    const begun = shown.length > 0 ? undefined : beginningOf(passage, pieces, { left, count, show });
    return { passages: begun === undefined ? shown : [begun], goesOnAt: placeOf(passage) };
  }
  return { passages: shown, goesOnAt: undefined };
}

function beginningOf(
  passage: NumberedPassage,
  pieces: readonly ReadPiece[],
  { left, count, show }: Pick<PackOptions, "count" | "show"> & { left: number },
): PackedPassage | undefined {
  for (let length = pieces.length - 1; length > 0; length--) {
    const first = pieces.slice(0, length);
    const begun = { ...passage, text: showPart(first, pieces), isWhole: false, said: wordsOf(first) };
    if (count(show(begun)) <= left) return begun;
  }
  return undefined;
}

const placeOf = ({ headings, title }: NumberedPassage): string => headings.at(-1) ?? title;
