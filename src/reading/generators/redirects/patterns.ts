import { decodePercent } from "@docent/kernel/text/decode-percent";

/** A part of a pattern between slashes: words, one part of an address, or all the parts that are left. */
type Piece =
  | { kind: "words"; words: string }
  | { kind: "one"; name: string }
  | { kind: "rest"; name: string; isNeeded: boolean };

/** A redirect that stands for many: `/old/:slug*` to `/new/:slug*`. */
export interface RedirectPattern {
  from: readonly Piece[];
  /** The path that it leads to; undefined where that is outside of the site. */
  to: readonly Piece[] | undefined;
  /** What stands behind that path: an anchor, or nothing. */
  anchor: string;
}

/** Whether an address stands for many, in the notation of any host or generator. */
export const isPattern = (written: string): boolean =>
  pathOf(written)
    .split("/")
    .some((part) => /^[:*[]|[*()]/.test(part));

/**
 * Reads a redirect with placeholders: `:slug`, `:path*` and `:path(.*)` as Next.js, Vercel and Mintlify have them, `*`
 * with `:splat` of Netlify, `(.*)` with `$1`, `[slug]` and `[...slug]` of Astro. Undefined for anything else: expressions
 * of others are not run, and each pattern is matched in one walk along an address.
 */
export function readPattern(from: string, to: string): RedirectPattern | undefined {
  const pieces = piecesOf(pathOf(from));
  if (pieces === undefined || pieces.filter(({ kind }) => kind === "rest").length > 1) return undefined;
  const mark = to.indexOf("#");
  const anchor = mark < 0 ? "" : to.slice(mark);
  if (/^(?:[a-z][a-z\d+.-]*:\/\/|\/\/)/i.test(to)) return { from: pieces, to: undefined, anchor: "" };
  const target = piecesOf(pathOf(to));
  const names = new Set(pieces.map(nameOf));
  if (target !== undefined && target.filter(({ kind }) => kind === "rest").length > 1) return undefined;
  if (target?.some((piece) => piece.kind !== "words" && !names.has(piece.name))) return undefined;
  return target && { from: pieces, to: target, anchor };
}

/** What the placeholders of a pattern stand for in a path; undefined where the path is none of its addresses. */
export function matchPieces(pieces: readonly Piece[], path: string): ReadonlyMap<string, string> | undefined {
  const parts = path === "" ? [] : path.split("/");
  const surplus = parts.length - pieces.length;
  const found = new Map<string, string>();
  let at = 0;
  for (const piece of pieces) {
    if (piece.kind === "rest") {
      // All other pieces stand for one part each.
      const count = surplus + 1;
      if (count < (piece.isNeeded ? 1 : 0)) return undefined;
      found.set(piece.name, parts.slice(at, at + count).join("/"));
      at += count;
      continue;
    }
    const part = parts[at++];
    if (part === undefined || (piece.kind === "words" && part !== piece.words)) return undefined;
    if (piece.kind === "one") found.set(piece.name, part);
  }
  return at === parts.length ? found : undefined;
}

/** The path that a pattern makes of what its placeholders stand for; undefined where one of them is not known. */
export function fillPieces(
  pieces: readonly Piece[],
  values: ReadonlyMap<string, string>,
): string | undefined {
  const parts: string[] = [];
  for (const piece of pieces) {
    const part = piece.kind === "words" ? piece.words : values.get(piece.name);
    if (part === undefined) return undefined;
    if (part !== "") parts.push(part);
  }
  return parts.join("/");
}

/** The words that addresses of a pattern begin with; undefined where these are any. */
export const firstWords = ([first]: readonly Piece[]): string | undefined =>
  first?.kind === "words" ? first.words : undefined;

const nameOf = (piece: Piece) => (piece.kind === "words" ? "" : piece.name);

const pathOf = (written: string) => (written.split(/[?#]/, 1)[0] ?? "").replace(/^\/+|\/+$/g, "");

const PIECES_MAX = 50;

function piecesOf(path: string): Piece[] | undefined {
  const parts = path === "" ? [] : path.replace(/(?:^|\/)index(?:\.html?)?$/, "").split("/");
  if (parts.length > PIECES_MAX) return undefined;
  const pieces = parts.map(pieceOf);
  return pieces.every((piece) => piece !== undefined) ? pieces : undefined;
}

function pieceOf(part: string): Piece | undefined {
  const [, name = "", sign] = /^:(\w+)([*+]|\(\.[*+]\))?$/.exec(part) ?? [];
  if (part === "*" || part === ":splat") return { kind: "rest", name: "splat", isNeeded: false };
  if (part === "(.*)" || part === "$1") return { kind: "rest", name: "1", isNeeded: false };
  if (name !== "") return sign ? { kind: "rest", name, isNeeded: sign.includes("+") } : { kind: "one", name };
  const [, dots, slug] = /^\[(\.{3})?(\w+)\]$/.exec(part) ?? [];
  if (slug !== undefined)
    return dots ? { kind: "rest", name: slug, isNeeded: false } : { kind: "one", name: slug };
  return /[:*()[\]{}$]/.test(part) ? undefined : { kind: "words", words: wordsOf(part) };
}

/** As paths of pages are compared: without an extension. */
const wordsOf = (part: string) => decodePercent(part).replace(/\.(?:md|mdx|markdown|html?)$/i, "");
