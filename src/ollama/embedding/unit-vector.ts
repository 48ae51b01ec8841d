/**
 * What Ollama sent for one text as a vector of length one, or undefined where that is no vector: a model that overflows
 * gives values that are not numbers, which a server in between may have turned into null, and a text of which it knows
 * nothing may give zeros.
 */
export function unitVector(values: readonly unknown[]): Float32Array | undefined {
  let squares = 0;
  for (const value of values) {
    if (typeof value !== "number") return undefined;
    squares += value * value;
  }
  const length = Math.sqrt(squares);
  if (!Number.isFinite(length) || length === 0) return undefined;
  return Float32Array.from(values, (value) => Number(value) / length);
}
