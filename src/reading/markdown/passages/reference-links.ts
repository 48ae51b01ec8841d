import { hideCode, outsideFences } from "@docent/kernel/text/code-spans";
import { escapeDestination } from "@docent/kernel/text/write-markdown";
import { decodeDestination } from "../html-text.ts";
import { type Block, normalizeLabel, type Outline } from "../md/md.ts";

const TARGET =
  /^\[[^[\]]*\]:[ \t]*(?:<([^<>]{0,2000})>|([^\s<]\S{0,1999}))[ \t]*(?:"[^"]*"|'[^']*'|\([^()]*\))?[ \t]*$/;
const WITH_LINKS: ReadonlySet<Block["kind"]> = new Set(["paragraph", "list", "quote", "table"]);
/** A page of a thousand links to one long address would grow a thousandfold. What is beyond this is shown as words. */
const ADDED_CHARACTERS_MAX = 1_000_000;

const PLAIN = String.raw`[^[\]\\]|\\[\s\S]`;
/** `[text][label]`, `[label][]` or `[label]`, and the same of an image. A footnote, and a callout's mark, is none. */
const REFERENCE = new RegExp(
  String.raw`(?<!\\)(!?)\[(?!\^|!\w)((?:${PLAIN}|\[(?:${PLAIN}){0,500}\]){1,500})\](?:\[((?:${PLAIN}){0,500})\])?(?!\()`,
  "g",
);
/** A name as prose has it: a word in small letters may be an argument, and one in capitals a placeholder or a key. */
const NAME = String.raw`(?![\p{Lu}_-]+\])\p{Lu}[\p{L}\p{N}.]*(?:[\s-][\p{L}\p{N}.]+){0,3}`;
const NAME_ALONE = new RegExp(`^${NAME}$`, "u");
const ENDS_WITH_NAME = new RegExp(String.raw`(?<!\\)\[${NAME}\]\s$`, "u");
const BEGINS_WITH_NAME = new RegExp(String.raw`^\s\[${NAME}\](?![\w([{:])`, "u");
const PLACEHOLDERS = /^[\p{Lu}\d_-]+$/u;
const WORD = /\p{L}{2}/u;
/** What makes brackets a part of a word, of code, or of emphasis. */
const BOUND_BEFORE = /[\w)\]$.*\uE001]$/;
const BOUND_AFTER = /^[\w([{:=*\uE000]/;
/** Marks of a command's usage: there, brackets are around what may be left out. */
const USAGE = /\[(?:-|<|\uE000)|\.\.\.\]|\][ \t]?\.\.\.|\[[^[\]]*\|/;
const TASK_MARK = /^[ xX]$/;
const ITEM_MARK = /(?:^|\n)[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+$/;
const NEIGHBOUR_CHARACTERS = 80;

/** What is known of a page's references. */
interface References {
  targets: ReadonlyMap<string, string>;
  /** Whether brackets that lead nowhere may be meant for a link: in other formats than Markdown, they are brackets. */
  isMarkdown: boolean;
  room: number;
}

/** A text in which a mark stands for each piece of code, and what puts the code back. */
interface Prose {
  text: string;
  show: (changed: string) => string;
}

/**
 * Writes each reference link with its target, which may stand anywhere on the page: what is shown of the page by itself has
 * its links then. Of one whose target is nowhere, the words are left.
 */
export function placeReferences({ sections, definitions }: Outline, isMarkdown: boolean): Outline {
  const targets = new Map([...definitions].flatMap(([label, line]) => targetOf(label, line)));
  const references = { targets, isMarkdown, room: ADDED_CHARACTERS_MAX };
  const change = (source: string) =>
    source.includes("[") ? outsideFences(source, (lines) => placeIn(lines, references)) : source;
  return {
    definitions,
    sections: sections.map((section) => ({
      ...section,
      headingSource: change(section.headingSource),
      blocks: section.blocks.map((block) =>
        WITH_LINKS.has(block.kind) ? { ...block, text: change(block.text) } : block,
      ),
    })),
  };
}

function targetOf(label: string, line: string): [string, string][] {
  const [, angled, bare] = TARGET.exec(line) ?? [];
  const target = angled ?? bare;
  return target === undefined ? [] : [[label, escapeDestination(decodeDestination(target))]];
}

function placeIn(lines: string, references: References): string {
  const { hidden, show } = hideCode(lines);
  const isUsage = USAGE.test(hidden);
  return show(replaceReferences({ text: hidden, show }, references, isUsage));
}

function replaceReferences({ text, show }: Prose, references: References, isUsage: boolean): string {
  return text.replace(
    REFERENCE,
    (whole: string, mark: string, words: string, label: string | undefined, at: number) => {
      const inside = words.includes("[")
        ? replaceReferences({ text: words, show }, references, isUsage)
        : words;
      const around = {
        before: text.slice(Math.max(0, at - NEIGHBOUR_CHARACTERS), at),
        after: text.slice(at + whole.length, at + whole.length + NEIGHBOUR_CHARACTERS),
      };
      const isTask = label === undefined && TASK_MARK.test(words) && ITEM_MARK.test(around.before);
      const known = references.targets.get(normalizeLabel(show(label || words)));
      if (known !== undefined && !isTask) {
        const linked = `${mark}[${inside}](${known})`;
        references.room -= linked.length - whole.length;
        return references.room > 0 ? linked : inside;
      }
      const isDead = references.isMarkdown && !isUsage && leadsNowhere(words, label, around, references);
      if (isDead) return inside;
      return `${mark}[${inside}]${label === undefined ? "" : `[${label}]`}`;
    },
  );
}

/** Whether brackets are those of a link that somebody forgot to say the target of. */
function leadsNowhere(
  words: string,
  label: string | undefined,
  { before, after }: { before: string; after: string },
  { targets }: References,
): boolean {
  if (BOUND_BEFORE.test(before) || BOUND_AFTER.test(after) || words.includes("[")) return false;
  if (label !== undefined) return WORD.test(words) && !PLACEHOLDERS.test(words + label);
  if (!NAME_ALONE.test(words)) return false;
  // Where a page has such links, a name in brackets is one more.
  return targets.size > 0 || ENDS_WITH_NAME.test(before) || BEGINS_WITH_NAME.test(after);
}
