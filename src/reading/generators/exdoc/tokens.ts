/** A piece of a program in Elixir, as far as configurations need it. */
export interface Token {
  kind: "text" | "regex" | "words" | "atom" | "key" | "name" | "alias" | "number" | "sign" | "line";
  /** Of a text without what is put into it when the program runs. */
  value: string;
  /** The parts of a text between which programs stand, each as it is written. */
  programs?: readonly string[];
  start: number;
  end: number;
}

const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<": ">" };
const SIGNS = /(?:\|>|\+\+|--|<>|->|=>|==|!=|<=|>=|&&|\|\||\\\\|::|\.\.|%\{|[-+*/=<>!&|^@%.,;()[\]{}:?])/y;
const NAME = /[a-z_][\p{L}\p{N}_]*[?!]?/uy;
const ALIAS = /[A-Z][\p{L}\p{N}_]*(?:\.[A-Z][\p{L}\p{N}_]*)*/uy;
const BLANK = /[ \t\r]+|#[^\n]*/y;
const NUMBER = /\d[\d_]*(?:\.\d+)?/y;
const ATOM = /:[\p{L}_][\p{L}\p{N}_@]*[?!]?/uy;
const SIGIL = /~([a-zA-Z]+)(\/|\||"|'|\(|\[|\{|<)/y;
const TOKENS_MAX = 20_000;
const HIDDEN = "\uE000";

/** The tokens of a program. What is not known of the language is left out of it. */
export function readTokens(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at;
    return pattern.exec(source)?.[0];
  };
  while (at < source.length && tokens.length < TOKENS_MAX) {
    const start = at;
    const blank = match(BLANK);
    if (blank !== undefined) {
      at += blank.length;
      continue;
    }
    const quoted = quotedAt(source, at);
    if (quoted !== undefined) {
      at = quoted.end;
      // A name in quotes may be a key, or an atom.
      const isKey = quoted.kind === "text" && source[at] === ":" && /\s/.test(source[at + 1] ?? "");
      if (isKey) at += 1;
      tokens.push({ ...quoted, kind: isKey ? "key" : quoted.kind, start, end: at });
      continue;
    }
    if (source[at] === "\n") {
      at += 1;
      tokens.push({ kind: "line", value: "\n", start, end: at });
      continue;
    }
    const [kind, value] = wordAt(match) ?? ["sign" as const, match(SIGNS) ?? ""];
    at += Math.max(1, value.length);
    const isKey = kind !== "atom" && kind !== "sign" && /^:(?:\s|$)/.test(source.slice(at, at + 2));
    if (isKey) at += 1;
    if (value !== "")
      tokens.push({ kind: isKey ? "key" : kind, value: value.replace(/^:(?=.)/, ""), start, end: at });
  }
  return tokens;
}

function wordAt(match: (pattern: RegExp) => string | undefined): [Token["kind"], string] | undefined {
  const kinds: [Token["kind"], RegExp][] = [
    ["atom", ATOM],
    ["alias", ALIAS],
    ["name", NAME],
    ["number", NUMBER],
  ];
  for (const [kind, pattern] of kinds) {
    const value = match(pattern);
    if (value !== undefined) return kind === "atom" && value.startsWith("::") ? undefined : [kind, value];
  }
  return undefined;
}

type Quoted = Pick<Token, "kind" | "value" | "programs" | "end">;

/** What stands between quotes, or in a sigil. */
function quotedAt(source: string, at: number): Quoted | undefined {
  for (const quotes of ['"""', "'''"])
    if (source.startsWith(quotes, at)) return heredoc(source, at + 3, quotes);
  const first = source[at];
  if (first === '"' || first === "'") return untilClose(source, at + 1, first, "text");
  if (first === ":" && source[at + 1] === '"') {
    const inside = untilClose(source, at + 2, '"', "text");
    return { ...inside, kind: "atom" };
  }
  SIGIL.lastIndex = at;
  const [whole, name = "", open = ""] = SIGIL.exec(source) ?? [];
  if (whole === undefined) return undefined;
  const from = at + whole.length;
  if (source.startsWith(open + open, from) && /["']/.test(open))
    return heredoc(source, from + 2, open.repeat(3));
  const kind = /^r$/i.test(name) ? "regex" : /^w$/i.test(name) ? "words" : "text";
  const inside = untilClose(source, from, CLOSING[open] ?? open, kind);
  const flags = /^[a-z]*/.exec(source.slice(inside.end, inside.end + 10))?.[0] ?? "";
  const value = kind === "regex" ? `(?${flags})${inside.value}` : inside.value;
  return { ...inside, value, end: inside.end + flags.length };
}

function heredoc(source: string, from: number, quotes: string): Quoted {
  const end = source.indexOf(quotes, from);
  const close = end < 0 ? source.length : end;
  return { kind: "text", value: source.slice(from, close).replace(/^\n/, ""), end: close + 3 };
}

function untilClose(source: string, from: number, close: string, kind: Token["kind"]): Quoted {
  const programs: string[] = [];
  let value = "";
  let at = from;
  while (at < source.length && source[at] !== close) {
    if (source[at] === "\\") {
      value +=
        kind === "regex" ? source.slice(at, at + 2).replace("\\/", "/") : escaped(source[at + 1] ?? "");
      at += 2;
    } else if (source.startsWith("#{", at)) {
      const end = source.indexOf("}", at);
      programs.push(source.slice(at + 2, end < 0 ? source.length : end));
      value += HIDDEN;
      at = end < 0 ? source.length : end + 1;
    } else {
      value += source[at];
      at += 1;
    }
  }
  return {
    kind,
    value,
    ...(programs.length === 0 ? {} : { programs }),
    end: Math.min(source.length, at + 1),
  };
}

const escaped = (letter: string) => (letter === "n" ? "\n" : letter === "t" ? "\t" : letter);

/** A text with what its programs come to in their places. */
export const filledText = (value: string, programs: readonly string[]) => {
  let next = 0;
  return value.replaceAll(HIDDEN, () => programs[next++] ?? "");
};
