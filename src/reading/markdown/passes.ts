import {
  placeNestedContainers,
  unwrapColumns,
  unwrapIndentedBlocks,
  unwrapMdc,
} from "./containers/containers.ts";
import { unwrapDirectives } from "./directives.ts";
import { unwrapInlineNotes } from "./footnote-marks.ts";
import { plainImages } from "./image-marks.ts";
import { unwrapMaths } from "./maths.ts";
import { writeEmoji } from "./md/md.ts";
import { unwrapMdx } from "./mdx/mdx.ts";
import { unwrapRawHtml } from "./raw-html.ts";

/** The dialects of Markdown that pages are written in: that of most generators, with JSX in it, and Pandoc's once its own marks are read. */
export type Dialect = "md" | "mdx" | "pandoc";

/** What a pass leaves in a page, in the form in which others expect it. */
type Given = "footnotes" | "margin" | "containers" | "maths in code" | "placed containers" | "no tags";

/** Goes over a page once, and writes some of its marks as plain Markdown has them. */
export interface Pass {
  name: string;
  /** The dialects whose pages it goes over. */
  of: readonly Dialect[];
  /** What has to be in the page before; what no pass of the dialect gives is missing in its pages anyway. */
  needs: readonly Given[];
  gives: readonly Given[];
  write(markdown: string, frontMatter: Record<string, unknown>): string | Written;
}

/** A page behind some passes, and what was wrong with it. */
interface Written {
  markdown: string;
  faults: string[];
}

/** The passes that come before the dialect is told: what they take apart hides where a line begins. */
export const OPENING_PASSES: readonly Pass[] = [
  {
    name: "notes in the text",
    of: ["md", "mdx", "pandoc"],
    needs: [],
    gives: ["footnotes"],
    write: unwrapInlineNotes,
  },
  { name: "columns of DocFX", of: ["md", "mdx"], needs: [], gives: ["margin"], write: unwrapColumns },
];

/** The passes over a page whose dialect is known, in order. */
export const PASSES: readonly Pass[] = [
  { name: "components of Nuxt", of: ["md"], needs: ["margin"], gives: ["containers"], write: unwrapMdc },
  { name: "maths", of: ["md", "pandoc"], needs: [], gives: ["maths in code"], write: unwrapMaths },
  {
    name: "directives of Sphinx",
    of: ["md"],
    needs: ["maths in code"],
    gives: ["containers"],
    write: unwrapDirectives,
  },
  {
    name: "indented blocks of MkDocs",
    of: ["md"],
    needs: ["maths in code"],
    gives: ["containers"],
    write: unwrapIndentedBlocks,
  },
  {
    name: "JSX, with the maths between",
    of: ["mdx"],
    needs: ["margin"],
    gives: ["maths in code", "no tags"],
    write: (markdown, frontMatter) => unwrapMdx(markdown, frontMatter, { hasBareIds: true }),
  },
  {
    name: "containers in lists",
    of: ["md", "mdx", "pandoc"],
    needs: ["containers"],
    gives: ["placed containers"],
    write: placeNestedContainers,
  },
  {
    name: "raw HTML",
    of: ["md", "pandoc"],
    needs: ["maths in code", "placed containers"],
    gives: ["no tags"],
    write: unwrapRawHtml,
  },
  { name: "emoji", of: ["md", "mdx"], needs: ["maths in code", "no tags"], gives: [], write: writeEmoji },
  {
    name: "marks of images",
    of: ["md", "mdx", "pandoc"],
    needs: ["no tags"],
    gives: [],
    write: plainImages,
  },
];

/** Runs those of the passes that are for a dialect, one on what the other wrote. */
export function runPasses(
  passes: readonly Pass[],
  dialect: Dialect,
  source: string,
  frontMatter: Record<string, unknown>,
): Written {
  let markdown = source;
  const faults: string[] = [];
  for (const pass of passes) {
    if (!pass.of.includes(dialect)) continue;
    const written = pass.write(markdown, frontMatter);
    markdown = typeof written === "string" ? written : written.markdown;
    if (typeof written !== "string") faults.push(...written.faults);
  }
  return { markdown, faults };
}
