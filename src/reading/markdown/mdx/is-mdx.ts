import { outsideCode, outsideFences } from "@docent/kernel/text/code-spans";

/** A comment of JavaScript in braces, and an attribute whose value is an expression: no other Markdown has these. */
const COMMENT = /\{\/\*[\s\S]{0,2000}?\*\/\}/;
const EXPRESSION = /<[A-Z][\w.]{0,60}(?:\s[^<>{}]{0,500})?\s[\w-]{1,60}=\{/;
const INDENTED = /^(?: {4}|\t).*$/gm;
/** Values of templates, which MDX does not have. */
const TEMPLATE = /\{\{|\{%/;
const COMPONENT = /<(\/?)([A-Z][\w.]{0,60})((?:\s[^<>]{0,500})?)>/g;
const COMPONENTS_MAX = 2_000;

/** Whether a page of Markdown is MDX, whatever its file is called: React's own docs are `.md` files. */
export function isMdx(markdown: string): boolean {
  if (!markdown.includes("{/*") && !/<[A-Z]/.test(markdown)) return false;
  let isSaid = false;
  const words: string[] = [];
  outsideFences(markdown, (part) =>
    // In other Markdown, what is indented is code.
    outsideCode(part.replace(INDENTED, ""), (prose) => {
      isSaid ||= COMMENT.test(prose) || EXPRESSION.test(prose);
      words.push(prose);
      return prose;
    }),
  );
  const all = words.join("");
  return isSaid || (!TEMPLATE.test(all) && hasComponents(all));
}

/** Whether components stand on lines of their own around what they show, and all are closed: names of types are not. */
function hasComponents(words: string): boolean {
  let count = 0;
  let isAround = false;
  const open: string[] = [];
  for (const { 0: tag, 1: slash, 2: name = "", 3: rest = "", index } of words.matchAll(COMPONENT)) {
    if (count++ > COMPONENTS_MAX) return false;
    if (rest.endsWith("/")) continue;
    if (slash === "") open.push(name);
    else if (open.pop() !== name) return false;
    const end = index + tag.length;
    if (slash === "/" && isAlone(words, index, end)) isAround = true;
  }
  return isAround && open.length === 0;
}

const isAlone = (words: string, start: number, end: number) =>
  words.slice(words.lastIndexOf("\n", start - 1) + 1, start).trim() === "" &&
  (words.slice(end).split("\n", 1)[0] ?? "").trim() === "";
