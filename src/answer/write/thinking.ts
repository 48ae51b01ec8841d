/** A piece of a model's thoughts or of its answer. */
export type TextDelta = { type: "reasoning-delta" | "text-delta"; text: string };

const OPEN = /^\s*<(think|thinking|thought|reasoning)>/i;
const MAY_OPEN = /^\s*(?:<[a-z]{0,9}>?)?$/i;

/**
 * Separates the thoughts that a model writes into its answer, as `<think>…</think>` before the first word.
 * Inside an answer the same tag is ordinary text.
 */
export function createThinkingSplitter() {
  let held = "";
  /** The mark that ends the current thought. */
  let close: string | undefined;
  /** Whether to drop the next white space, which follows a mark. */
  let trims = false;
  let answering = false;

  function* drain(ending: boolean): Iterable<TextDelta> {
    while (held !== "" && !answering) {
      if (trims) held = held.trimStart();
      if (held === "") return;
      trims = false;
      if (close === undefined) {
        const open = OPEN.exec(held);
        if (open !== null) {
          close = `</${open[1]?.toLowerCase()}>`;
          held = held.slice(open[0].length);
          trims = true;
        } else if (MAY_OPEN.test(held) && !ending) return;
        else answering = true;
        continue;
      }
      const end = held.search(new RegExp(close, "i"));
      const thought =
        end === -1 ? held.slice(0, held.length - (ending ? 0 : begunAtEnd(held, close))) : held.slice(0, end);
      if (thought !== "") yield { type: "reasoning-delta", text: thought };
      held = held.slice(end === -1 ? thought.length : end + close.length);
      if (end === -1) return;
      // Another thought may follow.
      close = undefined;
      trims = true;
    }
    if (held !== "") yield { type: "text-delta", text: held };
    held = "";
  }

  return {
    write(text: string): Iterable<TextDelta> {
      held += text;
      return drain(false);
    },
    end: (): Iterable<TextDelta> => drain(true),
  };
}

/** The length of a mark's beginning at the end of a text. */
function begunAtEnd(text: string, mark: string): number {
  const lower = text.toLowerCase();
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length--)
    if (lower.endsWith(mark.slice(0, length))) return length;
  return 0;
}
