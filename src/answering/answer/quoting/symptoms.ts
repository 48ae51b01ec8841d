import { analyze } from "@docent/finding/search/analyze";
import { introduces, type ReadPiece } from "../pieces.ts";
import type { Candidate } from "./candidates.ts";
import { codeInside } from "./saying.ts";
import type { Weighed } from "./weigh-candidates.ts";

/** What programs write when something fails. */
const FAILURE =
  /\b(?:\w*errors?|\w*exception|traceback|failed|failure|fatal|panic|denied|refused|rejected|declined|cannot|can't|unable|no such|not found|invalid|timed? ?out|already (?:exists|in use)|E[A-Z]{4,})\b/i;
/** The share of a piece's words that the question has, from which on the piece says what the reader knows already. */
const KNOWN_SHARE = 0.6;
const TERMS_MIN = 4;
/** A heading of what goes on with the trouble that is named above it. */
const GOES_ON =
  /\b(?:causes?|reasons?|why|fix(?:es)?|solutions?|resolutions?|resolve|workarounds?|remedy|what to do|steps|lösung|ursache|behebung|causa|solución|résolution)\b|原因|解决|解決|対処/i;

/** Whether a question is, or has in it, what a program writes when something fails. */
export const pastesFailure = (question: string): boolean => FAILURE.test(question);

/**
 * Whether a piece, or the output that it introduces, says what goes wrong as the question does: what a reader wants stands
 * below it.
 */
export function isSymptom({ piece, around }: Candidate, asked: ReadonlySet<string>): boolean {
  const next = introduces(piece, around) ? around[piece.position + 1] : undefined;
  return [piece, next].some((each) => each !== undefined && repeats(each, asked));
}

function repeats({ kind, markdown, terms }: ReadPiece, asked: ReadonlySet<string>): boolean {
  const known = [...asked].filter((term) => terms.has(term)).length;
  // Output has times and paths besides, which are other ones on the reader's machine.
  const isOutput = kind === "code" && FAILURE.test(markdown) && known >= KNOWN_SHARE * asked.size;
  const isKnown = isOutput || known >= KNOWN_SHARE * terms.size;
  return terms.size >= TERMS_MIN && (isKnown || (kind === "code" && hasKnownFailure(markdown, asked)));
}

/** Whether the question has a line of output that says what failed. It may tell much besides, and so may the other lines. */
function hasKnownFailure(code: string, asked: ReadonlySet<string>): boolean {
  return codeInside(code)
    .split("\n")
    .filter((line) => FAILURE.test(line))
    .some((line) => {
      const terms = new Set(analyze(line));
      return terms.size >= TERMS_MIN && terms.intersection(asked).size >= KNOWN_SHARE * terms.size;
    });
}

/** What a program wrote is quoted up to here beside what is said of it: readers have it on their screen. */
const OUTPUT_CHARACTERS_MAX = 240;
const LEFT_OUT = "…";

/**
 * A symptom whose output is cut to its first lines and its last, which names the fault, as far as something is said below it:
 * that has to find room.
 */
export function withShortOutput(core: Weighed): Weighed {
  const { piece, around } = core;
  const output =
    piece.kind === "code" ? piece : introduces(piece, around) ? around[piece.position + 1] : undefined;
  if (!core.isSymptom || output?.kind !== "code") return core;
  const below = whatFollows(output.position, around, Number.POSITIVE_INFINITY);
  const cut = below.length === 0 ? output : { ...output, markdown: shortOutput(output.markdown) };
  const changed = around.map((each) => (each === output ? cut : each));
  return { ...core, around: changed, piece: piece === output ? cut : piece };
}

function shortOutput(fenced: string): string {
  const lines = codeInside(fenced).split("\n");
  const [first = ""] = lines;
  const last = lines.at(-1) ?? "";
  if (lines.length < 3 || lines.join("\n").length <= OUTPUT_CHARACTERS_MAX) return fenced;
  const end = first.length + last.length <= OUTPUT_CHARACTERS_MAX ? [last] : [];
  const kept = [first];
  for (const line of lines.slice(1, -1)) {
    if ([...kept, line, ...end].join("\n").length > OUTPUT_CHARACTERS_MAX) break;
    kept.push(line);
  }
  return fenced.replace(lines.join("\n"), () => [...kept, LEFT_OUT, ...end].join("\n"));
}

/** The positions after one that go on with it, as far as there is room. */
export function whatFollows(position: number, around: readonly ReadPiece[], room: number): number[] {
  const followed: number[] = [];
  let left = room;
  for (const piece of around.slice(position + 1)) {
    left -= piece.markdown.length + 1;
    if (left < 0 || (piece.kind === "heading" && !GOES_ON.test(piece.markdown))) break;
    followed.push(piece.position);
  }
  const end = followed.findLastIndex(
    (at) => around[at]?.kind !== "heading" && !introduces(around[at], around),
  );
  return followed.slice(0, end + 1);
}
