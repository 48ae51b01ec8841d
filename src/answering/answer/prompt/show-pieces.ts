import type { Piece } from "../pieces.ts";
import { closingOf } from "./code-parts.ts";

/** The separator of two consecutive pieces of one block. */
const JOINTS: Partial<Record<Piece["kind"], string>> = {
  paragraph: " ",
  list: "\n",
  table: "\n",
  quote: "\n>\n",
  code: "\n\n",
};
/** The separator where something between them was left out. */
const GAPS: Partial<Record<Piece["kind"], string>> = {
  paragraph: " … ",
  list: "\n…\n",
  table: "\n| … |\n",
  quote: "\n> …\n",
  code: "\n\n…\n\n",
};

/** Pieces of one passage, in order, as Markdown that shows the gaps. */
export function showPieces(pieces: readonly Piece[]): string {
  return pieces
    .map((piece, index) => {
      const closing = closingAfter(piece, pieces[index + 1]);
      return `${jointBefore(piece, pieces[index - 1])}${piece.markdown}${closing}`;
    })
    .join("");
}

/** Some of a passage's pieces, with a mark where it begins earlier or goes on. */
export function showPart(pieces: readonly Piece[], all: readonly Piece[]): string {
  const begins = pieces[0]?.position === all[0]?.position;
  const ends = pieces.at(-1)?.position === all.at(-1)?.position;
  return `${begins ? "" : "…\n\n"}${showPieces(pieces)}${ends ? "" : "\n\n…"}`;
}

function jointBefore(piece: Piece, before: Piece | undefined): string {
  const isSameBlock = before?.blockIndex === piece.blockIndex;
  const header =
    isSameBlock || piece.header === undefined || piece.header === piece.markdown ? "" : `${piece.header}\n`;
  if (before === undefined) return header;
  if (before.position === piece.position - 1) return (isSameBlock && JOINTS[piece.kind]) || `\n\n${header}`;
  return (isSameBlock && GAPS[piece.kind]) || `\n\n…\n\n${header}`;
}

/** The line that closes code of which parts are shown. */
function closingAfter({ kind, header, blockIndex }: Piece, next: Piece | undefined): string {
  if (kind !== "code" || header === undefined || next?.blockIndex === blockIndex) return "";
  return `\n${closingOf(header)}`;
}
