import { safeCut } from "../../text/snippet.ts";
import { tokenWeight } from "./tokens.ts";

/** Sentence ends in Latin, Chinese and Japanese scripts; each part keeps its mark. */
const SENTENCE_END = /(?<=[.!?]["')\]]{0,3}\s)(?=\S)|(?<=[。！？｡][」』）”]{0,3})(?![」』）”。！？｡])/u;
const LINE_END = /(?<=\n)/;
const WORD_END = /(?<=\s)(?=\S)/;

const BORDERS = [SENTENCE_END, LINE_END, WORD_END];

/** Cuts prose into pieces of at most `maxTokens`: between sentences, or else lines, words, characters. */
export function cutProse(text: string, maxTokens: number): string[] {
  return cutAt(text, maxTokens, 0).map((piece) => piece.trim());
}

/** Cuts text between lines into pieces of at most `maxTokens`; a line that is too long is cut inside. */
export function cutLines(text: string, maxTokens: number): string[] {
  return cutAt(text, maxTokens, 1).map((piece) => (piece.endsWith("\n") ? piece.slice(0, -1) : piece));
}

/** Joins neighbouring parts into as few pieces of at most `maxTokens` as possible. */
export function pack(parts: string[], maxTokens: number, joiner: string): string[] {
  const pieces: string[] = [];
  const joinerWeight = tokenWeight(joiner);
  let current: string[] = [];
  let weight = 0;
  for (const part of parts) {
    const more = tokenWeight(part) + (current.length > 0 ? joinerWeight : 0);
    if (current.length > 0 && weight + more > maxTokens) {
      pieces.push(current.join(joiner));
      current = [];
      weight = 0;
    }
    current.push(part);
    weight += more;
  }
  if (current.length > 0) pieces.push(current.join(joiner));
  return pieces;
}

function cutAt(text: string, maxTokens: number, border: number): string[] {
  if (tokenWeight(text) <= maxTokens) return [text];
  const pattern = BORDERS[border];
  const parts =
    pattern === undefined
      ? cutCharacters(text, maxTokens)
      : text.split(pattern).flatMap((part) => cutAt(part, maxTokens, border + 1));
  return pack(parts, maxTokens, "");
}

/** No character weighs more than a token, so `maxTokens` characters always fit. */
function cutCharacters(text: string, maxTokens: number): string[] {
  const length = Math.max(2, Math.floor(maxTokens));
  const parts: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = safeCut(text, Math.min(text.length, start + length));
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts;
}
