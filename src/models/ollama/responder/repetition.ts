/** How often a span must repeat, and how long the text must be, to be a loop and not a table's border. */
const REPEATS_MIN = 6;
const CHARACTERS_MIN = 320;
const SPAN_CHARACTERS_MAX = 400;
const TAIL_CHARACTERS = SPAN_CHARACTERS_MAX * REPEATS_MIN;
const CHECK_EVERY_CHARACTERS = 32;
/**
 * Ollama itself breaks off without a last line after 30 equal tokens; stopping first keeps the ending clean.
 */
const EQUAL_DELTAS_MAX = 28;

/** Watches text as it is written. `push` returns true once it only repeats itself. */
interface RepetitionGuard {
  push(delta: string): boolean;
}

/** A guard for one text; a small model can repeat one sentence until its context is full. */
export function createRepetitionGuard(): RepetitionGuard {
  let checked = "";
  let unchecked = "";
  let last = "";
  let equal = 0;
  return {
    push(delta) {
      const word = delta.trim();
      equal = word === last ? equal + 1 : 1;
      last = word;
      unchecked += delta;
      if (equal >= EQUAL_DELTAS_MAX) return true;
      if (unchecked.length < CHECK_EVERY_CHARACTERS) return false;
      checked = (checked + unchecked).slice(-TAIL_CHARACTERS);
      unchecked = "";
      return endsInLoop(checked);
    },
  };
}

/** Whether a text ends in one short span over and over. */
export function endsInLoop(text: string): boolean {
  for (let span = 1; span <= SPAN_CHARACTERS_MAX; span++) {
    const needed = Math.max(span * REPEATS_MIN, CHARACTERS_MIN);
    if (needed > text.length) return false;
    if (repeats(text, span, needed)) return true;
  }
  return false;
}

function repeats(text: string, span: number, length: number): boolean {
  const first = text.length - length + span;
  for (let index = text.length - 1; index >= first; index--) {
    if (text.charCodeAt(index) !== text.charCodeAt(index - span)) return false;
  }
  return true;
}
