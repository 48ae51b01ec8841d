import {
  type DocbookElement,
  type DocbookNode,
  elementsOf,
  idOf,
  isElement,
} from "../../../markdown/docbook/docbook.ts";

/**
 * What a pointer of XInclude chooses: an id, `element(id)`, or the simple paths that manuals write in `xpointer(…)`:
 * `/sect1/sect2[1]/para[1]`, `//*[@id='a']/node()`, `id('a')/descendant::para`. Undefined for one that is not understood.
 */
export function selectNodes(root: DocbookElement, pointer: string): DocbookNode[] | undefined {
  const written = pointer.replace(/^\s*(?:xmlns\([^)]{0,300}\)\s*)+/, "").trim();
  if (/^[\p{L}_][\p{L}\p{N}_:.-]{0,300}$/u.test(written)) return found(withId(root, written));
  const element = /^element\(([^()]{1,300})\)$/.exec(written)?.[1];
  if (element !== undefined) return byElement(root, element);
  const path = /^(?:xpointer|xpath)\((.{1,1000})\)$/s.exec(written)?.[1];
  return path === undefined ? undefined : byPath(root, path.trim());
}

const found = (element: DocbookElement | undefined) => (element === undefined ? [] : [element]);

/** A file is pointed into again and again. */
const ids = new WeakMap<DocbookElement, Map<string, DocbookElement>>();

function withId(root: DocbookElement, id: string): DocbookElement | undefined {
  const known = ids.get(root) ?? new Map<string, DocbookElement>();
  if (!ids.has(root)) noteIds(root, known);
  ids.set(root, known);
  return known.get(id);
}

function noteIds(element: DocbookElement, into: Map<string, DocbookElement>): void {
  const id = idOf(element);
  if (id !== undefined && !into.has(id)) into.set(id, element);
  for (const child of elementsOf(element)) noteIds(child, into);
}

/** `id/1/2`, `/1/2`: children by their numbers. */
function byElement(root: DocbookElement, written: string): DocbookNode[] {
  const [id = "", ...numbers] = written.split("/");
  let at: DocbookElement | undefined = id === "" ? root : withId(root, id);
  for (const number of id === "" ? numbers.slice(1) : numbers) at = at && elementsOf(at)[Number(number) - 1];
  return found(at);
}

const STEP =
  /^(\/\/?)?(descendant(?:-or-self)?::|child::)?(?:\w+:(?!:))?(\*|node\(\)|text\(\)|[\p{L}_][\p{L}\p{N}_.-]*)((?:\[[^\][]{1,200}\])*)/u;

function byPath(root: DocbookElement, written: string): DocbookNode[] | undefined {
  const id = /^(?:id|key)\(\s*(?:'([^']{1,300})'|"([^"]{1,300})")\s*\)/.exec(written);
  let rest = id === null ? written : written.slice(id[0].length);
  let nodes: DocbookNode[] = id === null ? [] : found(withId(root, id[1] ?? id[2] ?? ""));
  let isFirst = id === null;
  while (rest !== "") {
    const step = STEP.exec(rest);
    if (step === null) return undefined;
    const [whole, axis = "", along = "", name = "", conditions = ""] = step;
    if (!isFirst && axis === "") return undefined;
    const next = candidates({
      root,
      nodes,
      isFirst,
      isDeep: axis === "//" || along.startsWith("descendant"),
    });
    const chosen = next.map((group) =>
      filtered(
        group.filter((node) => isNamed(node, name)),
        conditions,
      ),
    );
    if (chosen.some((group) => group === undefined)) return undefined;
    nodes = [...new Set(chosen.flatMap((group) => group ?? []))];
    isFirst = false;
    rest = rest.slice(whole.length);
  }
  return nodes;
}

/** What a step chooses among, for each of the nodes before it. */
function candidates({
  root,
  nodes,
  isFirst,
  isDeep,
}: {
  root: DocbookElement;
  nodes: readonly DocbookNode[];
  isFirst: boolean;
  isDeep: boolean;
}): DocbookNode[][] {
  if (isFirst) return isDeep ? [[root], ...below(root)] : [[root]];
  return nodes.filter(isElement).flatMap((node) => (isDeep ? below(node) : [node.children]));
}

/** The children of an element and of each of those in it. */
const below = (element: DocbookElement): DocbookNode[][] => [
  element.children,
  ...elementsOf(element).flatMap(below),
];

function isNamed(node: DocbookNode, name: string): boolean {
  if (name === "node()") return true;
  if (name === "text()") return typeof node === "string";
  return isElement(node) && (name === "*" || node.name === name);
}

function filtered(nodes: readonly DocbookNode[], conditions: string): DocbookNode[] | undefined {
  let left = [...nodes];
  for (const [, condition = ""] of conditions.matchAll(/\[([^\][]*)\]/g)) {
    const number = /^\s*(?:position\(\)\s*=\s*)?(\d{1,6})\s*$/.exec(condition)?.[1];
    const other = /^\s*not\(\s*@(?:\w+:)?([\w.-]+)\s*=\s*(?:'([^']*)'|"([^"]*)")\s*\)\s*$/.exec(condition);
    const attribute = /^\s*@(?:\w+:)?([\w.-]+)\s*=\s*(?:'([^']*)'|"([^"]*)")\s*$/.exec(condition);
    if (number !== undefined) left = left.slice(Number(number) - 1, Number(number));
    else if (/^\s*last\(\)\s*$/.test(condition)) left = left.slice(-1);
    else if (attribute !== null)
      left = left.filter(
        (node) => isElement(node) && node.attributes[attribute[1] ?? ""] === (attribute[2] ?? attribute[3]),
      );
    else if (other !== null)
      left = left.filter(
        (node) => isElement(node) && node.attributes[other[1] ?? ""] !== (other[2] ?? other[3]),
      );
    else return undefined;
  }
  return left;
}
