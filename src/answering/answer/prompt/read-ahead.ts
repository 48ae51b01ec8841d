import { analyze } from "@docent/finding/search/analyze";
import { JoinedWords } from "@docent/finding/search/joined-words";
import { letOthersRun } from "@docent/kernel/lib/event-loop";
import { hideCode } from "@docent/kernel/text/code-spans";
import type { Embedder } from "@docent/kernel/vectors/embedder";
import { cosine, signedBytes } from "@docent/kernel/vectors/quantize";
import { harmless } from "../harmless.ts";
import { createPieceReader, cutPieces, type Piece, type PieceReader, type ReadPiece } from "../pieces.ts";
import { cutCode } from "./code-parts.ts";
import type { Nearness } from "./weigh-for-model.ts";

/** Cuts a passage into pieces as a model is to read them: long code in parts, of which each has the line that opens it. */
export const readPlainPieces: PieceReader = (markdown, language) =>
  cutPieces(markdown, language)
    .flatMap((piece) => (piece.kind === "code" ? partsOf(piece) : [plainPiece(piece)]))
    .filter((piece, index, pieces) => !isSameHeading(piece, pieces[index + 1]))
    .map((piece, position) => ({ ...piece, position, terms: new JoinedWords(analyze(piece.markdown)) }));

function partsOf(code: Piece): Piece[] {
  const cut = cutCode(code.markdown);
  if (cut === undefined) return [code];
  return cut.parts.map((markdown) => ({ ...code, markdown, header: cut.opening }));
}

/** Generators head what they describe, and authors too. */
const isSameHeading = (piece: Piece, next: Piece | undefined): boolean =>
  piece.kind === "heading" && next?.kind === "heading" && headingOf(piece) === headingOf(next);

const headingOf = ({ markdown }: Piece): string => markdown.replace(/^#+\s*/, "").trim();

const plainPiece = (piece: Piece): Piece => ({
  ...piece,
  markdown: forModel(piece.markdown),
  header: piece.header === undefined ? undefined : forModel(piece.header),
});

/** Taking escapes away may show what a model would obey. */
const forModel = (markdown: string) => harmless(plainText(markdown));

/** How a prompt's passages are read. */
export interface Reading {
  readPieces: PieceReader;
  nearness?: Nearness | undefined;
}

/** Reads passages before they are packed, so that packing itself takes about a millisecond. */
export type ReadAhead = (question: string, texts: readonly string[], language: string) => Promise<Reading>;

/** The longest text whose beginning stands for it: a sentence says what it is about early, and code says it seldom. */
const EMBEDDED_CHARACTERS_MAX = 1000;

/**
 * Reads passages one by one, and lets others have the thread between them. Remembers how those that were read last are
 * cut, and the vectors of their pieces, which must be there at once: a reader waits.
 */
export function createReadAhead(embedder: Pick<Embedder, "embed">): ReadAhead {
  const readPieces = createPieceReader(readPlainPieces);
  /** The vectors of pieces, which are forgotten with them. */
  const vectors = new WeakMap<readonly ReadPiece[], readonly (Int8Array | undefined)[]>();
  const { signal } = new AbortController();

  async function read(text: string, language: string): Promise<void> {
    const pieces = readPieces(text, language);
    if (vectors.has(pieces)) return;
    const texts = pieces.map(({ markdown }) => markdown.slice(0, EMBEDDED_CHARACTERS_MAX));
    const made = await embedder.embed(texts, "passage", signal);
    vectors.set(
      pieces,
      made.map((vector) => vector && signedBytes(vector)),
    );
    await letOthersRun();
  }

  return async (question, texts, language) => {
    for (const text of texts) await read(text, language);
    const [asked] = await embedder.embed([question], "question", signal);
    const nearness: Nearness = (pieces) =>
      vectors.get(pieces)?.map((vector) => vector && asked && cosine(vector, asked));
    return { readPieces, nearness };
  };
}

/** A link to another page of the docs: a model can only cite what it was given, by number. */
const INNER_LINK =
  /\[([^[\]]*)\]\((?![a-z][a-z\d+.-]*:|\/\/)[^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:[ \t]+"[^"]*")?\)/gi;
/** A picture, wherever it is: a model reads what it is said to show. */
const PICTURE = /!\[([^[\]]*)\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:[ \t]+"[^"]*")?\)/g;
/** A link whose words are its address. */
const ADDRESS_LINK = /\[([^[\]()\s]+)\]\(\1\)/g;
/**
 * An escape that only says what needs no saying within a line, where the mark cannot begin anything. Those of cells,
 * links, code and emphasis stay.
 */
const NEEDLESS_ESCAPE = /(?<=\S|\S )\\([-.()+!{}~=:,;"'$%&/@^?])/g;
/** An item's number or a line's first mark would begin a list. */
const BEGINS_LINE = /^[ \t>]*(?:\d+|\S)?\\[-.()+]/;

/** Prose as a model reads it best, in fewer tokens: `c5d\.large` is `c5d.large`, and links within the docs are their words. */
export function plainText(markdown: string): string {
  if (!markdown.includes("\\") && !markdown.includes("](")) return markdown;
  const { hidden, show } = hideCode(markdown);
  const plain = hidden.replace(PICTURE, "$1").replace(INNER_LINK, "$1").replace(ADDRESS_LINK, "$1");
  return show(plain.split("\n").map(withoutEscapes).join("\n"));
}

function withoutEscapes(line: string): string {
  const start = BEGINS_LINE.exec(line)?.[0] ?? "";
  return start + line.slice(start.length).replace(NEEDLESS_ESCAPE, "$1");
}
