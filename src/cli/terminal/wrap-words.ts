import { bold, code, dim, leading, type Text } from "./text.ts";

/** Words of one look. */
export interface Words {
  text: string;
  look?: "bold" | "code" | "dim" | undefined;
  url?: string | undefined;
}

interface Prefix {
  text: Text;
  width: number;
}

/** Puts words on lines that are no wider than a terminal. A word waits until it is known to be over. */
export interface WordWrapper {
  /** Begins a line. What is wrapped goes on below the first word, behind the same bars. */
  begin(first: Prefix, further: Prefix): Text;
  add(words: Words): Text;
  /** Words as they are, however wide. */
  addUnwrapped(words: Words): Text;
  /** The word that waits. */
  flush(): Text;
}

const PIECES = /[ \t]+|[^ \t]+/g;

export function createWordWrapper(columns: number): WordWrapper {
  let column = 0;
  let further: Prefix = { text: "", width: 0 };
  let isFirst = true;
  let gap: Words | undefined;
  let word: Words[] = [];

  function flush(): Text {
    if (word.length === 0) return "";
    const width = word.reduce((sum, { text }) => sum + Bun.stringWidth(text), 0);
    const gapWidth = gap === undefined ? 0 : Bun.stringWidth(gap.text);
    const isWrapped = !isFirst && gap !== undefined && column + gapWidth + width > columns;
    const before = isWrapped ? ["\n", further.text] : "";
    column = (isWrapped ? further.width : column + gapWidth) + width;
    const shown = [before, ...(isWrapped || gap === undefined ? word : [gap, ...word]).map(show)];
    [word, gap, isFirst] = [[], undefined, false];
    return shown;
  }

  return {
    begin(first, next) {
      [column, further, isFirst, gap, word] = [first.width, next, true, undefined, []];
      return first.text;
    },
    add: ({ text, ...look }) =>
      (text.match(PIECES) ?? []).map((piece) => {
        if (!/^[ \t]/.test(piece)) {
          word.push({ text: piece, ...look });
          return "";
        }
        const before = flush();
        gap = { text: piece, ...look };
        return before;
      }),
    addUnwrapped: (words) => [flush(), show(words)],
    flush,
  };
}

function show({ text, look, url }: Words): Text {
  if (url !== undefined) return leading(text, url);
  return look === undefined ? text : LOOKS[look](text);
}

const LOOKS = { bold, code, dim };
