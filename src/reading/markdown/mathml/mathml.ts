import { asRecord, isRecord } from "@docent/kernel/text/json";

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

const ELEMENTS = new Set(
  (
    "annotation math menclose mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt " +
    "mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none semantics"
  ).split(" "),
);
/** None of them loads, leads or runs anything. */
const ATTRIBUTES = new Set(
  (
    "accent accentunder columnspan depth display displaystyle encoding fence form height largeop linethickness lspace " +
    "mathbackground mathcolor mathvariant maxsize minsize movablelimits notation rowspan rspace scriptlevel separator " +
    "stretchy symmetric voffset width"
  ).split(" "),
);
const VALUE = /^[\w#.%+ /-]{1,60}$/;
const COLOR = /^(?:#[0-9a-f]{3,8}|[a-z]{3,30})$/i;
/** The library's classes that the reader's style knows. */
const CLASSES = new Set(
  (
    "tml-cancel upstrike downstrike sout tml-xcancel tml-fbox tml-jot tml-left tml-overline tml-right tml-small " +
    "tml-tageqn tml-underline"
  ).split(" "),
);
/** Deeper formulas are none that people wrote. */
const DEPTH_MAX = 150;
const CHARACTERS_MAX = 200_000;

/**
 * The library's tree as HTML, of elements and attributes that are known: it has styles written on elements, which the
 * reader's Content-Security-Policy refuses. Those that change how a formula is read are classes. Undefined where there is
 * anything else in it.
 */
function writeTree(tree: unknown): string | undefined {
  const parts: string[] = [];
  let characters = 0;
  const put = (html: string) => {
    characters += html.length;
    if (characters > CHARACTERS_MAX) throw new RangeError("a formula is too long");
    parts.push(html);
  };

  function write(node: unknown, depth: number): void {
    if (!isRecord(node) || depth > DEPTH_MAX) throw new RangeError("a formula is too deep, or odd");
    const { type, text, children } = node;
    if (typeof text === "string") {
      put(Bun.escapeHTML(text));
      return;
    }
    if (!Array.isArray(children)) throw new RangeError("a formula has a part without content");
    // A part without a name of its own only holds others.
    const name = type === undefined ? undefined : String(type);
    if (name !== undefined && !ELEMENTS.has(name)) throw new RangeError(`a formula has no <${name}>`);
    if (name !== undefined) put(`<${name}${attributesOf(node)}>`);
    for (const child of children) write(child, depth + 1);
    if (name !== undefined) put(`</${name}>`);
  }

  if (asRecord(tree)["type"] !== "math") return undefined;
  write(tree, 0);
  return parts.join("");
}

function attributesOf(node: Readonly<Record<string, unknown>>): string {
  const attributes = Object.entries(asRecord(node["attributes"])).filter(
    ([name, value]) => ATTRIBUTES.has(name) && VALUE.test(String(value)),
  );
  const style = asRecord(node["style"]);
  const color = String(style["color"] ?? "");
  if (COLOR.test(color)) attributes.push(["mathcolor", color]);
  const classes = [...namesOf(node["classes"]), ...classesOfStyle(style)];
  if (classes.length > 0) attributes.push(["class", [...new Set(classes)].join(" ")]);
  return attributes.map(([name, value]) => ` ${name}="${Bun.escapeHTML(String(value))}"`).join("");
}

const namesOf = (classes: unknown) =>
  (Array.isArray(classes) ? classes : [])
    .flatMap((name) => String(name).split(" "))
    .filter((name) => CLASSES.has(name));

/** The rules of an element that matter, by the value that they have: lines of a table, and the distance of its columns. */
function classesOfStyle(style: Readonly<Record<string, unknown>>): string[] {
  const value = (name: string) => String(style[name] ?? "");
  const classes: string[] = [];
  for (const side of ["Top", "Bottom", "Left", "Right"]) {
    const line = value(`border${side}`);
    if (line !== "") classes.push(`line-${side.toLowerCase()}`);
    if (line.includes("dashed")) classes.push("dashed");
    const gap = Number.parseFloat(value(`padding${side}`));
    if (gap === 0 && /Left|Right/.test(side)) classes.push(`close-${side.toLowerCase()}`);
    if (value(`padding${side}`) === "1em") classes.push(`far-${side.toLowerCase()}`);
  }
  if (value("border") !== "") classes.push("tml-fbox");
  if (value("fontWeight") === "bold") classes.push("bold");
  if (value("textAlign") === "left") classes.push("tml-left");
  if (value("width") === "100%") classes.push("whole");
  if (value("width") === "50%") classes.push("half");
  return classes;
}
