import { closeCode, codeStep } from "./code.ts";
import { createListItems } from "./code-fence.ts";
import { type Citable, createPageTargets } from "./page-targets.ts";
import { linksTo, proseStep } from "./prose.ts";
import { createTableLines } from "./table-lines.ts";
import { replace, type Writing } from "./writing.ts";

export { mailboxesIn } from "./addresses.ts";
export { citedNumbers, indexesIn } from "./cited-numbers.ts";

/** Turns a responder's text into the reader's, as it streams. */
export interface CitationWriter {
  /** The reader's text for a piece of the responder's. May hold back an end that is still undecided. */
  write(text: string): string;
  /** The same for text of the docs: its brackets cite nothing, its links stay but are no sources. */
  quote(text: string): string;
  /** A link to the passage of that number, or to a place in it, behind everything before it. */
  cite(number: number, url?: string): string;
  /** The text that was held back; open code is closed. */
  end(): string;
  /** The numbers of the passages linked to, in order of first mention. */
  cited(): number[];
}

/**
 * `[n]` becomes a Markdown link to passage n; a number without a passage is dropped. A link stays where it
 * leads to a retrieved passage's page; otherwise only its words stay, and of an image its description. A bare
 * address becomes code, which can be read and copied; so does an e-mail address that is not in the docs. Tags
 * show as text. Code stays as it is wherever every client sees it as code.
 */
export function createCitationWriter(
  passages: Citable[],
  { mailboxes = [], indexes = [] }: Partial<Record<"mailboxes" | "indexes", Iterable<string>>> = {},
): CitationWriter {
  const writing: Writing = {
    urls: new Map(passages.map(({ number, url }) => [number, url])),
    targetOf: createPageTargets(passages),
    mailboxes: new Set(mailboxes),
    cited: new Set(),
    indexes: new Set(indexes),
    lists: createListItems(),
    table: createTableLines(),
    held: "",
    line: "",
    isCut: false,
    bracket: undefined,
    habit: undefined,
    isQuote: false,
    fence: undefined,
    isEnding: false,
  };
  return {
    write: (text) => read(writing, text, false),
    quote: (text) => read(writing, text, true),
    cite(number, url) {
      if (url !== undefined) writing.urls.set(number, url);
      const before = decideHeld(writing) + (writing.fence === undefined ? "" : `${closeCode(writing)}\n\n`);
      return before + replace(writing, 0, linksTo(writing, [number]));
    },
    end: () => decideHeld(writing) + closeCode(writing),
    cited: () => [...writing.cited],
  };
}

/**
 * Control characters, removed because clients treat them differently: a lone carriage return may end a line.
 */
const UNSEEN = /[^\P{Cc}\t\n]|\ufeff/gu;

/** Reads a piece of text. What was held back is decided before text of another origin follows. */
function read(writing: Writing, text: string, isQuote: boolean): string {
  const before = isQuote === writing.isQuote ? "" : decideHeld(writing);
  writing.isQuote = isQuote;
  writing.held += text.replace(UNSEEN, "");
  return before + drain(writing);
}

/** Writes all that was held back, as if nothing followed. */
function decideHeld(writing: Writing): string {
  writing.isEnding = true;
  const said = drain(writing);
  writing.isEnding = false;
  return said;
}

function drain(writing: Writing): string {
  let out = "";
  for (;;) {
    const step = writing.fence === undefined ? proseStep(writing) : codeStep(writing, writing.fence);
    if (step === undefined) return out;
    out += step;
  }
}

// Clients post these texts: neither pattern may be slow on a long run of the same mark.
const CITATION_LINK = /\s?\[\[\d{1,3}\]\]\([^()\s]*\)/g;
const SUGGESTIONS_AT_END = /(?<!\n)\n*```suggestions\n[^`]*```\s*$/;

/**
 * An earlier answer as the model wrote it: links to passages that this question may not have would mislead
 * it.
 */
export function withoutCitations(answer: string): string {
  return answer.replace(CITATION_LINK, "").replace(SUGGESTIONS_AT_END, "");
}
