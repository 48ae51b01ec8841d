import { isRecord } from "@docent/kernel/text/json";

const COMPUTED = Symbol("computed");

/** A part of a script's value that only a run would tell. */
export interface Computed {
  readonly [COMPUTED]: true;
  /** Its source, shortened. */
  source: string;
  /** What it is where the simplest case holds, as with `process.env.BASE || "/"`. */
  guess: unknown;
  /** The function that computes it, where it is a call of one of the script's own, and what that is given. */
  call?: string;
  arguments?: unknown[];
}

/** A call of a function that is not known, with its arguments as far as they are. */
interface ScriptCall {
  call: string;
  arguments: unknown[];
}

export const computed = (source: string, guess?: unknown): Computed => ({
  [COMPUTED]: true,
  source: source
    .slice(0, SOURCE_CHARACTERS_MAX * 5)
    .replace(/\s+/g, " ")
    .slice(0, SOURCE_CHARACTERS_MAX),
  guess,
});

const SOURCE_CHARACTERS_MAX = 80;

export const isComputed = (value: unknown): value is Computed => isRecord(value) && COMPUTED in value;

/** A value without what is computed: that is replaced by its guess, and heard of. */
export function knownIn(value: unknown, onComputed: (computed: Computed) => void = () => {}): unknown {
  if (!isComputed(value)) return value;
  onComputed(value);
  return value.guess;
}

/** A value as a call of one of these functions; undefined where it is none. */
export function callOf(value: unknown, names: readonly string[]): ScriptCall | undefined {
  if (!isRecord(value) || typeof value["call"] !== "string" || !Array.isArray(value["arguments"]))
    return undefined;
  const { call, arguments: given } = value;
  return names.includes(call) ? { call, arguments: given } : undefined;
}

const CALLS_DEEP_MAX = 10;

/** What helpers such as `defineConfig({…})` and `withMermaid(defineConfig({…}))` are given: they give it back. */
export function unwrapCalls(value: unknown): unknown {
  let inside = value;
  for (
    let depth = 0;
    depth < CALLS_DEEP_MAX && isRecord(inside) && Array.isArray(inside["arguments"]);
    depth++
  ) {
    const [first] = inside["arguments"];
    inside = first;
  }
  return inside;
}
