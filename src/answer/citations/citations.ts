import { closeCode, codeStep } from "./code.ts";
import { createListItems } from "./code-fence.ts";
import { type Citable, createPageTargets } from "./page-targets.ts";
import { proseStep } from "./prose.ts";
import { createTableLines } from "./table-lines.ts";
import type { Writing } from "./writing.ts";

export { mailboxesIn } from "./addresses.ts";
export { citedNumbers } from "./cited-numbers.ts";

/** Turns what a responder writes into what a reader sees, as it comes. */
export interface CitationWriter {
  /** The reader's text for a piece of the responder's. May hold back an end that is not decided yet. */
  write(text: string): string;
  /** The rest, which was held back; code that is still open is closed. */
  end(): string;
  /** Numbers of the passages that were linked to, in the order of their first mention. */
  cited(): number[];
}

/**
 * `[n]` becomes a Markdown link to passage n; a number that no passage has is dropped. A link stays one where it leads
 * to a retrieved passage's page; of any other only the words stay, of an image its description. An address that stands
 * alone becomes code: it can be read and copied; so does an e-mail address that is not among the docs' own mailboxes.
 * Tags show as text. Code is left as it is, where every client sees that it is code.
 */
export function createCitationWriter(passages: Citable[], mailboxes: Iterable<string> = []): CitationWriter {
  const writing: Writing = {
    urls: new Map(passages.map(({ number, url }) => [number, url])),
    targetOf: createPageTargets(passages),
    mailboxes: new Set(mailboxes),
    cited: new Set(),
    lists: createListItems(),
    table: createTableLines(),
    held: "",
    line: "",
    isCut: false,
    bracket: undefined,
    fence: undefined,
    isEnding: false,
  };
  return {
    write(text) {
      writing.held += text.replace(UNSEEN, "");
      return drain(writing);
    },
    end() {
      writing.isEnding = true;
      return drain(writing) + closeCode(writing);
    },
    cited: () => [...writing.cited],
  };
}

/**
 * Control characters, left out because clients differ in what they make of them: a lone carriage return may end a line.
 */
const UNSEEN = /[^\P{Cc}\t\n]|\ufeff/gu;

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

/** An earlier answer as the model wrote it: links to passages that this question may not have would mislead it. */
export function withoutCitations(answer: string): string {
  return answer.replace(CITATION_LINK, "").replace(SUGGESTIONS_AT_END, "");
}
