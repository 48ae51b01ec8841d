/** A tag of an extension: what is in it is no wikitext, or is read by itself. */
export interface ExtensionTag {
  name: string;
  attributes: string;
  content: string;
}

/** Tags of extensions that are read here, or only draw something or ask for something. */
const EXTENSIONS = new Set(
  (
    "nowiki pre syntaxhighlight source math chem ce ref references gallery poem " +
    "categorytree dpl dynamicpagelist inputbox rss score timeline graph templatedata templatestyles indicator imagemap " +
    "mapframe maplink hiero languages section html charinsert ask calendar drawio embedvideo youtube"
  ).split(" "),
);

const OPENING = /<!--|<([a-z]{2,20})(?=[\s/>])/gi;
const ATTRIBUTES_MAX = 2_000;

/**
 * Takes comments and the tags of extensions out of a text, and writes what `hold` gives in their place. What is left open
 * ends with the text.
 */
export function holdTags(text: string, hold: (tag: ExtensionTag) => string): string {
  const out: string[] = [];
  const ends = new Map<string, boolean>();
  let at = 0;
  OPENING.lastIndex = 0;
  for (let found = OPENING.exec(text); found !== null; found = OPENING.exec(text)) {
    const [whole, tag] = found;
    const name = tag?.toLowerCase();
    if (found.index < at || (name !== undefined && !EXTENSIONS.has(name))) continue;
    out.push(text.slice(at, found.index));
    const end =
      name === undefined
        ? commentEnd(text, found.index, out)
        : tagEnd(text, found.index + whole.length, { name, ends, out, hold });
    at = end ?? found.index;
    if (end === undefined) out.push(text.slice(at, ++at));
    OPENING.lastIndex = at;
  }
  out.push(text.slice(at));
  return out.join("");
}

/** A comment that fills a line goes with that line. */
function commentEnd(text: string, start: number, out: string[]): number {
  const close = text.indexOf("-->", start + 4);
  const end = close < 0 ? text.length : close + 3;
  const before = /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, start - 200), start));
  const after = /^[ \t]*\n/.exec(text.slice(end, end + 200))?.[0];
  if (!before || after === undefined) return end;
  const last = out.pop() ?? "";
  out.push(last.replace(/(?<![ \t])[ \t]+$/, ""));
  return end + after.length;
}

interface OpenTag {
  name: string;
  /** Whether a tag is closed anywhere behind: one that is not is looked for once. */
  ends: Map<string, boolean>;
  out: string[];
  hold(tag: ExtensionTag): string;
}

function tagEnd(text: string, from: number, { name, ends, out, hold }: OpenTag): number | undefined {
  const close = text.indexOf(">", from);
  if (close < 0 || close - from > ATTRIBUTES_MAX) return undefined;
  const attributes = text.slice(from, close);
  if (attributes.endsWith("/")) {
    out.push(hold({ name, attributes: attributes.slice(0, -1), content: "" }));
    return close + 1;
  }
  if (ends.get(name) === false) return undefined;
  const end = new RegExp(`</${name}\\s{0,20}>`, "gi");
  end.lastIndex = close + 1;
  const closing = end.exec(text);
  ends.set(name, closing !== null);
  if (closing === null) return undefined;
  out.push(hold({ name, attributes, content: text.slice(close + 1, closing.index) }));
  return closing.index + closing[0].length;
}

/** The value of an attribute. */
export function attributeIn(attributes: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i").exec(
    attributes.slice(0, ATTRIBUTES_MAX),
  );
  return found?.[1] ?? found?.[2] ?? found?.[3];
}

/** The tags of HTML that wikitext may have, with what they are written as. Others are words; "" is left out. */
const WRITTEN_AS = new Map<string, string>([
  ...(
    "b i u s em strong del ins sub sup code tt kbd samp var cite dfn q abbr br wbr hr div p blockquote ul ol li dl dt dd " +
    "table caption tr td th thead tbody tfoot h1 h2 h3 h4 h5 h6 details summary mark ruby rb rt span strike bdi bdo"
  )
    .split(" ")
    .map((name): [string, string] => [name, name]),
  ["center", "div"],
  ...(
    "big small font noinclude includeonly onlyinclude translate tvar nobr tabber tabs tab rp time data " +
    "gallery ref references nowiki"
  )
    .split(" ")
    .map((name): [string, string] => [name, ""]),
]);

const TAG = /<(\/?)([a-z][a-z0-9]{0,15})((?:[\s/][^<>]{0,2000})?)>/gi;
const KEPT = /(?:^|\s)(id|colspan|rowspan|start)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))/gi;

/** Text as HTML: the tags that are known are left, with the few attributes that say something. */
export function plainHtml(text: string, words: (text: string) => string): string {
  const out: string[] = [];
  let at = 0;
  for (const { 0: whole, 1: slash = "", 2: tag = "", 3: attributes = "", index } of text.matchAll(TAG)) {
    const name = WRITTEN_AS.get(tag.toLowerCase());
    if (name === undefined) continue;
    out.push(words(text.slice(at, index)));
    at = index + whole.length;
    if (name === "") continue;
    const isHidden = /display\s{0,5}:\s{0,5}none/i.test(attributes);
    out.push(
      slash === "" ? `<${name}${attributesOf(attributes)}${isHidden ? " hidden" : ""}>` : `</${name}>`,
    );
  }
  out.push(words(text.slice(at)));
  return out.join("");
}

const attributesOf = (attributes: string) =>
  [...attributes.matchAll(KEPT)]
    .slice(0, 5)
    .map(([, name = "", double, single, bare]) => {
      const value = (double ?? single ?? bare ?? "").replace(/["'<>\s]+/g, "_");
      return ` ${name.toLowerCase()}="${value}"`;
    })
    .join("");
