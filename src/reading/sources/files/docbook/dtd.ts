/** What a document says of itself before its first element. */
interface Prolog {
  /** The name after `<!DOCTYPE`. */
  name: string;
  publicId: string;
  systemId: string;
  /** What stands between the brackets. */
  subset: string;
  /** Where the document begins behind it. */
  end: number;
}

/** A general entity: what it stands for, or the file that does. `from` is the file that declares it. */
export type Entity =
  | { kind: "text"; text: string; from: string }
  | { kind: "file"; target: string; from: string };

/** Files that a DTD takes in. Undefined for those that the source does not have. */
interface DtdFiles {
  read(target: string, from: string): Promise<{ location: string; text: string } | undefined>;
}

const SPACE = /\s/;
const NAME = /[\p{L}_:][\p{L}\p{N}_:.-]*/uy;

/** More is no DTD of a manual, and is not read further. */
const CHARACTERS_MAX = 20_000_000;
const ENTITIES_MAX = 200_000;
const DEPTH_MAX = 20;

/** Skips white space, comments and instructions. */
function skipped(text: string, from: number): number {
  let at = from;
  for (;;) {
    while (at < text.length && SPACE.test(text.charAt(at))) at += 1;
    const close = text.startsWith("<!--", at) ? "-->" : text.startsWith("<?", at) ? "?>" : undefined;
    if (close === undefined) return at;
    const end = text.indexOf(close, at + 2);
    if (end < 0) return text.length;
    at = end + close.length;
  }
}

/** Reads what stands before the first element. `end` is where that is, with a DOCTYPE or without. */
export function readProlog(text: string): Prolog {
  const none = { name: "", publicId: "", systemId: "", subset: "" };
  const at = skipped(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  if (!/^<!doctype\s/i.test(text.slice(at, at + 10))) return { ...none, end: at };
  let here = at + 10;
  const words: { text: string; isQuoted: boolean }[] = [];
  let subset = "";
  while (here < text.length) {
    const character = text.charAt(here);
    if (character === ">") {
      here += 1;
      break;
    }
    if (character === "[") {
      const end = endOfSubset(text, here + 1);
      subset = text.slice(here + 1, end);
      here = end + 1;
    } else if (character === '"' || character === "'") {
      const end = text.indexOf(character, here + 1);
      if (end < 0) return { ...none, end: text.length };
      words.push({ text: text.slice(here + 1, end), isQuoted: true });
      here = end + 1;
    } else if (SPACE.test(character)) here += 1;
    else {
      const end = here + (/^[^\s"'[>]+/.exec(text.slice(here, here + 300))?.[0].length ?? 1);
      words.push({ text: text.slice(here, end), isQuoted: false });
      here = end;
    }
  }
  const [name] = words;
  const isPublic = words[1]?.text.toUpperCase() === "PUBLIC";
  const quoted = words.filter(({ isQuoted }) => isQuoted).map((word) => word.text);
  const [publicId = "", systemId = ""] = isPublic ? quoted : ["", quoted[0]];
  return { name: name?.text ?? "", publicId, systemId, subset, end: skipped(text, here) };
}

/** Where the bracket closes behind declarations, in whose strings and comments there may be others. */
function endOfSubset(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at);
    if (text.startsWith("<!--", at)) at = endAt(text, "-->", at) - 1;
    else if (text.startsWith("<?", at)) at = endAt(text, "?>", at) - 1;
    else if (character === '"' || character === "'") at = endAt(text, character, at + 1) - 1;
    else if (character === "[") depth += 1;
    else if (character === "]") {
      if (depth === 0) return at;
      depth -= 1;
    }
  }
  return text.length;
}

/** Where something that has begun ends; the end of the text where it does not. */
function endAt(text: string, close: string, from: number): number {
  const at = text.indexOf(close, from);
  return at < 0 ? text.length : at + close.length;
}

/** The declarations that a document has read so far: the first of a name counts. */
export interface Declarations {
  general: Map<string, Entity>;
  parameters: Map<string, Entity>;
  /** The files that were read for them. */
  files: Set<string>;
  characters: number;
}

export const noDeclarations = (): Declarations => ({
  general: new Map(),
  parameters: new Map(),
  files: new Set(),
  characters: 0,
});

/** Reads declarations, with those of the files that they take in by parameter entities. */
export async function readDeclarations(
  text: string,
  from: string,
  into: Declarations,
  files: DtdFiles,
  depth = 0,
): Promise<void> {
  into.characters += text.length;
  if (depth > DEPTH_MAX || into.characters > CHARACTERS_MAX) return;
  let at = 0;
  while (at < text.length && into.general.size + into.parameters.size < ENTITIES_MAX) {
    at = skipped(text, at);
    if (text.startsWith("%", at)) {
      const name = nameAt(text, at + 1);
      at += 1 + name.length;
      if (text.charAt(at) === ";") at += 1;
      await readParameter(name, into, files, depth);
    } else if (text.startsWith("<![", at)) at = await readConditional(text, at, from, into, files, depth);
    else if (/^<!entity\s/i.test(text.slice(at, at + 9))) {
      const end = endOfDeclaration(text, at);
      readEntity(text.slice(at + 8, end - 1), from, into);
      at = end;
    } else if (text.startsWith("<!", at)) at = endOfDeclaration(text, at);
    else at += 1;
  }
}

function nameAt(text: string, at: number): string {
  NAME.lastIndex = at;
  return NAME.exec(text)?.[0] ?? "";
}

async function readParameter(
  name: string,
  into: Declarations,
  files: DtdFiles,
  depth: number,
): Promise<void> {
  const entity = into.parameters.get(name);
  if (entity === undefined) return;
  if (entity.kind === "text") return readDeclarations(entity.text, entity.from, into, files, depth + 1);
  const file = await files.read(entity.target, entity.from);
  if (file === undefined || into.files.has(`${name} ${file.location}`)) return;
  into.files.add(`${name} ${file.location}`);
  await readDeclarations(withoutXmlDeclaration(file.text), file.location, into, files, depth + 1);
}

/** `<![ %sysv; [ … ]]>`: read where it says INCLUDE, or where nobody knows. */
async function readConditional(
  text: string,
  at: number,
  from: string,
  into: Declarations,
  files: DtdFiles,
  depth: number,
): Promise<number> {
  const open = text.indexOf("[", at + 3);
  if (open < 0) return text.length;
  const keyword = expandParameters(text.slice(at + 3, open), into)
    .trim()
    .toUpperCase();
  let inner = 1;
  let end = open + 1;
  while (end < text.length && inner > 0) {
    if (text.startsWith("<![", end)) inner += 1;
    if (text.startsWith("]]>", end)) inner -= 1;
    if (text.startsWith("<!--", end)) end = endAt(text, "-->", end);
    else end += inner === 0 ? 0 : 1;
  }
  // What decides it may be in a file that is made when the manual is built: the first of several is as good as any.
  if (keyword === "INCLUDE" || keyword.startsWith("%"))
    await readDeclarations(text.slice(open + 1, end), from, into, files, depth + 1);
  return end + 3;
}

function endOfDeclaration(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"' || character === "'") at = endAt(text, character, at + 1) - 1;
    else if (text.startsWith("--", at) && !text.startsWith("<!--", from))
      at = Math.max(at + 1, text.indexOf("--", at + 2) + 1);
    else if (character === ">") return at + 1;
  }
  return text.length;
}

