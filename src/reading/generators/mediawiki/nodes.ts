/** A text with its templates and parameters: a piece of it, or one of these. */
export type Node = string | Braces;

/** `{{…}}` or `{{{…}}}`. */
export interface Braces {
  kind: "template" | "parameter";
  parts: Part[];
}

/** What stands between two bars; the first one is the name of the template. */
export interface Part {
  /** What is in front of the first `=`, where there is one. */
  name: Node[] | undefined;
  value: Node[];
}

interface Opening {
  sign: "{" | "[";
  count: number;
  parts: Part[];
}

const OPEN_MAX = 60;
const SIGNS = /\{{2,}|\[{2,}|\}{2,}|\]{2,}|[|=]/g;

/** Reads where templates and parameters begin and end. What is left open is text. */
export function parseBraces(text: string): Node[] {
  const top: Node[] = [];
  const open: Opening[] = [];
  const place = (): Node[] => open.at(-1)?.parts.at(-1)?.value ?? top;
  const add = (...nodes: Node[]) => {
    for (const node of nodes) if (node !== "") place().push(node);
  };
  let at = 0;
  for (const { 0: sign, index } of text.matchAll(SIGNS)) {
    // What was closed before may have taken a part of this run of signs.
    add(text.slice(at, index));
    at = index + sign.length;
    const last = open.at(-1);
    const [mark = ""] = sign;
    if (mark === "{" || mark === "[") {
      if (open.length >= OPEN_MAX) add(sign);
      else open.push({ sign: mark, count: sign.length, parts: [{ name: undefined, value: [] }] });
    } else if (mark === "|" && last?.sign === "{") last.parts.push({ name: undefined, value: [] });
    else if (mark === "=" && last?.sign === "{") splitName(last, sign);
    else if (mark === "}" && last?.sign === "{") closeBraces(open, sign.length, add);
    else if (mark === "]" && last?.sign === "[") {
      open.pop();
      add("[".repeat(last.count), ...(last.parts[0]?.value ?? []), sign);
    } else add(sign);
  }
  add(text.slice(at));
  while (open.length > 0) {
    const left = open.pop();
    if (left !== undefined) add(...asText(left));
  }
  return top;
}

function splitName(opening: Opening, sign: string): void {
  const part = opening.parts.at(-1);
  if (part === undefined) return;
  if (opening.parts.length === 1 || part.name !== undefined) part.value.push(sign);
  else {
    part.name = part.value;
    part.value = [];
  }
}

/** Closes as many braces as a run has: three are a parameter, two a template. */
function closeBraces(open: Opening[], length: number, add: (...nodes: Node[]) => void): void {
  let left = length;
  while (left >= 2) {
    const opening = open.at(-1);
    if (opening === undefined || opening.sign !== "{") break;
    const count = Math.min(3, left, opening.count);
    open.pop();
    const node: Braces = { kind: count === 3 ? "parameter" : "template", parts: opening.parts };
    left -= count;
    const rest = opening.count - count;
    if (rest >= 2) open.push({ sign: "{", count: rest, parts: [{ name: undefined, value: [node] }] });
    else add("{".repeat(rest), node);
  }
  add("}".repeat(left));
}

/** What was opened and not closed, as it is written. */
function asText({ sign, count, parts }: Opening): Node[] {
  const written = parts.flatMap((part, index): Node[] => [index === 0 ? "" : "|", ...nodesOf(part)]);
  return [sign.repeat(count), ...written];
}

/** A part as it is written, with its name. */
export const nodesOf = ({ name, value }: Part): Node[] =>
  name === undefined ? value : [...name, "=", ...value];
