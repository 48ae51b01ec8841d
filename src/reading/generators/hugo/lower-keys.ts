import { isRecord } from "@docent/kernel/text/json";

const DEPTH_MAX = 20;

/** Hugo's names are the same in upper and lower case: a copy of a value with all of them in lower case. */
export function withLowerKeys(value: unknown, depth = 0): unknown {
  if (depth > DEPTH_MAX) return undefined;
  if (Array.isArray(value)) return value.map((each) => withLowerKeys(each, depth + 1));
  if (!isRecord(value) || "toJSON" in value) return value;
  const lower: Record<string, unknown> = Object.create(null);
  for (const [name, inner] of Object.entries(value))
    if (name !== "__proto__") lower[name.toLowerCase()] = withLowerKeys(inner, depth + 1);
  return lower;
}

/** Adds what another configuration says; where both are maps, what is in them. */
export function mergeInto(target: Record<string, unknown>, value: unknown, depth = 0): void {
  if (!isRecord(value) || depth > DEPTH_MAX) return;
  for (const [name, inner] of Object.entries(value)) {
    const known = target[name];
    if (isRecord(known) && isRecord(inner)) mergeInto(known, inner, depth + 1);
    else target[name] = inner;
  }
}
