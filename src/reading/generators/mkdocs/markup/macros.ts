import { asList, asRecord, asText, isRecord } from "@docent/kernel/text/json";
import { readFirstConfig } from "../../config/config.ts";
import { type DocsTree, resolveLocation } from "../../docs-tree.ts";
import type { MkDocsSettings } from "../settings.ts";

/** The marks of Jinja, which a site may choose anew. */
function tagPattern(options: Readonly<Record<string, unknown>>): RegExp {
  const mark = (name: string, usual: string) => RegExp.escape(asText(options[`j2_${name}_string`]) || usual);
  const [opens, closes] = [mark("variable_start", "{{"), mark("variable_end", "}}")];
  const [begins, ends] = [mark("block_start", "{%"), mark("block_end", "%}")];
  const [hides, shows] = [mark("comment_start", "{#"), mark("comment_end", "#}")];
  return new RegExp(
    `${opens}([\\s\\S]{0,2000}?)${closes}|${begins}[-+]?([\\s\\S]{0,2000}?)[-+]?${ends}|${hides}(?=\\s)[\\s\\S]{0,5000}?${shows}`,
    "g",
  );
}

const NAME = /^[A-Za-z_][\w.]{0,200}$/;
const FAULTS_MAX = 20;
const VALUES_MAX = 10_000;

/** What Jinja makes of a page, as far as values tell: what is computed is left out, and named. */
export function expandMacros(
  markdown: string,
  values: Readonly<Record<string, unknown>>,
  faults: Set<string>,
  options: Readonly<Record<string, unknown>> = {},
): string {
  const tag = tagPattern(options);
  if (markdown.search(tag) < 0) return markdown;
  return expand(markdown, { tag, values, faults, budget: { turns: TURNS_MAX, characters: LOOPED_MAX } });
}

/** What a page, and each turn of its loops, is read with. */
interface Expansion {
  tag: RegExp;
  values: Readonly<Record<string, unknown>>;
  faults: Set<string>;
  budget: { turns: number; characters: number };
}

/** Loops in loops may be anybody's. */
const TURNS_MAX = 10_000;
const LOOPED_MAX = 2_000_000;

function expand(markdown: string, expansion: Expansion): string {
  const pieces: string[] = [];
  const state: Jinja = {
    values: Object.assign(Object.create(null), expansion.values),
    faults: expansion.faults,
    open: [],
    pieces,
    isRaw: false,
  };
  const matches = [...markdown.matchAll(expansion.tag)];
  let at = 0;
  for (let index = 0; index < matches.length; index++) {
    const match = matches[index];
    if (match === undefined) break;
    const before = markdown.slice(at, match.index);
    const shown = isShown(state);
    if (shown) pieces.push(before);
    at = match.index + match[0].length;
    const [whole, expression, statement] = match;
    const loop = shown && !state.isRaw ? loopAt(matches, index, state) : undefined;
    if (loop !== undefined) {
      pieces.push(turned(loop, markdown.slice(at, loop.end.index), state, expansion));
      at = loop.end.index + loop.end[0].length;
      index = loop.last;
    } else if (state.isRaw && !/^\s*endraw\s*$/.test(statement ?? "")) pieces.push(whole);
    else if (statement !== undefined) readStatement(state, statement.trim());
    else if (expression !== undefined && shown) pieces.push(expressionValue(state, expression.trim()));
  }
  if (isShown(state)) pieces.push(markdown.slice(at));
  return pieces.join("");
}

/** A loop over what is known, with the number of the mark that ends it. */
interface Loop {
  names: readonly string[];
  entries: readonly (readonly unknown[])[];
  end: RegExpExecArray;
  last: number;
}

const LOOP = /^\s*for\s+(\w{1,100})(?:\s*,\s*(\w{1,100}))?\s+in\s+([\w.]{1,200}?)(\.items\(\))?\s*$/;

/** The loop that begins at a mark; undefined where it is none, or what it goes over is not known. */
function loopAt(matches: readonly RegExpExecArray[], from: number, state: Jinja): Loop | undefined {
  const [, name, second, of = "", ofPairs] = LOOP.exec(matches[from]?.[2] ?? "") ?? [];
  if (name === undefined) return undefined;
  const value = lookUp(state.values, of);
  const list: readonly unknown[] | undefined = Array.isArray(value)
    ? value
    : isRecord(value)
      ? Object.entries(value).map((pair) => (ofPairs === undefined ? pair[0] : pair))
      : undefined;
  let depth = 0;
  for (let last = from; list !== undefined && last < matches.length; last++) {
    const end = matches[last];
    const word = /^\s*(\w+)/.exec(end?.[2] ?? "")?.[1];
    if (word === "for") depth++;
    if (word === "endfor") depth--;
    if (end === undefined || depth > 0) continue;
    const names = second === undefined ? [name] : [name, second];
    const entries = list.map((each) => (second === undefined ? [each] : Array.isArray(each) ? each : []));
    return { names, entries, end, last };
  }
  return undefined;
}

/** What the turns of a loop write, one after the other. */
function turned({ names, entries }: Loop, inner: string, { values }: Jinja, expansion: Expansion): string {
  const { budget, faults } = expansion;
  const written: string[] = [];
  for (const [index, entry] of entries.entries()) {
    budget.turns -= 1;
    if (budget.turns < 0 || budget.characters < 0) {
      faults.add("its loops make too much, and are cut");
      break;
    }
    const own = Object.fromEntries(names.map((name, at) => [name, entry[at]]));
    const loop = { index: index + 1, index0: index, first: index === 0, last: index === entries.length - 1 };
    const text = expand(inner, { ...expansion, values: { ...values, ...own, loop } });
    budget.characters -= text.length;
    written.push(text);
  }
  return written.join("");
}

