import type { Node, Part } from "./nodes.ts";
import type { Expansion } from "./templates.ts";

/** Words that stand for something of the page or the wiki. What is not known, such as the time, is nothing. */
export function magicWord(state: Expansion, called: string, parts: number): string | undefined {
  const { title, wiki } = state;
  const { name } = title;
  if (called === "!") return "|";
  if (called === "=" && parts === 0) return "=";
  const [, word = "", said = ""] = /^([A-Z]{3,}[A-Z0-9]*)(?::([\s\S]*))?$/.exec(called) ?? [];
  if (word === "") return undefined;
  if (word === "DISPLAYTITLE") {
    state.shownTitle = said.trim();
    return "";
  }
  const space = wiki.titles.nameOf(title.namespace);
  const whole = space === "" || title.namespace === 0 ? name : `${space}:${name}`;
  const values: Readonly<Record<string, string>> = {
    PAGENAME: name,
    PAGENAMEE: name.replaceAll(" ", "_"),
    FULLPAGENAME: whole,
    FULLPAGENAMEE: whole.replaceAll(" ", "_"),
    BASEPAGENAME: name.slice(0, name.includes("/") ? name.lastIndexOf("/") : undefined),
    ROOTPAGENAME: name.split("/", 1)[0] ?? name,
    SUBPAGENAME: name.slice(name.lastIndexOf("/") + 1),
    NAMESPACE: title.namespace === 0 ? "" : space,
    NAMESPACENUMBER: String(title.namespace),
    SITENAME: wiki.siteName,
  };
  const value = values[word];
  if (value !== undefined && said === "") return value;
  return UNKNOWN.test(word) ? "" : undefined;
}

const UNKNOWN =
  /^(?:CURRENT|LOCAL|REVISION|NUMBER|DEFAULTSORT|DEFAULTCATEGORYSORT|SERVER|SCRIPTPATH|STYLEPATH|CONTENTLANG|DIRECTIONMARK|DIRMARK|PAGELANGUAGE|PAGEID|PAGESIZE|TALK|SUBJECT|ARTICLE|PROTECTION|CASCADING|PAGESIN|NOEXTERNALLANGLINKS|NOINDEX|TOC)[A-Z0-9]*$|^(?:(?:FULL|BASE|ROOT|SUB)?PAGENAME|NAMESPACE)E?$/;

/** How the parts of a call are written out: only those that are shown. */
interface Expanding {
  expand(part: Part): string;
  value(nodes: readonly Node[]): string;
}

type ParserFunction = (
  said: string,
  parts: readonly Part[],
  expanding: Expanding,
  state: Expansion,
) => string;

const at = (parts: readonly Part[], index: number, { expand }: Expanding) => {
  const part = parts[index];
  return part === undefined ? "" : expand(part).trim();
};

const FUNCTIONS: ReadonlyMap<string, ParserFunction> = new Map<string, ParserFunction>([
  ["#if", (said, parts, expanding) => at(parts, said.trim() !== "" ? 0 : 1, expanding)],
  ["#ifeq", (said, parts, expanding) => at(parts, isSame(said, at(parts, 0, expanding)) ? 1 : 2, expanding)],
  ["#ifexist", (said, parts, expanding, { wiki }) => at(parts, exists(wiki, said) ? 0 : 1, expanding)],
  ["#iferror", (said, parts, expanding) => (parts.length > 1 ? at(parts, 1, expanding) : said.trim())],
  ["#ifexpr", (said, parts, expanding) => at(parts, /^\s*(?:0\s*)?$/.test(said) ? 1 : 0, expanding)],
  ["#switch", (said, parts, expanding) => chosen(said.trim(), parts, expanding)],
  ["#invoke", (_, parts, { expand }) => wordsOf(parts.slice(1).map(expand))],
  [
    "#tag",
    (said, parts, expanding) => (/^(?:ref|references)$/i.test(said.trim()) ? "" : at(parts, 0, expanding)),
  ],
  ["lc", (said) => said.trim().toLowerCase()],
  ["uc", (said) => said.trim().toUpperCase()],
  ["lcfirst", (said) => said.trim().replace(/^./u, (letter) => letter.toLowerCase())],
  ["ucfirst", (said) => said.trim().replace(/^./u, (letter) => letter.toUpperCase())],
  ["formatnum", (said) => said.trim()],
  [
    "plural",
    (said, parts, expanding) => at(parts, said.trim() === "1" ? 0 : 1, expanding) || at(parts, 0, expanding),
  ],
  ["urlencode", (said) => encodeURIComponent(said.trim().toWellFormed())],
  ["anchorencode", (said) => said.trim().replaceAll(" ", "_")],
  ["fullurl", () => ""],
  ["localurl", () => ""],
  ["filepath", () => ""],
  ["int", (said) => said.trim()],
  ["ns", (said) => said.trim()],
]);

