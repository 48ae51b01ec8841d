import type { IncludeProcessorDslInterface } from "@asciidoctor/core";
import { CHARACTERS_MAX, whyOutsized } from "./bounds.ts";
import { includedLines } from "./included-lines.ts";

/** A file that is included. */
export interface Included {
  location: string;
  text: string;
}

/** Finds a file that is included by another one; a string completes "<target>, which it includes, …" otherwise. */
export type ReadIncluded = (
  target: string,
  from: string,
  /** Whether all of it is asked for, and not some lines. */
  isWhole: boolean,
) => Promise<Included | string>;

const INCLUDES_MAX = 1_000;
const DEEP_MAX = 20;
const REFERENCES_MAX = 10_000;

type Process = Parameters<IncludeProcessorDslInterface["process"]>[0];

/** What the library asks for each `include::…[]`. Files lie where `include` finds them, and nowhere else. */
export function createIncludes(
  { location: page, include }: { location: string; include: ReadIncluded },
  faults: string[],
): Process {
  const left = { includes: INCLUDES_MAX, characters: CHARACTERS_MAX, references: REFERENCES_MAX };
  const above: string[] = [];
  return async (_, reader, target, asked) => {
    const depth = reader.includeDepth;
    above.length = depth;
    const from = above.at(-1) ?? page;
    const refuse = (why: string) => {
      // What is optional may be missing without a word.
      if ("optional-option" in asked) return;
      faults.push(`${target.slice(0, 300)}, which it includes, ${why}`);
    };
    left.includes -= 1;
    if (left.includes < 0) return left.includes === -1 ? refuse("is one of too many") : undefined;
    if (/^(?:https?|ftp|file|data):/i.test(target)) return refuse("is elsewhere, and nothing is fetched");
    const isWhole = !["lines", "tag", "tags"].some((name) => name in asked);
    const found = await include(target, from, isWhole);
    if (typeof found === "string") return refuse(found);
    if (found.location === page || above.includes(found.location)) return refuse("includes itself");
    if (depth >= DEEP_MAX) return refuse("is nested too deeply");
    const { lines, isPart, missing } = includedLines(found.text, asked);
    for (const tag of missing) refuse(`has no part that is tagged ${tag}`);
    const text = lines.join("\n");
    const outsized = whyOutsized(text);
    if (outsized !== undefined) return refuse(outsized);
    left.characters -= text.length;
    left.references -= text.split("{").length - 1;
    if (left.characters < 0 || left.references < 0) return refuse("makes the page too long");
    above.push(found.location);
    reader.pushInclude(text.split("\n"), found.location, found.location, 1, {
      ...asked,
      ...(isPart && { "partial-option": "" }),
    });
    if (reader.includeDepth === depth) above.pop();
  };
}
