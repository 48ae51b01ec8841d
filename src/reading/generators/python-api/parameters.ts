import { cleanDoc } from "./clean-doc.ts";
import { endOfString } from "./statements.ts";

const SHOWN_CHARACTERS_MAX = 1_000;

/** A parameter of a function, with what is said of it where it is declared. */
interface Parameter {
  /** As it is declared, without what is said of it: "path: str = '/'". */
  shown: string;
  name: string;
  /** What `Annotated[…, Doc("…")]` says. */
  doc: string;
}

/** A signature as people read it, with the words for its parameters apart. */
export function readSignature(signature: string): { shown: string; parameters: Parameter[] } {
  const end = closingBracket(signature, 0);
  if (!signature.startsWith("(") || end === undefined) return { shown: signature, parameters: [] };
  const parameters = splitAtCommas(signature.slice(1, end)).map(parameterIn);
  const inside = parameters.map((parameter) => parameter.shown).join(", ");
  const shown = `(${inside})${signature.slice(end + 1)}`.replace(/\s+/g, " ");
  return {
    shown: shown.length > SHOWN_CHARACTERS_MAX ? `${shown.slice(0, SHOWN_CHARACTERS_MAX)}…` : shown,
    parameters,
  };
}

function parameterIn(text: string): Parameter {
  const [, name = "", rest = ""] = /^(\*{0,2}\w+)\s*([\s\S]*)$/.exec(text) ?? [];
  const start = /^:\s*(?:\w+\.)?Annotated\[/.exec(rest);
  const open = start === null ? -1 : start[0].length - 1;
  const end = open < 0 ? undefined : closingBracket(rest, open);
  if (end === undefined) return { shown: text, name, doc: "" };
  const [type = "", ...said] = splitAtCommas(rest.slice(open + 1, end));
  const doc = said.map(docIn).find((each) => each !== undefined) ?? "";
  const kept = said.filter((each) => docIn(each) === undefined && !/^(?:\w+\.)?deprecated\(/.test(each));
  const annotation = kept.length === 0 ? type : `Annotated[${[type, ...kept].join(", ")}]`;
  return { shown: `${name}: ${annotation}${rest.slice(end + 1)}`, name, doc };
}

function docIn(text: string): string | undefined {
  const [, quotes, words] =
    /^(?:\w+\.)?Doc\(\s*[rRuU]?("""|'''|"|')([\s\S]*)\1\s*(?:,\s*)?\)$/.exec(text.trim()) ?? [];
  return quotes === undefined ? undefined : cleanDoc(words ?? "");
}

/** The parts of a list at its own commas, not those inside of brackets and strings. */
function splitAtCommas(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const { at, depth, character } of signsIn(text, 0)) {
    if (character !== "," || depth !== 0) continue;
    parts.push(text.slice(start, at).trim());
    start = at + 1;
  }
  return [...parts, text.slice(start).trim()].filter((part) => part !== "");
}

/** Where the bracket that opens at a place is closed. */
function closingBracket(text: string, open: number): number | undefined {
  for (const { at, depth, character } of signsIn(text, open))
    if (depth === 0 && ")]}".includes(character)) return at;
  return undefined;
}

/** Brackets and commas outside of strings, each with how deep it lies. */
function* signsIn(text: string, start: number): Generator<{ at: number; depth: number; character: string }> {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at] ?? "";
    const isWordBefore = /\w/.test(text[at - 1] ?? "");
    const end = isWordBefore && !/["']/.test(character) ? undefined : endOfString(text, at);
    if (end !== undefined) {
      at = end - 1;
      continue;
    }
    if ("([{".includes(character)) depth++;
    else if (")]}".includes(character)) yield { at, depth: --depth, character };
    else if (character === ",") yield { at, depth, character };
  }
}
