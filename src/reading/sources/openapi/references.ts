import { isRecord } from "@docent/kernel/text/json";

const HOPS_MAX = 16;

/** What stands where a `$ref` may stand. */
interface Followed {
  value: Record<string, unknown>;
  /** What the value is called where it is defined, such as `Pet`. */
  name?: string;
  /** The references that were followed, for whoever goes deeper and must not go round. */
  pointers: string[];
}

/** Finds what a value refers to inside its document. Nothing outside of it is fetched. */
export interface References {
  /** Undefined for what is no object, for a reference that leads nowhere, and when it was asked too often. */
  follow(value: unknown): Followed | undefined;
}

/** A few parts that refer to each other can stand for millions: `stepsMax` bounds how often something is followed. */
export function createReferences(
  root: Record<string, unknown>,
  stepsMax = Number.POSITIVE_INFINITY,
): References {
  let steps = 0;
  const follow = (value: unknown): Followed | undefined => {
    steps += 1;
    if (steps > stepsMax) return undefined;
    const pointers: string[] = [];
    let current = value;
    let siblings: Record<string, unknown> = {};
    while (isRecord(current) && typeof current["$ref"] === "string") {
      const { $ref: pointer, ...beside } = current;
      if (pointers.includes(pointer) || pointers.length === HOPS_MAX) return undefined;
      pointers.push(pointer);
      // What stands beside a reference is said of this use of it, and so the outermost wins.
      siblings = { ...beside, ...siblings };
      current = valueAt(root, pointer);
    }
    if (!isRecord(current)) return undefined;
    const name = pointers.at(-1)?.split("/").at(-1);
    return {
      value: { ...current, ...siblings },
      pointers,
      ...(name === undefined ? {} : { name: decodeToken(name) }),
    };
  };
  return { follow };
}

/** The references of a document that lead nowhere inside it, each once. */
export function brokenReferences(root: Record<string, unknown>): string[] {
  const broken = new Set<string>();
  const open: unknown[] = [root];
  const seen = new Set<unknown>(open);
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (isRecord(value) && typeof value["$ref"] === "string" && !isRecord(valueAt(root, value["$ref"])))
      broken.add(value["$ref"]);
    for (const inside of Object.values(Object(value))) {
      if (typeof inside !== "object" || inside === null || seen.has(inside)) continue;
      seen.add(inside);
      open.push(inside);
    }
  }
  return [...broken];
}

/** What a pointer such as `#/components` leads to. */
export function valueAt(root: unknown, pointer: string): unknown {
  if (!pointer.startsWith("#/")) return undefined;
  let current: unknown = root;
  for (const token of pointer.slice(2).split("/").map(decodeToken)) {
    if (Array.isArray(current)) current = current[Number(token)];
    else if (isRecord(current) && Object.hasOwn(current, token)) current = current[token];
    else return undefined;
  }
  return current;
}

/** A JSON pointer below a place in the document. */
export const pointerTo = (...tokens: string[]) =>
  `#/${tokens.map((token) => token.replaceAll("~", "~0").replaceAll("/", "~1")).join("/")}`;

function decodeToken(token: string): string {
  const plain = token.includes("%") ? decodePercent(token) : token;
  return plain.replaceAll("~1", "/").replaceAll("~0", "~");
}

function decodePercent(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}
