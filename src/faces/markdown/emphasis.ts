import { element, joined, type MarkdownElement, type MarkdownNode } from "./nodes.ts";

/** A run of marks that may begin or end emphasis. */
interface Delimiter {
  mark: string;
  length: number;
  /** As long as it was written. */
  written: number;
  mayOpen: boolean;
  mayClose: boolean;
  /** Whether the mark stands at the beginning of a word. */
  startsWord: boolean;
}

export type InlineItem = MarkdownNode | Delimiter;

/** Of marks that nothing has closed so many are remembered: this bounds the depth of the page, and the time. */
const OPENERS_MAX = 16;
const RUN_MAX = 6;
const PUNCTUATION = /[\p{P}\p{S}]/u;
/** Scripts without spaces between words: there, marks beside a bracket or a full stop stand at a word's edge too. */
const UNSPACED = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/;

/** What a run of marks may do, by what stands before and behind it. */
export function readDelimiter(run: string, before: string, behind: string): Delimiter {
  const { length } = run;
  const mark = run.slice(0, 1);
  const spaceBefore = before === "" || /\s/.test(before);
  const spaceBehind = behind === "" || /\s/.test(behind);
  const markBefore = PUNCTUATION.test(before);
  const markBehind = PUNCTUATION.test(behind);
  const left = !spaceBehind && (!markBehind || spaceBefore || markBefore || UNSPACED.test(before));
  const right = !spaceBefore && (!markBefore || spaceBehind || markBehind || UNSPACED.test(behind));
  const isUsual = mark === "~" ? length === 2 : length <= RUN_MAX;
  const inWords = mark !== "_";
  return {
    mark,
    length,
    written: length,
    mayOpen: isUsual && left && (inWords || !right || markBefore),
    mayClose: isUsual && right && (inWords || !left || markBehind),
    startsWord: spaceBefore || markBefore,
  };
}

/** Pairs the marks. Where the text is still coming, what is begun at its end counts as closed. */
export function pairEmphasis(items: readonly InlineItem[], isOpen: boolean): MarkdownNode[] {
  const out: InlineItem[] = [];
  /** Where in `out` marks stand that may still be closed. */
  const openers: number[] = [];

  const delimiterAt = (at: number | undefined) => {
    const item = at === undefined ? undefined : out[at];
    return isDelimiter(item) ? item : undefined;
  };

  /** Puts what follows an opener into an element. */
  function wrap(stack: number, opener: Delimiter, length: number): void {
    const at = openers[stack] ?? 0;
    openers.length = stack + 1;
    const children = plain(out.splice(at + 1));
    opener.length -= length;
    if (opener.length === 0) openers.length = stack;
    if (children.length > 0) out.push(emphasized(opener.mark, length, children));
  }

  function close(closer: Delimiter): void {
    for (let stack = openers.length - 1; stack >= 0 && closer.length > 0; ) {
      const opener = delimiterAt(openers[stack]);
      if (opener === undefined || !isPair(opener, closer)) {
        stack--;
        continue;
      }
      const length = Math.min(opener.length, closer.length, 2);
      closer.length -= length;
      wrap(stack, opener, length);
      if (opener.length === 0) stack--;
    }
  }

  /** What is begun at the end of a text that still comes; a mark in the middle of a word most likely is none. */
  function closeAll(): void {
    while (openers.length > 0) {
      const stack = openers.length - 1;
      const opener = delimiterAt(openers[stack]);
      if (opener?.startsWord) wrap(stack, opener, Math.min(opener.length, 2));
      else openers.length = stack;
    }
  }

  for (const item of items) {
    if (!isDelimiter(item)) {
      out.push(item);
      continue;
    }
    if (item.mayClose) close(item);
    if (item.length === 0) continue;
    if (item.mayOpen) openers.push(out.length);
    if (openers.length > OPENERS_MAX) openers.shift();
    out.push(item);
  }
  if (isOpen) closeAll();
  return plain(out);
}

function emphasized(mark: string, length: number, children: MarkdownNode[]): MarkdownElement {
  return element(mark === "~" ? "del" : length === 2 ? "strong" : "em", children);
}

/** CommonMark's rule of three keeps `*a**b*` from being read as strong. */
function isPair(opener: Delimiter, closer: Delimiter): boolean {
  if (opener.mark !== closer.mark) return false;
  if (!opener.mayClose && !closer.mayOpen) return true;
  return (
    (opener.written + closer.written) % 3 !== 0 || (opener.written % 3 === 0 && closer.written % 3 === 0)
  );
}

const isDelimiter = (item: InlineItem | undefined): item is Delimiter =>
  typeof item === "object" && "mark" in item;

/** Marks that nothing closed are what they look like. */
const plain = (items: readonly InlineItem[]) =>
  joined(items.map((item) => (isDelimiter(item) ? item.mark.repeat(item.length) : item)));
