import { cleanDoc } from "./clean-doc.ts";
import { endOfHead, endOfString, type Statement, statementsOf } from "./statements.ts";

/** What a module, or a class in it, defines. */
export interface PythonObject {
  kind: "class" | "function" | "property" | "data";
  name: string;
  /** As it is called: "(rule, **options)"; "" for what is not called. */
  signature: string;
  /** How a function belongs to its class. */
  binding: "class" | "static" | undefined;
  isAsync: boolean;
  /** What it documents of itself, without the indent of its code. */
  doc: string;
  /** What a class is made from, as it is written. */
  bases: string[];
  members: PythonObject[];
}

export interface PythonFile {
  doc: string;
  members: PythonObject[];
  /** What stands for what: `Flask` for `.app.Flask`. */
  imports: Map<string, string>;
  /** Modules of which all is taken. */
  wholeImports: string[];
  /** What `__all__` names. */
  exported: string[] | undefined;
}

const MEMBERS_MAX = 20_000;
const SIGNATURE_CHARACTERS_MAX = 100_000;

/** What is defined so far, with where each name stands: a module may have very many. */
interface Members {
  list: PythonObject[];
  places: Map<string, number>;
}

const membersOf = (list: PythonObject[]): Members => ({ list, places: new Map() });

/** A part of the module whose statements are being read. */
interface Scope {
  indent: number;
  kind: "module" | "class" | "function" | "other";
  /** What documents itself by a string at its beginning. */
  documented: { doc: string } | undefined;
  into: Members;
  isFresh: boolean;
  /** What a string on the next line documents. */
  last: PythonObject | undefined;
}

/** Reads what a Python module defines and says of it. Nothing of it is run. */
export function readPythonFile(source: string): PythonFile {
  const file: PythonFile = {
    doc: "",
    members: [],
    imports: new Map(),
    wholeImports: [],
    exported: undefined,
  };
  const scopes: Scope[] = [scopeOf(-1, "module", file, membersOf(file.members))];
  let decorators: string[] = [];
  let count = 0;
  for (const statement of statementsOf(source)) {
    while (scopes.length > 1 && (scopes.at(-1)?.indent ?? -1) >= statement.indent) scopes.pop();
    const scope = scopes.at(-1);
    if (scope === undefined || count > MEMBERS_MAX) break;
    const { text } = statement;
    if (text.startsWith("@")) {
      decorators.push(text.slice(1).trim());
      continue;
    }
    const wasFresh = scope.isFresh;
    scope.isFresh = false;
    const string = stringIn(text);
    if (string !== undefined) {
      document(scope, wasFresh, string);
      continue;
    }
    scope.last = undefined;
    const inner = definitionIn(statement, scope, decorators);
    if (inner !== undefined) {
      scopes.push(inner);
      count++;
    } else if (/:$/.test(text)) {
      const isPassedThrough =
        scope.kind !== "function" && /^(?:if|else|elif|try|except|finally|with)\b/.test(text);
      const kind = isPassedThrough ? scope.kind : scope.kind === "function" ? "function" : "other";
      scopes.push(scopeOf(statement.indent, kind, undefined, scope.into));
    } else readSimple(statement, scope, file);
    decorators = [];
  }
  return file;
}

const scopeOf = (
  indent: number,
  kind: Scope["kind"],
  documented: Scope["documented"],
  into: Members,
): Scope => ({ indent, kind, documented, into, isFresh: true, last: undefined });

function document(scope: Scope, isFirst: boolean, doc: string): void {
  if (isFirst && scope.documented !== undefined) scope.documented.doc = doc;
  else if (scope.last !== undefined && scope.last.doc === "") scope.last.doc = doc;
  scope.last = undefined;
}

/** The scope of a class or a function that a statement begins. */
function definitionIn(
  { text, indent, remarks }: Statement,
  scope: Scope,
  decorators: readonly string[],
): Scope | undefined {
  const match = /^(?:(async)\s+)?(def|class)\s+([\p{L}_][\p{L}\p{N}_]*)\s*([\s\S]*)$/u.exec(text);
  if (match === null) return undefined;
  const [, async, keyword, name = "", rest = ""] = match;
  const isClass = keyword === "class";
  const end = endOfHead(rest);
  const parameters = rest.slice(0, end).replace(/^\[[^\]]{0,500}\]/, "");
  const object: PythonObject = {
    kind: isClass ? "class" : isProperty(decorators) ? "property" : "function",
    name,
    signature: isClass ? "" : plainSignature(parameters, scope.kind === "class", decorators),
    binding: decorators.includes("classmethod")
      ? "class"
      : decorators.includes("staticmethod")
        ? "static"
        : undefined,
    isAsync: async !== undefined,
    doc: stringIn(rest.slice(end + 1).trim()) ?? remarks,
    bases: isClass ? argumentsIn(parameters) : [],
    members: [],
  };
  const isHidden = scope.kind === "function" || scope.kind === "other" || isAside(decorators);
  if (!isHidden) put(scope.into, object);
  if (isClass) return scopeOf(indent, isHidden ? "other" : "class", object, membersOf(object.members));
  // What a constructor gives to `self` are attributes of its class.
  const into = name === "__init__" && scope.kind === "class" ? scope.into : membersOf([]);
  return scopeOf(indent, "function", object, into);
}

