import { computed, isComputed } from "../config/config.ts";
import { filledText, readTokens, type Token } from "./tokens.ts";

/** A tuple; the entries of a list with keys, and of a map, are tuples of two. */
export class Tuple {
  constructor(readonly values: readonly unknown[]) {}
}

/** What a module says of itself, as far as it is written as data. */
interface ElixirModule {
  /** What a function without parameters gives back; undefined where there is none. Other parts are `Computed`. */
  call(name: string): unknown;
}

interface Context {
  source: string;
  functions: ReadonlyMap<string, readonly Token[]>;
  attributes: ReadonlyMap<string, readonly Token[]>;
  /** The files that a pattern means. */
  wildcard: (pattern: string) => string[];
  /** How many more values may be read: functions may call each other without end. */
  budget: { left: number; depth: number };
  values: Map<string, unknown>;
}

const VALUES_MAX = 20_000;
const DEEP_MAX = 40;

/** Reads a module of Elixir. Nothing in it is run. */
export function readElixir(source: string, wildcard: (pattern: string) => string[]): ElixirModule {
  const tokens = readTokens(source);
  const functions = new Map<string, readonly Token[]>();
  const attributes = new Map<string, readonly Token[]>();
  for (const [at, { kind, value }] of tokens.entries()) {
    const name = tokens[at + 1];
    if (kind === "name" && /^defp?$/.test(value) && name?.kind === "name" && !functions.has(name.value)) {
      const body = bodyAfter(tokens, at + 2);
      if (body !== undefined) functions.set(name.value, body);
    } else if (kind === "sign" && value === "@" && name?.kind === "name" && !attributes.has(name.value))
      attributes.set(name.value, expressionAt(tokens, at + 2));
  }
  const budget = { left: VALUES_MAX, depth: 0 };
  const context = { source, functions, attributes, wildcard, budget, values: new Map<string, unknown>() };
  return {
    call(name) {
      const body = functions.get(name);
      return body === undefined ? undefined : valueOfBody(context, body);
    },
  };
}

/** What a function without parameters does. */
function bodyAfter(tokens: readonly Token[], from: number): readonly Token[] | undefined {
  let at = from;
  if (isSign(tokens[at], "(") && isSign(tokens[at + 1], ")")) at += 2;
  if (isSign(tokens[at], ",") && tokens[at + 1]?.kind === "key" && tokens[at + 1]?.value === "do")
    return expressionAt(tokens, at + 2);
  if (!isName(tokens[at], "do")) return undefined;
  return tokens.slice(at + 1, endOfBlock(tokens, at + 1));
}

const isSign = (token: Token | undefined, value: string) => token?.kind === "sign" && token.value === value;
const isName = (token: Token | undefined, value: string) => token?.kind === "name" && token.value === value;

/** The `end` of a block, from behind its `do`. */
function endOfBlock(tokens: readonly Token[], from: number): number {
  let depth = 1;
  for (let at = from; at < tokens.length; at++) {
    if (isName(tokens[at], "do") || isName(tokens[at], "fn")) depth += 1;
    else if (isName(tokens[at], "end")) depth -= 1;
    if (depth === 0) return at;
  }
  return tokens.length;
}