/** What a function makes of its parts; undefined where none is called so. */
export function callFunction(
  state: Expansion,
  called: string,
  parts: readonly Part[],
  expanding: Expanding,
): string | undefined {
  const colon = called.indexOf(":");
  if (colon < 0) return undefined;
  const name = called.slice(0, colon).trim().toLowerCase();
  const run = FUNCTIONS.get(name);
  if (run !== undefined) return run(called.slice(colon + 1), parts, expanding, state);
  // Others compute or ask for something: what they are given is no text.
  return name.startsWith("#") ? "" : undefined;
}

const NUMBER = /^[+-]?\d{1,15}(?:\.\d{1,15})?$/;

function isSame(a: string, b: string): boolean {
  const [one, other] = [a.trim(), b.trim()];
  return one === other || (NUMBER.test(one) && NUMBER.test(other) && Number(one) === Number(other));
}

const exists = ({ titles, byKey }: Expansion["wiki"], said: string) => byKey.has(titles.read(said).key);

/** The value of the case that is meant; cases without one share that of the next. */
function chosen(said: string, parts: readonly Part[], { expand, value }: Expanding): string {
  let isFound = false;
  let usual: Part | undefined;
  for (const [index, part] of parts.entries()) {
    if (part.name === undefined) {
      const name = expand(part).trim();
      // The last one is meant where no other is.
      if (index === parts.length - 1) return name;
      isFound ||= isSame(name, said);
      if (name === "#default") usual = parts.slice(index).find((each) => each.name !== undefined);
      continue;
    }
    const name = value(part.name).trim();
    if (isFound || isSame(name, said)) return value(part.value).trim();
    if (name === "#default") usual = part;
  }
  return usual === undefined ? "" : value(usual.value).trim();
}

/** What only says how something is shown. */
const OF_SHAPE =
  /^(?:style|class|id|width|height|align|valign|color|colour|background|bgcolor|border|float|clear|size|fontsize|padding|margin|colspan|rowspan|cellpadding|cellspacing|nocat|nocategory|sortkey|lang|bodystyle|titlestyle|headerstyle|labelstyle|datastyle|state)\d*$/i;
const OF_SHAPE_ONLY = /^(?:\d{1,5}(?:px|em|%)|#[\da-f]{3,8}|yes|no|true|false|left|right|center|none)$/i;

/** The words that an unknown template was given. */
export function parameterWords(values: ReadonlyMap<string, string>, isBlock: boolean): string {
  const words = [...values].flatMap(([name, value]) => {
    const text = value.trim();
    if (text === "" || OF_SHAPE.test(name) || OF_SHAPE_ONLY.test(text)) return [];
    return /^\d+$/.test(name)
      ? [text]
      : [isBlock && !text.includes("\n") ? `* ${name}: ${text}` : `${name}: ${text}`];
  });
  if (!isBlock) return wordsOf(words);
  return words.length === 0 ? "" : `\n${words.join("\n")}\n`;
}

const wordsOf = (texts: readonly string[]) =>
  texts
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .join(", ");
