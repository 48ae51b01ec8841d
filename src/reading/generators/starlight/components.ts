import { replaceEnclosed } from "@docent/kernel/text/code-spans";
import type { DocsTree } from "../docs-tree.ts";
import { createInclusions, readIncluded, takenIn, writeCode } from "../writing/writing.ts";

/** What stands in backticks, with those in it that are escaped. */
const TEMPLATE = "`(?:[^`\\\\]|\\\\[^])*`";
/** A component with its attributes as they are written. */
const ATTRIBUTES = String.raw`((?:\s+[\w:@-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|\{\s*${TEMPLATE}\s*\}|\{(?!\s*${TEMPLATE}\s*\})[^{}]*\}))?|\s+\{[^{}]*\})*)\s*`;
const HEADING_BADGE = new RegExp(
  String.raw`^([ \t]*#{1,6}[ \t](?:|[^\n]+?(?<!\s)))\s*<(?:Badge|Since)\b${ATTRIBUTES}(?:\/>|>[^<\n]*<\/(?:Badge|Since)>)[ \t]*$`,
  "gm",
);
const ICON = new RegExp(String.raw`<Icon\b${ATTRIBUTES}(?:\/>|><\/Icon>)`, "g");
const BUTTON = new RegExp(String.raw`<LinkButton\b${ATTRIBUTES}>`, "g");
const SLOT = /<Fragment\s+slot=["'](\w[\w-]{0,40})["']\s*>/g;
const PACKAGES = /<PackageManagerTabs\b[^>]*>/;

/** Stands for what is no word of a heading, between whose words its spaces count. */
export const NOTHING = "\uFDD4";

/** Components whose names say what they are, as those that are known everywhere. */
export function plainComponents(mdx: string): string {
  const codes: string[] = [];
  const mask = (code: string) => `\uFDD5${codes.push(code) - 1}\uFDD5`;
  const closing = ([, fence = ""]: RegExpExecArray) => `^[ \\t]*${fence}[^\\n]*$`;
  const masked = replaceEnclosed(mdx, FENCE, closing, ({ whole }) => mask(whole)).replace(CODE_SPAN, mask);
  return plainTags(masked).replace(/\uFDD5(\d+)\uFDD5/g, (_, index: string) => codes[Number(index)] ?? "");
}

/** Examples of components stay as they are written. */
const FENCE = /^[ \t]*(`{3,}|~{3,})/m;
const CODE_SPAN = /`+[^`\n]+`+/g;

function plainTags(mdx: string): string {
  const written = mdx
    .replace(HEADING_BADGE, (_, heading: string, attributes: string) => {
      const words = attributeIn(attributes, "text") ?? attributeIn(attributes, "v") ?? "";
      return `${heading} ${NOTHING}${words === "" ? "" : `\n\n(${words})\n`}`;
    })
    .replace(ICON, "")
    .replace(BUTTON, (_, attributes: string) => {
      const href = attributeIn(attributes, "href");
      return href === undefined ? "<a>" : `<a href="${href}">`;
    })
    .replaceAll("</LinkButton>", "</a>");
  return replaceEnclosed(
    written,
    PACKAGES,
    () => "</PackageManagerTabs>",
    ({ whole }) => whole.replace(SLOT, '<TabItem label="$1">').replaceAll("</Fragment>", "</TabItem>"),
  );
}

function attributeIn(attributes: string, name: string): string | undefined {
  const match = new RegExp(
    String.raw`\s${name}\s*=\s*(?:"([^"]*)"|'([^']*)'|\{\s*(?:"([^"]*)"|'([^']*)'|(${TEMPLATE}))\s*\})`,
  ).exec(attributes);
  const text = match?.slice(1, 5).find((each) => each !== undefined);
  return text ?? match?.[5]?.slice(1, -1).replace(/\\([`\\$])/g, "$1");
}

const RAW_IMPORT = /^import\s+(\w+)\s+from\s+["']([^"'\n]+)\?raw["'];?[ \t]*$/gm;
const CODE = new RegExp(String.raw`^([ \t]*)<Code\b${ATTRIBUTES}\/>[ \t]*$`, "gm");
const CHARACTERS_MAX = 200_000;

interface CodeSource {
  tree: DocsTree;
  locate: (from: string, specifier: string) => string | undefined;
  faults: string[];
}

/** `<Code>` as a fence: of a text that is written in it, or of a file that the page imports for it. */
export async function takeCodeImports(
  { tree, locate, faults }: CodeSource,
  location: string,
  mdx: string,
): Promise<string> {
  if (!mdx.includes("<Code")) return mdx;
  const inclusions = createInclusions(tree);
  const texts = new Map<string, string>();
  const missing = new Set<string>();
  for (const [, name = "", specifier = ""] of mdx.matchAll(RAW_IMPORT)) {
    const file = await readIncluded(inclusions, locate(location, specifier), []);
    if (file.fault !== undefined) {
      missing.add(name);
      faults.push(`${specifier}, whose code it shows, ${file.fault}`);
    } else texts.set(name, file.text.slice(0, CHARACTERS_MAX));
  }
  return mdx.replace(CODE, (whole, indent: string, attributes: string) => {
    const name = /\scode\s*=\s*\{\s*(\w+)\s*\}/.exec(attributes)?.[1] ?? "";
    const known = texts.get(name) ?? attributeIn(attributes, "code");
    if (known === undefined) return missing.has(name) ? "" : whole;
    const text = takenIn(inclusions, known);
    const title = attributeIn(attributes, "title");
    const info = `${attributeIn(attributes, "lang") ?? ""}${title === undefined ? "" : ` title="${title}"`}`;
    return ["", ...writeCode(info, text.trimEnd().split("\n"), indent), ""].join("\n");
  });
}