/** The tokens up to the end of a line that is in no brackets. */
function expressionAt(tokens: readonly Token[], from: number): readonly Token[] {
  let depth = 0;
  for (let at = from; at < tokens.length; at++) {
    const { kind, value } = tokens[at] ?? {};
    if (kind === "sign" && /^(?:[([{]|%\{)$/.test(value ?? "")) depth += 1;
    else if (kind === "sign" && /^[)\]}]$/.test(value ?? "")) depth -= 1;
    else if (isName(tokens[at], "do") || isName(tokens[at], "fn")) depth += 1;
    else if (isName(tokens[at], "end")) depth -= 1;
    if (depth < 0 || (depth === 0 && kind === "line" && at > from && !goesOn(tokens, at)))
      return tokens.slice(from, at);
  }
  return tokens.slice(from);
}

const JOINING = /^(?:\|>|\+\+|--|<>|\|\||&&|==|=|,)$/;

/** Whether what stands before the end of a line, or after it, joins them. */
function goesOn(tokens: readonly Token[], at: number): boolean {
  let place = at;
  while (tokens[place]?.kind === "line") place += 1;
  const next = tokens[place];
  const before = tokens[at - 1];
  return (
    (before?.kind === "sign" && JOINING.test(before.value)) ||
    (next?.kind === "sign" && JOINING.test(next.value))
  );
}

/** What a block comes to: its last expression, with the names that are given before it. */
function valueOfBody(context: Context, body: readonly Token[]): unknown {
  const { budget } = context;
  if (budget.depth >= DEEP_MAX) return computed(context.source.slice(body[0]?.start, body.at(-1)?.end));
  const own: Context = { ...context, values: new Map(context.values) };
  let last: unknown;
  budget.depth += 1;
  for (let at = 0; at < body.length; ) {
    if (body[at]?.kind === "line") {
      at += 1;
      continue;
    }
    const tokens = expressionAt(body, at);
    const [name, sign] = tokens;
    const isGiven = name?.kind === "name" && isSign(sign, "=");
    last = new Reader(own, isGiven ? tokens.slice(2) : tokens).whole();
    if (isGiven) own.values.set(name.value, last);
    at += Math.max(1, tokens.length);
  }
  budget.depth -= 1;
  return last;
}

/** Reads the value of an expression. */
class Reader {
  private at = 0;

  constructor(
    private readonly context: Context,
    private readonly tokens: readonly Token[],
  ) {
    context.budget.left -= 1;
  }

  /** All of the tokens as one expression; what of it is not known makes it computed. */
  whole(): unknown {
    if (this.context.budget.left < 0) return this.unknown(0);
    const value = this.piped();
    this.skipLines();
    return this.at < this.tokens.length ? this.unknown(0, this.guessOfRest(value)) : value;
  }

  /** Of `System.get_env("A") || "b"`, what is behind. */
  private guessOfRest(value: unknown): unknown {
    if (!isSign(this.peek(), "||") || !isComputed(value)) return undefined;
    this.at += 1;
    const guess = this.piped();
    return isComputed(guess) ? guess.guess : guess;
  }

  private peek(): Token | undefined {
    return this.tokens[this.at];
  }

  private skipLines(): void {
    while (this.peek()?.kind === "line") this.at += 1;
  }

  private unknown(from: number, guess?: unknown): unknown {
    const start = this.tokens[from]?.start ?? 0;
    const end = this.tokens.at(-1)?.end ?? start;
    this.at = this.tokens.length;
    return computed(this.context.source.slice(start, end), guess);
  }

  private takeSign(value: string): boolean {
    const before = this.at;
    this.skipLines();
    if (isSign(this.peek(), value)) {
      this.at += 1;
      return true;
    }
    this.at = before;
    return false;
  }

  private piped(): unknown {
    let value = this.joined();
    while (this.takeSign("|>")) {
      this.skipLines();
      const name = this.calledName();
      value = this.called(name, [value, ...this.argumentsOf()]);
    }
    return value;
  }

  private joined(): unknown {
    const value = this.single();
    if (this.takeSign("++")) return concat(value, this.joined());
    if (this.takeSign("<>")) return `${textOf(value) ?? ""}${textOf(this.joined()) ?? ""}`;
    if (!this.takeSign("--")) return value;
    const without = this.joined();
    if (!Array.isArray(value) || !Array.isArray(without)) return value;
    return value.filter((each) => !without.includes(each));
  }

  private single(): unknown {
    this.skipLines();
    const token = this.peek();
    if (token === undefined) return undefined;
    const from = this.at;
    this.at += 1;
    switch (token.kind) {
      case "text":
      case "atom":
        return this.text(token);
      case "words":
        return token.value.split(/\s+/).filter((word) => word !== "");
      case "regex":
        return regexOf(token.value) ?? computed(token.value);
      case "number":
        return Number(token.value.replaceAll("_", ""));
      case "name":
      case "alias":
        this.at = from;
        return this.named(from);
      case "sign":
        return this.bracketed(token.value, from);
      default:
        return this.unknown(from);
    }
  }

  private text({ value, programs = [] }: Token): string {
    const values = programs.map((program) => {
      const found = new Reader(this.context, readTokens(program)).whole();
      return textOf(isComputed(found) ? found.guess : found) ?? "";
    });
    return filledText(value, values);
  }

  private bracketed(sign: string, from: number): unknown {
    if (sign === "[") return this.until("]");
    if (sign === "{") return new Tuple(this.until("}"));
    if (sign === "%{") return this.until("}");
    if (sign === "(") {
      const [value] = this.until(")");
      return value;
    }
    if (sign === "@") {
      const name = this.peek();
      this.at += 1;
      const tokens = this.context.attributes.get(name?.value ?? "");
      return tokens === undefined ? this.unknown(from) : new Reader(this.context, tokens).whole();
    }
    if (sign === "&") return this.captured(from);
    return this.unknown(from);
  }

  /** `&docs/0` is the function itself, which is as good as what it gives back. */
  private captured(from: number): unknown {
    const name = this.peek();
    const [slash, arity] = this.tokens.slice(this.at + 1, this.at + 3);
    if (name?.kind !== "name" || !isSign(slash, "/") || arity?.value !== "0") return this.program(from);
    this.at += 3;
    return this.called(name.value, []);
  }

  /** Leaves out what only a run would tell, up to where the next value begins. */
  private program(from: number, guess?: unknown): unknown {
    const rest = this.tokens.slice(from);
    let depth = 0;
    let length = 0;
    for (; length < rest.length; length++) {
      const token = rest[length];
      const isOpen = token?.kind === "sign" && /^(?:[([{]|%\{)$/.test(token.value);
      const isClose = token?.kind === "sign" && /^[)\]}]$/.test(token.value);
      if (isOpen || isName(token, "do") || isName(token, "fn")) depth += 1;
      else if (isClose || isName(token, "end")) depth -= 1;
      if (depth < 0 || (depth === 0 && isSign(token, ","))) break;
    }
    this.at = from + length;
    const start = rest[0]?.start ?? 0;
    return computed(this.context.source.slice(start, rest[length - 1]?.end ?? start), guess);
  }

  /** The values up to a closing bracket; those with keys are tuples. */
  private until(close: string): unknown[] {
    const values: unknown[] = [];
    for (;;) {
      this.skipLines();
      const token = this.peek();
      if (token === undefined || this.takeSign(close)) return values;
      if (this.takeSign(",")) continue;
      const before = this.at;
      values.push(this.entry());
      // What cannot be read as a value is left out up to the next one.
      this.skipLines();
      if (!isSign(this.peek(), ",") && !isSign(this.peek(), close)) {
        values.pop();
        values.push(this.program(before));
      }
      if (this.at <= before) this.at = before + 1;
    }
  }

  private entry(): unknown {
    const token = this.peek();
    if (token?.kind === "key") {
      this.at += 1;
      const key = this.text(token);
      this.skipLines();
      const from = this.at;
      const value = this.piped();
      this.skipLines();
      const next = this.peek();
      const isWhole = next === undefined || (next.kind === "sign" && /^[,)\]}]$/.test(next.value));
      return new Tuple([key, isWhole ? value : this.program(from, this.guessOfRest(value))]);
    }
    const value = this.piped();
    return this.takeSign("=>") ? new Tuple([value, this.piped()]) : value;
  }

  private calledName(): string {
    let name = "";
    while (this.peek()?.kind === "name" || this.peek()?.kind === "alias" || isSign(this.peek(), ".")) {
      name += this.peek()?.value ?? "";
      this.at += 1;
    }
    return name;
  }

  private argumentsOf(): unknown[] {
    return isSign(this.peek(), "(") && ++this.at > 0 ? this.until(")") : [];
  }

  private named(from: number): unknown {
    const word = this.peek()?.value ?? "";
    if (/^(?:true|false|nil)$/.test(word) && this.peek()?.kind === "name") {
      this.at += 1;
      return word === "nil" ? undefined : word === "true";
    }
    if (word === "if" || word === "unless") return this.branches(from);
    if (/^(?:fn|case|cond|for|with|try|quote)$/.test(word) && this.peek()?.kind === "name")
      return word === "fn" ? this.anonymous(from) : this.program(from);
    const isAlias = this.peek()?.kind === "alias";
    const name = this.calledName();
    if (isAlias && /^[A-Z][\w.]*$/.test(name) && !/\.[a-z]/.test(name)) return name;
    if (this.context.values.has(name)) return this.context.values.get(name);
    return this.called(name, this.argumentsOf(), from);
  }

  /** `fn -> value end` is as good as its value. */
  private anonymous(from: number): unknown {
    const end = endOfBlock(this.tokens, from + 1);
    if (!isSign(this.tokens[from + 1], "->")) return this.program(from);
    this.at = end + 1;
    return valueOfBody(this.context, this.tokens.slice(from + 2, end));
  }

  /** Of `if`, what holds where its condition does not. */
  private branches(from: number): unknown {
    const start = this.tokens.findIndex((token, index) => index > from && isName(token, "do"));
    if (start < 0) return this.program(from);
    const end = endOfBlock(this.tokens, start + 1);
    let depth = 0;
    const otherwise = this.tokens.findIndex((token, index) => {
      if (index <= start || index >= end) return false;
      if (isName(token, "do") || isName(token, "fn")) depth += 1;
      else if (isName(token, "end")) depth -= 1;
      return depth === 0 && isName(token, "else");
    });
    const guess = otherwise < 0 ? [] : valueOfBody(this.context, this.tokens.slice(otherwise + 1, end));
    this.at = end + 1;
    return computed(this.context.source.slice(this.tokens[from]?.start ?? 0, this.tokens[end]?.end), guess);
  }

  private called(name: string, given: readonly unknown[], from = this.at): unknown {
    const body = given.length === 0 ? this.context.functions.get(name) : undefined;
    if (body !== undefined)
      return this.context.budget.left < 0 ? computed(name) : valueOfBody(this.context, body);
    const known = knownCall(name, given, this.context.wildcard);
    if (known !== undefined) return known.value;
    const start = this.tokens[from]?.start ?? 0;
    const end = this.tokens[this.at - 1]?.end ?? start;
    const written = start < end ? this.context.source.slice(start, end) : `${name}(…)`;
    return computed(written, Array.isArray(given[0]) ? given[0] : undefined);
  }
}