interface Jinja {
  /** What is set on the page is added. */
  values: Record<string, unknown>;
  faults: Set<string>;
  /** For each statement that is open, whether what is in it is shown. */
  open: OpenStatement[];
  pieces: string[];
  isRaw: boolean;
}

interface OpenStatement {
  name: string;
  isShown: boolean;
  /** How many pieces there were before it, and by how much lines in it are moved. */
  from?: number;
  indent?: number;
}

const isShown = ({ open }: Jinja) => open.every((each) => each.isShown);

function readStatement(state: Jinja, statement: string): void {
  const name = /^\w+/.exec(statement)?.[0] ?? "";
  if (name === "raw") state.isRaw = true;
  else if (name === "endraw") state.isRaw = false;
  else if (name === "set") setValue(state, statement);
  else if (name === "if") state.open.push({ name, isShown: isTrue(state, statement.slice(2)) });
  else if (name === "elif" || name === "else") {
    const last = state.open.at(-1);
    if (last?.name === "if") last.isShown = !last.isShown;
  } else if (INDENTING.test(statement)) {
    const indent = Number(/\d+/.exec(statement)?.[0] ?? 4);
    state.open.push({ name, isShown: true, from: state.pieces.length, indent });
  } else if (["for", "macro", "call", "filter"].includes(name)) {
    fault(state, statement);
    state.open.push({ name, isShown: name === "filter" });
  } else if (name.startsWith("end")) endStatement(state);
  else fault(state, statement);
}

const INDENTING = /^filter\s+indent\b/;
const INDENT_MAX = 40;

/** What a filter indents is moved, but its first line, which stands where the filter does. */
function endStatement({ open, pieces }: Jinja): void {
  const { from, indent = 0 } = open.pop() ?? {};
  if (from === undefined) return;
  const inner = pieces.splice(from).join("");
  pieces.push(inner.replace(/\n(?=[^\n])/g, `\n${" ".repeat(Math.min(indent, INDENT_MAX))}`));
}

/** What is not known counts as true: its words are rather shown than lost. */
function isTrue(state: Jinja, condition: string): boolean {
  const [, not, name = ""] = /^\s*(not\s+)?([\w.]+)\s*$/.exec(condition) ?? [];
  if (name === "") return true;
  const value = lookUp(state.values, name);
  return (not === undefined) === (value === undefined ? true : Boolean(value));
}

function expressionValue(state: Jinja, expression: string): string {
  const value = knownValue(state, expression);
  if (value === undefined) fault(state, expression);
  return value ?? "";
}

/** What stands between `+` and `~`, where all of it is known: words, names, and names with a default. */
function knownValue({ values }: Jinja, expression: string): string | undefined {
  const parts = expression.split(/\s[+~]\s/).map((part) => {
    const [, double, single, number] = /^\s*(?:"([^"]*)"|'([^']*)'|(\d+(?:\.\d+)?))\s*$/.exec(part) ?? [];
    const literal = double ?? single ?? number;
    if (literal !== undefined) return literal;
    const [, name = "", usual] =
      /^\s*([\w.]{1,200})\s*(?:\|\s*(?:safe|trim|(?:default|d)\(\s*["']([^"']*)["']\s*(?:,\s*\w+\s*)?\))\s*)?$/.exec(
        part,
      ) ?? [];
    const value = NAME.test(name) ? lookUp(values, name) : undefined;
    const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
    return isPlain ? String(value) : usual;
  });
  return parts.includes(undefined) ? undefined : parts.join("");
}

/** `set name = value`. */
function setValue(state: Jinja, statement: string): void {
  const [, name = "", written = ""] = /^set\s+(\w{1,100})\s*=\s*([\s\S]*)$/.exec(statement) ?? [];
  const value = knownValue(state, written);
  if (name !== "" && value !== undefined && Object.keys(state.values).length < VALUES_MAX)
    state.values[name] = value;
  else fault(state, statement);
}

function fault({ faults }: Jinja, written: string): void {
  if (faults.size < FAULTS_MAX)
    faults.add(`{{ ${written.replace(/\s+/g, " ").slice(0, 80)} }} is computed, and left out`);
}

function lookUp(values: Readonly<Record<string, unknown>>, name: string): unknown {
  let value: unknown = values;
  for (const key of name.split("."))
    value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value;
}

/** What a page's macros can name. */
export function macroValues(
  config: Readonly<Record<string, unknown>>,
  data: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const extra = isRecord(config["extra"]) ? config["extra"] : {};
  const title = asText(data["title"]);
  return Object.assign(Object.create(null), extra, data, {
    config,
    page: { meta: data, ...(title === undefined ? {} : { title }) },
  });
}

/** The configuration's own values, with those of the files that `include_yaml` names. */
export async function extraValues(
  tree: DocsTree,
  { config, root }: MkDocsSettings,
  options: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const files = asList(options["include_yaml"]).slice(0, 100);
  if (files.length === 0) return asRecord(config["extra"]);
  const values: Record<string, unknown> = Object.assign(Object.create(null), config["extra"]);
  for (const each of files) {
    const [key, name] =
      typeof each === "string" ? [undefined, each] : (Object.entries(asRecord(each))[0] ?? []);
    const place = typeof name === "string" ? resolveLocation(root, name) : undefined;
    const value = place === undefined ? undefined : (await readFirstConfig(tree, [place]))?.value;
    if (key === undefined) Object.assign(values, asRecord(value));
    else values[key] = value;
  }
  return values;
}
