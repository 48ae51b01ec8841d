import { splitFrontMatter } from "../../markdown/front-matter.ts";
import { folderOf, joinLocation, resolveLocation } from "../docs-tree.ts";
import { codeAt, eachOutsideCode, type Inclusions, readIncluded, writeCode } from "../writing/writing.ts";
import { replaceTitled, type TitledLink, writeTitled } from "./options.ts";
import { clipped } from "./pages.ts";

/** A page that takes in others. */
interface Including {
  inclusions: Inclusions;
  /** The folder of all pages, and below it that of this one's address. */
  folder: string;
  below: string;
  faults: string[];
}

/** Only what stands by itself, or in a table, is taken in. */
const NOT_TAKEN = /^(?: {4}|\t|\s*(?:[-*+>]|\d{1,9}[.)])\s)/;

/** A page with the files that it takes in. They are not looked through for others. */
export async function withIncludes(including: Including, body: string): Promise<string> {
  if (!/:include\b/.test(body)) return body;
  const lines = body.split("\n");
  const written: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const code = codeAt(lines, at);
    if (code !== undefined) {
      written.push(...lines.slice(at, at + code.length));
      at += code.length;
      continue;
    }
    const line = lines[at] ?? "";
    const found = line.includes(":include") && !NOT_TAKEN.test(line) ? linksOf(line) : [];
    const taken = new Map<string, string>();
    for (const link of found) {
      const text = await taking(including, link);
      taken.set(link.whole, /^\s*\|/.test(line) ? text.replace(/(?<!\s)\s*\n\s*/g, " ").trim() : text);
    }
    written.push(replaceTitled(line, ({ whole }) => taken.get(whole)));
    at += 1;
  }
  return written.join("\n");
}

function linksOf(line: string): TitledLink[] {
  const found: TitledLink[] = [];
  replaceTitled(line, (link) => {
    if (link.options.has("include") && !link.isImage) found.push(link);
    return undefined;
  });
  return found;
}

const SHOWN_IN_FRAMES = /^(?:iframe|video|audio)$/;

async function taking(including: Including, link: TitledLink): Promise<string> {
  const { href, options, label, words } = link;
  const type = typeOf(link);
  const isElsewhere = /:|\/\//.test(href);
  // A film or another page is shown in a frame: a link leads there.
  if (SHOWN_IN_FRAMES.test(type)) return isElsewhere ? writeTitled({ ...link, words: "" }) : label;
  const place = isElsewhere ? undefined : resolveLocation("", clipped(`${including.below}/${href}`));
  const location = place === undefined ? undefined : joinLocation(including.folder, place);
  const included = await readIncluded(including.inclusions, location, []);
  if (included.fault !== undefined) {
    including.faults.push(`${href}, which it includes, ${included.fault}`);
    return isElsewhere ? writeTitled({ ...link, words: "" }) : label;
  }
  const { text } = included;
  const fragment = options.get("fragment");
  const isWhole = typeof fragment !== "string";
  const body = type === "markdown" ? splitFrontMatter(text).body : text;
  const part = isWhole ? body : fragmentOf(body, fragment, options.has("omitFragmentLine"));
  if (part === undefined) including.faults.push(`${href}, which it includes, has no part called ${fragment}`);
  if (type === "markdown") return `\n${linksFrom(including, included.location, part ?? "")}\n`;
  const extension = /\.(\w+)$/.exec(href)?.[1] ?? "";
  const language = type === "mermaid" ? "mermaid" : words || extension;
  const lines = (part ?? "").replace(/\n$/, "").split("\n");
  return `\n${writeCode(language.split(/\s/)[0] ?? "", lines).join("\n")}\n`;
}

function typeOf({ href, options }: TitledLink): string {
  const said = options.get("type");
  if (typeof said === "string" && /^(?:markdown|mermaid|iframe|video|audio|code)$/.test(said)) return said;
  if (/\.(?:md|markdown)/.test(href)) return "markdown";
  if (/\.mmd/.test(href)) return "mermaid";
  if (/\.html?/.test(href)) return "iframe";
  if (/\.(?:mp4|ogg)/.test(href)) return "video";
  return /\.mp3/.test(href) ? "audio" : "code";
}

/** What stands between two marks of a name: `/// [demo]`, or `### [demo]`. */
function fragmentOf(text: string, name: string, isWithoutLine: boolean): string | undefined {
  const mark = new RegExp(`(?:###|///)[^\\S\\n]*\\[${name.replace(/[^\w-]/g, "\\$&")}\\]`, "g");
  const [first, second] = [...text.matchAll(mark)];
  if (first === undefined || second === undefined) return undefined;
  const start = first.index + first[0].length;
  const from = isWithoutLine ? text.indexOf("\n", start) + 1 : start;
  const to = isWithoutLine ? text.lastIndexOf("\n", second.index) : second.index;
  return withoutIndent(text.slice(from, Math.max(from, to))).trim();
}

function withoutIndent(text: string): string {
  const indents = text
    .split("\n")
    .slice(1)
    .flatMap((line) => (line.trim() === "" ? [] : [/^[ \t]*/.exec(line)?.[0].length ?? 0]));
  const least = Math.min(...indents, 100);
  return text.replace(new RegExp(`^[ \\t]{${least}}`, "gm"), "");
}

/** Links that begin with a dot are meant from the file that they stand in. */
function linksFrom({ folder }: Including, location: string, text: string): string {
  const place = folderOf(location);
  const below = place === folder ? "" : folder === "" ? place : place.slice(folder.length + 1);
  return eachOutsideCode(text, (part) =>
    part.replace(/(\[[^[\]\n]+\]\()(\.[^()\s]+)(?=[)\s])/g, (_, before: string, href: string) => {
      const [target = "", rest = ""] = href.split(/(?=[?#])(.*)/s);
      return `${before}/${clipped(`${below}/${target}`)}${rest}`;
    }),
  );
}
