import { isRecord } from "./json.ts";

const MAX_DEPTH = 20;
const MAX_VALUES = 10_000;

/** A copy of parsed YAML that is a tree of plain values: no cycle, no prototype key, bounded; undefined where it is too large. */
export function plainData(value: unknown): Record<string, unknown> | undefined {
  const budget = { values: MAX_VALUES };
  const copy = copyValue(value, 0, budget);
  return budget.values > 0 && isRecord(copy) ? copy : undefined;
}

/** A date of YAML, or one of the several kinds that TOML has. */
function isDate(value: unknown): value is { toJSON(): unknown } {
  return (
    typeof value === "object" && value !== null && "toJSON" in value && typeof value.toJSON === "function"
  );
}

function copyValue(value: unknown, depth: number, budget: { values: number }): unknown {
  budget.values -= 1;
  // Aliases can make a small file into an endless value: the budget, not the input's size, ends the copy.
  if (depth > MAX_DEPTH) budget.values = 0;
  if (budget.values <= 0) return null;
  if (isDate(value)) return value.toJSON();
  if (Array.isArray(value)) return value.map((item) => copyValue(item, depth + 1, budget));
  if (!isRecord(value)) return typeof value === "function" || typeof value === "symbol" ? null : value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const [name, item] of Object.entries(value)) {
    if (name !== "__proto__") copy[name] = copyValue(item, depth + 1, budget);
  }
  return copy;
}