const isProperty = (decorators: readonly string[]) =>
  decorators.some((each) => /(?:^|\.|_)(?:cached_)?property\b/.test(each));

/** Whether a function is only another form of one that is there: an overload, or how a property is set. */
const isAside = (decorators: readonly string[]) =>
  decorators.some((each) => /(?:^|\.)overload$|\.(?:setter|deleter|getter)$/.test(each));

/** Adds what is defined. Where a name is defined twice, as for two systems, what is documented counts. */
function put({ list, places }: Members, object: PythonObject): PythonObject {
  const at = places.get(object.name);
  const before = at === undefined ? undefined : list[at];
  if (at !== undefined && before !== undefined && before.doc !== "") return before;
  places.set(object.name, at ?? list.length);
  list[at ?? list.length] = object;
  return object;
}

/** An assignment, or an import. */
function readSimple({ text, remarks }: Statement, scope: Scope, file: PythonFile): void {
  const [start = "", self, name = "", sign = ""] =
    /^(self\.)?([\p{L}_][\p{L}\p{N}_]*)\s*(:|\+?=(?!=))/u.exec(text) ?? [];
  if (sign === "") {
    if (scope.kind === "module") readImport(text, file);
    return;
  }
  if (name === "__all__" && scope.kind === "module")
    file.exported = [...(sign === "+=" ? (file.exported ?? []) : []), ...namesIn(text.slice(start.length))];
  const isOwn = scope.kind === "function" ? self !== undefined : self === undefined;
  if (!isOwn || scope.kind === "other" || sign === "+=") return;
  scope.last = put(scope.into, attribute(name, remarks));
}

const attribute = (name: string, doc: string): PythonObject => ({
  kind: "data",
  name,
  signature: "",
  binding: undefined,
  isAsync: false,
  doc,
  bases: [],
  members: [],
});

const namesIn = (value: string) =>
  [...value.matchAll(/["']([^"']{1,200})["']/g)].map(([, name = ""]) => name);

function readImport(text: string, file: PythonFile): void {
  const [, from, what = ""] = /^from\s+([.\w]+)\s+import\s+([\s\S]+)$/.exec(text) ?? [];
  if (from === undefined) return;
  if (what.trim() === "*") file.wholeImports.push(from);
  const separator = from.endsWith(".") ? "" : ".";
  for (const each of what
    .replace(/[()\\]/g, " ")
    .replace(/#.*$/gm, "")
    .split(",")) {
    const [name = "", as] = each.trim().split(/\s+as\s+/);
    if (/^\w+$/.test(name)) file.imports.set(as ?? name, `${from}${separator}${name}`);
  }
}

/** What a statement that is only a string says. */
function stringIn(text: string): string | undefined {
  const [, prefix, quotes] = /^([rRuUbBfF]{0,2})("""|'''|"|')/.exec(text) ?? [];
  if (prefix === undefined || quotes === undefined) return undefined;
  const end = endOfString(text, 0);
  if (end === undefined || text.slice(end).trim() !== "") return undefined;
  const inside = text.slice(prefix.length + quotes.length, end - quotes.length);
  const words = /r/i.test(prefix) ? inside : inside.replace(/\\\n/g, "").replace(/\\([\\'"nt])/g, escaped);
  return cleanDoc(words);
}

const escaped = (_: string, letter: string) => (letter === "n" ? "\n" : letter === "t" ? "\t" : letter);

/** A signature without what Python passes by itself. */
function plainSignature(parameters: string, isMethod: boolean, decorators: readonly string[]): string {
  const whole = parameters.trim().slice(0, SIGNATURE_CHARACTERS_MAX);
  const rest = /^\(\s*(?:self|cls|mcs)\b([\s\S]*)$/.exec(whole)?.[1];
  if (!isMethod || decorators.includes("staticmethod") || rest === undefined) return whole;
  const end = rest.search(/[,)]/);
  const others = rest.slice(rest[end] === "," ? end + 1 : Math.max(end, 0)).trimStart();
  return `(${others.replace(/^\/\s*,?\s*/, "")}`;
}

/** What stands between the outermost brackets, apart. */
function argumentsIn(text: string): string[] {
  const inside = /^\(([\s\S]*)\)\s*$/.exec(text.trim())?.[1];
  if (inside === undefined) return [];
  return inside
    .replace(/\[[^\]]{0,1000}\]/g, "")
    .split(",")
    .map((each) => each.trim())
    .filter((each) => /^[\w.]+$/.test(each));
}