const DECLARATION =
  /^(%\s+)?([^\s"']{1,300})\s+(?:(SYSTEM|PUBLIC)\s*)?(?:"([^"]*)"|'([^']*)')?\s*(?:"([^"]*)"|'([^']*)')?/i;

function readEntity(declaration: string, from: string, into: Declarations): void {
  const found = DECLARATION.exec(declaration.trim());
  if (found === null) return;
  const [, percent, name = "", keyword, ...strings] = found;
  const first = strings[0] ?? strings[1];
  const second = strings[2] ?? strings[3];
  const all = percent === undefined ? into.general : into.parameters;
  if (all.has(name) || first === undefined) return;
  if (keyword === undefined) all.set(name, { kind: "text", text: expandParameters(first, into), from });
  else {
    const target = keyword.toUpperCase() === "SYSTEM" ? first : second;
    // A picture, or something else that is no text of the document.
    if (target !== undefined && !/\bNDATA\b/i.test(declaration))
      all.set(name, { kind: "file", target, from });
  }
}

const VALUE_CHARACTERS_MAX = 1_000_000;

/** Values may name parameter entities whose text is known by then. */
function expandParameters(value: string, { parameters }: Declarations): string {
  if (!value.includes("%")) return value;
  const expanded = value.replace(/%([\p{L}_:][\p{L}\p{N}_:.-]*);/gu, (whole, name: string) => {
    const entity = parameters.get(name);
    return entity?.kind === "text" ? entity.text : whole;
  });
  return expanded.length <= VALUE_CHARACTERS_MAX ? expanded : value;
}

/** The text of a file without the line that says how it is encoded. */
export const withoutXmlDeclaration = (text: string) => text.replace(/^\uFEFF?\s*<\?xml\s[^>]{0,500}\?>/, "");
