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
const CITATION = /^(?:passages?\s+)?\d{1,3}(?:\s*(?:[,;–-]|and)\s*(?:passages?\s+)?\d{1,3})*$/i;

/**
 * `[n]` becomes a Markdown link to passage n. A number that no passage has is dropped; so is a link, or an image, to
 * anywhere that the passages do not mention: the text of a link stays, its target goes. Code is left as it is.
 */
export function createCitationWriter(passages: Citable[]): CitationWriter {
  const urls = new Map(passages.map(({ number, url }) => [number, url]));
  const cited = new Set<number>();
  let held = "";
  let code: string | undefined;
  let lineStart = true;

  function write(text: string): string {
    held += text;
    let out = "";
    for (;;) {
      const step = code === undefined ? proseStep() : codeStep(code);
      if (step === undefined) return out;
      out += step;
    }
  }

  /** The next piece of prose, or undefined when there is nothing to say before more has come. */
  function proseStep(): string | undefined {
    const special = held.search(/[`~[!\\<]/);
    if (special !== 0) return take(special === -1 ? held.length : special);
    const first = held[0];
    if (first === "`" || first === "~") return openCode();
    if (first === "\\") return held.length > 1 ? take(2) : undefined;
    if (first === "<") return autolink();
    if (first === "!") return held.length === 1 ? undefined : held[1] === "[" ? bracket(1) : take(1);
    return bracket(0);
  }

  function take(length: number): string | undefined {
    if (length === 0) return undefined;
    const text = held.slice(0, length);
    held = held.slice(length);
    lineStart = /(^|\n)[ \t>]*$/.test(lineStart ? `\n${text}` : text);
    return text;
  }

  function openCode(): string | undefined {
    const mark = /^(`+|~+)/.exec(held)?.[0] ?? "";
    if (mark.length === held.length) return undefined;
    const fenced = mark.length >= 3 && lineStart;
    if (fenced) code = `\n${mark}`;
    else if (mark.startsWith("`")) code = mark;
    return take(mark.length);
  }

  function codeStep(mark: string): string | undefined {
    const fence = mark.startsWith("\n");
    const text = lineStart && fence ? `\n${held}` : held;
    const shift = text.length - held.length;
    const found = fence ? fenceEnd(text, mark.slice(1)) : spanEnd(text, mark);
    if (found !== undefined) {
      code = undefined;
      return take(found - shift);
    }
    // A code span never crosses an empty line: what looked like one was a lone backtick.
    if (!fence && /\n\s*\n/.test(held)) code = undefined;
    const undecided = fence ? held.length - Math.max(0, held.lastIndexOf("\n")) : trailing(held, "`");
    const safe = fence && !held.includes("\n") && held.length > 200 ? held.length : held.length - undecided;
    return take(Math.max(0, safe));
  }

  function bracket(at: number): string | undefined {
    const close = closing(held, at, "[", "]");
    if (close === undefined) return giveUp(at + 1);
    const inside = held.slice(at + 1, close);
    const next = held[close + 1];
    if (next === undefined) return giveUp(close + 1);
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
    return held.length > HELD_CHARACTERS_MAX || /\n\s*\n/.test(held) ? take(length) : undefined;
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
    if (!image && /^https?:/.test(url) && passages.some((passage) => passage.text.includes(url))) return keep(length);
    drop(length);
    return text;
  }

  function autolink(): string | undefined {
    const end = held.indexOf(">");
    if (end === -1) return /^<(h(t(t(p(s?(:[^\s<]*)?)?)?)?)?)?$/.test(held) && held.length < HELD_CHARACTERS_MAX ? undefined : take(1);
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
    write,
    end() {
      // A bracket that nothing follows may still be a citation.
      const out = write("\n");
      const rest = out + held;
      held = "";
      return rest.endsWith("\n") ? rest.slice(0, -1) : rest;
    },
    cited: () => [...cited],
  };
}

/** An earlier answer as the model wrote it: links to passages that this question may not have would mislead it. */
export function withoutCitations(answer: string): string {
  return answer.replace(/\s?\[\[\d{1,3}\]\]\([^)\s]*\)/g, "").replace(/\n*```suggestions\n[^`]*```\s*$/, "");
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

function fenceEnd(text: string, mark: string): number | undefined {
  const kind = mark[0] === "~" ? "~" : "`";
  const end = new RegExp(`\\n[ \\t>]*${kind}{${mark.length},}[ \\t]*(?=\\n)`).exec(text);
  return end ? end.index + end[0].length : undefined;
}

function spanEnd(text: string, mark: string): number | undefined {
  for (const run of text.matchAll(/`+(?=[^`])/g)) {
    if (run[0].length === mark.length) return run.index + mark.length;
  }
  return undefined;
}

function trailing(text: string, character: string): number {
  let count = 0;
  while (count < text.length && text[text.length - 1 - count] === character) count++;
  return count;
}
