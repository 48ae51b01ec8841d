import { writeTree } from "./write-tree.ts";

/** Writes a formula as MathML; undefined for one that is not understood, or too much. */
export type WriteMaths = (tex: string, place: { isBlock: boolean }) => string | undefined;

const TEX_CHARACTERS_MAX = 4_000;
/** A formula may name pieces of its own, and name them again in others: this bounds what comes of that. */
const DEFINITIONS = /\\(?:[egx]?def|let|futurelet|(?:re)?newcommand|providecommand|DeclareMathOperator)/;
const WITH_DEFINITIONS = { characters: 1_000, expansions: 50 };
const EXPANSIONS_MAX = 1_000;
/** What all formulas of a page may come to, in characters of HTML. Reading one costs time, even where nothing comes of it. */
const PAGE_CHARACTERS_MAX = 1_500_000;
const READING_CHARACTERS = 200;
const DEFINING_CHARACTERS = 50_000;
const SIZE_MAX: [number, number] = [20, 240];

const MATHS = /\$`+[^\s`]|^[ \t>]*(?:`{3,}|~{3,})[ \t]*math\b/m;

/** Whether a page may have formulas. */
export const mayHaveMaths = (markdown: string) => MATHS.test(markdown);

/** What writes the formulas of one page. The library that reads them is loaded with the first page that has some. */
export async function loadMaths(): Promise<WriteMaths> {
  const { default: temml } = await import("temml");
  let written = 0;
  return (tex, { isBlock }) => {
    const isDefining = DEFINITIONS.test(tex);
    const charactersMax = isDefining ? WITH_DEFINITIONS.characters : TEX_CHARACTERS_MAX;
    if (tex.trim() === "" || tex.length > charactersMax || written > PAGE_CHARACTERS_MAX) return undefined;
    written += isDefining ? DEFINING_CHARACTERS : READING_CHARACTERS;
    try {
      const tree = temml.__renderToMathMLTree(tex, {
        displayMode: isBlock,
        annotate: true,
        throwOnError: true,
        maxExpand: isDefining ? WITH_DEFINITIONS.expansions : EXPANSIONS_MAX,
        maxSize: SIZE_MAX,
      });
      const html = writeTree(tree);
      written += html?.length ?? 0;
      return html;
    } catch {
      // Whatever is wrong with a formula, its TeX can be read.
      return undefined;
    }
  };
}
