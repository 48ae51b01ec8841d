/** A sentence of a page's prose, with the line where its paragraph begins. */
export interface Sentence {
  line: number;
  text: string;
}

/** The end of a sentence: a mark, perhaps with what closes a quote, before a space and the beginning of another one. */
const END = /[.!?][)"”’*_]*\s+(?=[\p{Lu}\p{N}"“‘(`*[])/u;
/** Words with a dot that ends no sentence. */
const ABBREVIATION = /(?:\b(?:e\.g|i\.e|etc|vs|No|St|Dr|cf|approx)|\b\p{Lu})\.$/u;

/** Between the entries of a list that stands in one paragraph. */
const SEPARATOR = /\s·\s|(?<=`); (?=`)/;

/** The sentences of Markdown's prose: paragraphs, items of lists and cells of tables, without code and front matter. */
export function sentencesOf(markdown: string): Sentence[] {
  return blocksOf(markdown).flatMap(({ line, text }) =>
    text
      .split(SEPARATOR)
      .flatMap((part) => splitSentences(plain(part)))
      .map((sentence) => ({ line, text: sentence })),
  );
}

/** Words as a reader counts them. */
export const countWords = (sentence: string): number =>
  sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

function blocksOf(markdown: string): Sentence[] {
  const blocks: Sentence[] = [];
  const lines = markdown.replace(/^---\n[\s\S]*?\n---\n/, (front) => front.replace(/[^\n]/g, "")).split("\n");
  let fence: string | undefined;
  let open: Sentence | undefined;
  const close = () => {
    if (open && open.text.trim() !== "") blocks.push(open);
    open = undefined;
  };
  for (const [index, written] of lines.entries()) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(written)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined;
      continue;
    }
    if (mark !== undefined) {
      close();
      fence = mark;
      continue;
    }
    if (/^\s*(?:$|#{1,6}\s|<!--|!\[|:::|\|?[\s:|-]+$)/.test(written)) {
      close();
      continue;
    }
    if (/^\s*\|/.test(written)) {
      close();
      for (const text of written.split(/(?<!\\)\||;\s/)) blocks.push({ line: index + 1, text });
      continue;
    }
    const item = /^\s*(?:[-*+]|\d+\.)\s+(.*)$/.exec(written)?.[1];
    if (item !== undefined) close();
    const text = item ?? written.replace(/^\s*>\s?/, "");
    open = open ? { ...open, text: `${open.text} ${text.trim()}` } : { line: index + 1, text };
  }
  close();
  return blocks;
}

/** What is read of it: a piece of code counts as one word, a link as its words. */
const plain = (text: string) =>
  text
    .replace(/(`+)[^`]*?\1/g, "Code")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/<[^>]+>/g, " ")
    .replace(/[*_]{1,3}/g, "");

function splitSentences(text: string): string[] {
  const sentences: string[] = [];
  let rest = text.trim();
  let from = 0;
  for (;;) {
    const found = END.exec(rest.slice(from));
    if (!found) break;
    const end = from + found.index + found[0].length;
    const head = rest.slice(0, end).trim();
    if (ABBREVIATION.test(head)) {
      from = end;
      continue;
    }
    sentences.push(head);
    rest = rest.slice(end);
    from = 0;
  }
  return rest === "" ? sentences : [...sentences, rest];
}
