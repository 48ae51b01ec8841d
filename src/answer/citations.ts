/** A passage that may be cited, by its number. */
export interface Citable {
  number: number;
  url: string;
  /** Its text: an address that stands in it may be linked to. */
  text: string;
}

/** Turns what a responder writes into what a reader sees, as it comes. */
export interface CitationWriter {
  /** The reader's text for a piece of the responder's. May hold back an end that is not decided yet. */
  write(text: string): string;
  /** What was held back. */
  end(): string;
  /** Numbers of the passages that were linked to, in the order of their first mention. */
  cited(): number[];
}

const HELD_CHARACTERS_MAX = 2000;
const RANGE_MAX = 20;
/** `[1]`, `[1, 3]`, `[2-4]`, `[Passage 1]`: what models write for a citation. */
const CITATION = /^(?:passages?\s+)?[1-9]\d{0,2}(?:\s*(?:[,;–-]|and)\s*(?:passages?\s+)?\d{1,3})*$/i;

/**
 * `[n]` becomes a Markdown link to passage n. A number that no passage has is dropped; so is a link, or an image, to
 * anywhere that the passages do not mention: the text of a link stays, its target goes. Code is left as it is.
 */
export function createCitationWriter(passages: Citable[]): CitationWriter {
  const urls = new Map(passages.map(({ number, url }) => [number, url]));
  const cited = new Set<number>();
  let held = "";
  /** The marks that opened the fenced code we are in. */
  let fence: string | undefined;
  let lineStart = true;
  let ending = false;

  function drain(): string {
    let out = "";
    for (;;) {
      const step = fence === undefined ? proseStep() : fenceStep(fence);
      if (step === undefined) return out;
      out += step;
    }
  }

  /** The next piece of prose, or undefined when there is nothing to say before more has come. */
  function proseStep(): string | undefined {
    const special = held.search(/[`~[!\\<]/);
    if (special !== 0) return take(special === -1 ? held.length : special);
    const first = held[0];
    if (first === "`" || first === "~") return code();
    if (first === "\\") return held.length > 1 || ending ? take(2) : undefined;
    if (first === "<") return autolink();
    if (first === "!")
      return held.length === 1 && !ending ? undefined : held[1] === "[" ? bracket(1) : take(1);
    return bracket(0);
  }

  function take(length: number): string | undefined {
    if (held === "" || length === 0) return undefined;
    const text = held.slice(0, length);
    held = held.slice(length);
    lineStart = /(^|\n)[ \t>]*$/.test(lineStart ? `\n${text}` : text);
    return text;
  }

  function code(): string | undefined {
    const mark = /^(`+|~+)/.exec(held)?.[0] ?? "";
    if (mark.length === held.length && !ending) return undefined;
    if (mark.length >= 3 && lineStart) {
      fence = mark;
      return take(mark.length);
    }
    if (mark.startsWith("~")) return take(mark.length);
    const end = spanEnd(held, mark, ending);
    if (end !== undefined) return take(end);
    // A code span never crosses an empty line: without an end before that it was a lone backtick.
    return giveUp(mark.length);
  }

  /** Code goes out line by line: only a whole line shows whether it closes the fence. */
  function fenceStep(mark: string): string | undefined {
    const lineEnd = held.indexOf("\n");
    if (lineEnd === -1) return ending || held.length > HELD_CHARACTERS_MAX ? take(held.length) : undefined;
    if (lineStart && closes(held.slice(0, lineEnd), mark)) fence = undefined;
    return take(lineEnd + 1);
  }

  function bracket(at: number): string | undefined {
    const close = closing(held, at, "[", "]");
    if (close === undefined) return giveUp(at + 1);
    const inside = held.slice(at + 1, close);
    const next = held[close + 1];
    if (next === undefined && !ending) return undefined;
    if (next === "(") {
      const end = closing(held, close + 1, "(", ")");
      if (end === undefined) return giveUp(close + 1);
      return link(at === 1, inside, held.slice(close + 2, end), end + 1);
    }
    if (at === 1) return take(1);
    if (CITATION.test(inside.trim())) return cite(inside, close + 1);
    return take(1);
  }

  /** Waits for more, unless it has waited for long enough: then it was never a link. */
  function giveUp(length: number): string | undefined {
    return ending || held.length > HELD_CHARACTERS_MAX || /\n\s*\n/.test(held) ? take(length) : undefined;
  }

  function link(image: boolean, text: string, target: string, length: number): string {
    const url = target.trim().split(/\s/, 1)[0]?.replace(/^<|>$/g, "") ?? "";
    const number = passages.find((passage) => passage.url === url)?.number;
    if (number !== undefined && !image) {
      cited.add(number);
      return keep(length);
    }
    if (CITATION.test(text.trim()) && !image) {
      drop(length);
      return links(text);
    }
    if (!image && /^https?:/.test(url) && passages.some((passage) => passage.text.includes(url)))
      return keep(length);
    drop(length);
    return text;
  }

  function autolink(): string | undefined {
    const end = held.indexOf(">");
    if (end === -1) return beginsAutolink(held) && !ending ? undefined : take(1);
    const url = held.slice(1, end);
    if (!/^https?:\/\/\S+$/.test(url)) return take(1);
    const known = passages.some((passage) => passage.url === url || passage.text.includes(url));
    if (known) return take(end + 1);
    drop(end + 1);
    return url.replace(/^https?:\/\//, "");
  }

  function cite(inside: string, length: number): string {
    drop(length);
    return links(inside);
  }

  function links(inside: string): string {
    const known = numbersIn(inside).filter((number) => urls.has(number));
    for (const number of known) cited.add(number);
    return known.map((number) => `[[${number}]](${urls.get(number)})`).join("");
  }

  const keep = (length: number) => take(length) ?? "";

  function drop(length: number): void {
    held = held.slice(length);
    lineStart = false;
  }

  return {
    write(text) {
      held += text;
      return drain();
    },
    end() {
      ending = true;
      return drain();
    },
    cited: () => [...cited],
  };
}

// Clients post these texts, so neither may be tried from each mark of a long run to its end.
const CITATION_LINK = /\s?\[\[\d{1,3}\]\]\([^()\s]*\)/g;
const SUGGESTIONS_AT_END = /(?<!\n)\n*```suggestions\n[^`]*```\s*$/;

/** An earlier answer as the model wrote it: links to passages that this question may not have would mislead it. */
export function withoutCitations(answer: string): string {
  return answer.replace(CITATION_LINK, "").replace(SUGGESTIONS_AT_END, "");
}

function numbersIn(text: string): number[] {
  const numbers: number[] = [];
  for (const [, from = "", to] of text.matchAll(/(\d{1,3})(?:\s*[–-]\s*(\d{1,3}))?/g)) {
    const first = Number(from);
    const last = to === undefined ? first : Math.min(Number(to), first + RANGE_MAX);
    for (let number = first; number <= last; number++) numbers.push(number);
  }
  return [...new Set(numbers)];
}

/** Where the bracket that opens at `from` closes, on the same paragraph. */
function closing(text: string, from: number, open: string, close: string): number | undefined {
  let depth = 0;
  for (let index = from; index < text.length && index < from + HELD_CHARACTERS_MAX; index++) {
    const character = text[index];
    if (character === "\\") index++;
    else if (character === open) depth++;
    else if (character === close && --depth === 0) return index;
  }
  return undefined;
}

function closes(line: string, mark: string): boolean {
  const marks = line.replace(/^[ \t>]*/, "").trimEnd();
  return marks.length >= mark.length && marks === (mark[0] ?? "").repeat(marks.length);
}

/** Where a code span ends: at as many backticks as it began with. A run at the very end may go on. */
function spanEnd(text: string, mark: string, whole: boolean): number | undefined {
  const body = text.slice(mark.length).split(/\n\s*\n/, 1)[0] ?? "";
  for (const run of body.matchAll(/`+/g)) {
    const end = run.index + run[0].length;
    const decided = whole || mark.length + end < text.length;
    if (decided && run[0].length === mark.length) return mark.length + end;
  }
  return undefined;
}

const beginsAutolink = (text: string) =>
  text.length < HELD_CHARACTERS_MAX && /^<(h(t(t(p(s?(:[^\s<]*)?)?)?)?)?)?$/.test(text);
