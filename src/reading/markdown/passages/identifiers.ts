import { atxHeading, closesFence, type FenceOpening, fenceOpening } from "@docent/kernel/text/markdown-lines";

const IDENTIFIERS_MAX = 64;
const CHARACTERS_MAX = 80;
const LINE_CHARACTERS_MAX = 2_000;

/**
 * A code span on one line. Only one or two backticks are matched: longer marks are rare, and a run of them
 * must not be tried from each.
 */
const CODE_SPAN = /(?<!`)(?:`([^`]{1,200})`|``([^`]{1,200})``)(?!`)/g;
const WORD = /[^\s,;|"'`()[\]{}=]+/g;

/** Values that occur in code everywhere and identify nothing. */
const COMMON = new Set(
  (
    "true false null none nil undefined void any unknown object array string number boolean integer float int char bool " +
    "str list dict double long short byte if else for while return import export from this self super new"
  ).split(" "),
);

/** Shapes of names that no ordinary word has. */
const UNMISTAKABLE = [
  /^--?[A-Za-z][\w-]*$/, // --dry-run, -Path
  /^[A-Za-z]\w*_\w+$/, // snake_case, ENV_VAR
  /^_+[A-Za-z]\w*$/, // __init__
  /^[a-z]+\d*[A-Z]\w*$/, // camelCase
  /^[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+$/, // PascalCase
  /^[A-Z]{1,6}-?\d{3,6}$/, // E1234, LNK2019
  /^[A-Z][a-z]+-[A-Z][A-Za-z]+$/, // Get-Process
  /^[\w-]*\.?[\w-]+\.(?:json|jsonc|ya?ml|toml|ini|conf|cfg|xml|env|lock|mjs|cjs|[jt]sx?|py|rs|go|rb|sh|ps1|md|mdx|h|cpp|cs)$/, // package.json
  /^\w+(?:::~?\w+)+$/, // std::vector
  /^@[\w-]+(?:\/[\w.-]+)?$/, // @scope/package
  /^[A-Za-z]\w*(?:\.[A-Za-z_]\w*)+$/, // ray.init
];

/** Lines of code that declare a name. */
const DECLARATIONS = [
  /^\s*(?:(?:export|default|pub|public|private|protected|static|abstract|async|declare|final|unsafe|inline|virtual)\s+){0,4}(?:function\*?|def|class|interface|struct|enum|union|trait|type|const|let|var|val|func|fn|fun|namespace|module|package|protocol|sub|filter)\s+([A-Za-z_$][\w$:.-]*)/i,
  /^\s*#\s?define\s+([A-Za-z_]\w*)/,
  /^\s*(?:export\s+|set\s+|\$env:)?([A-Z][A-Z0-9_]{2,})\s?=/,
];
/** A C function: a type, a name and its parameters. */
const SIGNATURE = /^\s{0,8}(?:[A-Za-z_][\w:<>,]{0,60}[ \t*&]+){1,6}([A-Za-z_~][\w:~]{0,80})\s?\(/;
const NOT_A_TYPE =
  /^\s*(?:return|else|if|for|while|switch|case|throw|new|delete|await|yield|print|echo|import|from|use|not|and|or|in)\b/;
const C_LIKE = new Set(["c", "cpp", "c++", "cs", "csharp", "java", "h", "hpp", "objc", "idl"]);
const KEYED = new Set([
  "json",
  "jsonc",
  "json5",
  "yaml",
  "yml",
  "toml",
  "ini",
  "properties",
  "env",
  "dotenv",
]);
const KEY = /^\s*(?:-\s)?["']?([A-Za-z_][\w.-]*)["']?\s*[:=]/;
const FLAG = /(?<=^|[\s[(|])--[A-Za-z][\w-]*/g;
const SHELL = new Set([
  "",
  "sh",
  "bash",
  "shell",
  "zsh",
  "console",
  "terminal",
  "powershell",
  "ps1",
  "cmd",
  "bat",
]);

/**
 * Names of code in a piece of Markdown: in code spans, declarations and headings, including the `headings`
 * above it. Unchanged, distinct, in order.
 */
export function identifiersOf(markdown: string, headings: string[] = []): string[] {
  const found = new Set<string>();
  for (const heading of headings) for (const [word] of heading.matchAll(WORD)) addUnmistakable(found, word);
  let fence: FenceOpening | undefined;
  let language = "";
  for (const whole of markdown.split("\n")) {
    if (found.size >= IDENTIFIERS_MAX) break;
    const line = whole.slice(0, LINE_CHARACTERS_MAX);
    const opening = fence ? undefined : fenceOpening(line);
    if (opening) {
      fence = opening;
      language = /^[{.\s]{0,4}([\w+#-]{1,40})/.exec(opening.info)?.[1]?.toLowerCase() ?? "";
    } else if (fence === undefined) ofProse(found, line);
    else if (closesFence(line, fence)) fence = undefined;
    else ofCode(found, line, language);
  }
  return [...found].slice(0, IDENTIFIERS_MAX);
}

function ofProse(found: Set<string>, line: string): void {
  for (const match of line.matchAll(CODE_SPAN)) {
    const span = (match[1] ?? match[2] ?? "").trim();
    if (!/\s/.test(span)) add(found, span);
    else for (const [word] of span.matchAll(WORD)) addUnmistakable(found, word);
  }
  const heading = atxHeading(line);
  for (const [word] of heading?.text.matchAll(WORD) ?? []) addUnmistakable(found, word);
}

function ofCode(found: Set<string>, line: string, language: string): void {
  for (const pattern of DECLARATIONS) add(found, pattern.exec(line)?.[1] ?? "");
  if (C_LIKE.has(language) && !NOT_A_TYPE.test(line)) add(found, SIGNATURE.exec(line)?.[1] ?? "");
  if (KEYED.has(language)) add(found, KEY.exec(line)?.[1] ?? "");
  if (SHELL.has(language)) for (const [flag] of line.matchAll(FLAG)) add(found, flag);
}

function addUnmistakable(found: Set<string>, word: string): void {
  const name = nameIn(word);
  if (UNMISTAKABLE.some((pattern) => pattern.test(name))) add(found, name);
}

function add(found: Set<string>, written: string): void {
  if (written.length < 2) return;
  const name = nameIn(written);
  if (name.length < 2 || name.length > CHARACTERS_MAX) return;
  if (!/\p{L}/u.test(name) || COMMON.has(name.toLowerCase())) return;
  if (!/[</\\]|:\/\//.test(name)) found.add(name);
}

/** Strips what belongs to the sentence or the call: `open()`, `Map<K>`, `name:`, `<div>`. */
function nameIn(written: string): string {
  const name = written.replace(/^[<(*["']+/, "").split(/[<(>[\]"']|=(?=[^=])/, 1)[0] ?? "";
  return name.replace(/(?<![.,:;!?*=>])[.,:;!?*=>]+$/, "");
}
