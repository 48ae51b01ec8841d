import {
  attributeOf,
  childNamed,
  childrenNamed,
  type DocbookElement,
  elementsOf,
  idOf,
  lineOf,
  titleOf,
} from "./element.ts";

const CALLOUTS = new Set(["co", "area", "areaset"]);

/** Many links lead to one title. */
const known = new WeakMap<DocbookElement, string | undefined>();

/** What a link says that leads to an element and has no words of its own; undefined where nothing of it can be said. */
export function generatedWords(element: DocbookElement): string | undefined {
  const label = attributeOf(element, "xreflabel");
  if (label !== undefined) return label;
  const own = known.has(element) ? known.get(element) : ownWords(element);
  known.set(element, own);
  if (own !== undefined && own !== "") return own;
  const { parent } = element;
  return parent === undefined ? undefined : generatedWords(parent);
}

function ownWords(element: DocbookElement): string | undefined {
  const { name } = element;
  const volume = name === "refentry" ? volumeOf(element) : undefined;
  if (volume !== undefined) return `${lineOf(titleOf(element) ?? element)}(${volume})`;
  if (name === "varlistentry" || name === "glossentry")
    return wordsOf(childNamed(element, "term", "glossterm"));
  if (name === "biblioentry" || name === "bibliomixed") {
    const short = childNamed(element, "abbrev");
    return `[${short === undefined ? (idOf(element) ?? "") : lineOf(short)}]`;
  }
  if (CALLOUTS.has(name)) return `(${calloutNumber(element)})`;
  if (name === "term" || name === "refname" || name === "title" || name === "member") return lineOf(element);
  if (name === "step") return numberOf(element, "step");
  if (name === "listitem" && element.parent?.name === "orderedlist") return numberOf(element, "listitem");
  if (name === "qandaentry") return wordsOf(childNamed(element, "question"));
  if (name === "question") return wordsOf(element);
  if (/^(?:function|command|option|filename|literal|varname|phrase|glossterm)$/.test(name))
    return wordsOf(element);
  return wordsOf(titleOf(element));
}

const WORDS_MAX = 200;
const wordsOf = (element: DocbookElement | undefined) => {
  const words = element === undefined ? "" : lineOf(element);
  return words.length > WORDS_MAX ? undefined : words;
};

function volumeOf(element: DocbookElement): string | undefined {
  const meta = childNamed(element, "refmeta");
  const volume = meta && childNamed(meta, "manvolnum");
  return volume === undefined ? undefined : lineOf(volume);
}

function numberOf(element: DocbookElement, name: string): string {
  const siblings = element.parent === undefined ? [] : childrenNamed(element.parent, name);
  const number = siblings.indexOf(element) + 1;
  const above = element.parent?.parent;
  return name === "step" && element.parent?.name === "substeps" && above?.name === "step"
    ? `${numberOf(above, "step")}.${number}`
    : String(number);
}

const numbered = new WeakMap<DocbookElement, ReadonlyMap<DocbookElement, number>>();

/** The number of a callout among those of its listing. */
export function calloutNumber(element: DocbookElement): number {
  let around = element.parent;
  while (
    around !== undefined &&
    !/^(?:programlisting|screen|literallayout|synopsis|areaspec|imageobjectco)$/.test(around.name)
  )
    around = around.parent;
  if (around === undefined) return 1;
  const numbers =
    numbered.get(around) ?? new Map(calloutsBelow(around).map((each, index) => [each, index + 1]));
  numbered.set(around, numbers);
  return numbers.get(element.parent?.name === "areaset" ? element.parent : element) ?? 1;
}

/** A set of areas is one callout. */
export function calloutsBelow(element: DocbookElement): DocbookElement[] {
  return elementsOf(element).flatMap((child) => (CALLOUTS.has(child.name) ? [child] : calloutsBelow(child)));
}