/** What functions of the language make of values. */
function knownCall(
  name: string,
  given: readonly unknown[],
  wildcard: (pattern: string) => string[],
): { value: unknown } | undefined {
  const [first, second] = given;
  const list = Array.isArray(first) ? first : undefined;
  switch (name) {
    case "Path.wildcard":
      return typeof first === "string" ? { value: wildcard(first) } : undefined;
    case "Path.join":
      return typeof first === "string" && typeof second === "string"
        ? { value: `${first.replace(/\/$/, "")}/${second}` }
        : undefined;
    case "Path.expand":
    case "Path.relative_to_cwd":
    case "String.to_atom":
    case "to_string":
      return typeof first === "string" && given.length === 1 ? { value: first } : undefined;
    case "Enum.sort":
      return list !== undefined && given.length === 1 ? { value: list.toSorted() } : undefined;
    case "Enum.uniq":
      return list !== undefined && given.length === 1 ? { value: [...new Set(list)] } : undefined;
    case "Enum.reverse":
      return list === undefined ? undefined : { value: list.toReversed() };
    case "Enum.concat":
    case "List.flatten":
      return list === undefined ? undefined : { value: [...list, ...asEntries(second)].flat(20) };
    default:
      return undefined;
  }
}

const asEntries = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Two lists as one; of one that is computed, what it is in the simplest case, and that it is. */
const concat = (first: unknown, second: unknown): unknown[] => [...partOf(first), ...partOf(second)];

const partOf = (value: unknown): unknown[] => {
  if (isComputed(value)) return [value, ...asEntries(value.guess)];
  return asEntries(value);
};

const PATTERN_CHARACTERS_MAX = 300;
const REPEATED_MAX = 3;

/** A pattern, where matching it can take no time that a repository could make long. */
function regexOf(written: string): RegExp | undefined {
  const [, flags = "", pattern = ""] = /^\(\?([a-z]*)\)([\s\S]*)$/.exec(written) ?? [];
  const plain = pattern.replace(/\\./g, "x").replace(/\[[^\]]*\]/g, "x");
  const repeated = plain.match(/[+*]|\{\d*,\d*\}/g) ?? [];
  if (pattern.length > PATTERN_CHARACTERS_MAX || repeated.length > REPEATED_MAX || /\)[+*{]/.test(plain))
    return undefined;
  try {
    return new RegExp(pattern.replaceAll("\\A", "^").replace(/\\[zZ]/g, "$"), flags.replace(/[^ims]/g, ""));
  } catch {
    return undefined;
  }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value) : undefined;
