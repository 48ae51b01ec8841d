/** What the variable parts of a pattern stand for in a path; `*` is the rest. */
export type RouteParams = Readonly<Record<string, string>>;

/**
 * Compares a path with a pattern such as `/dashboard/:organization/:domain/pages/*`. The rest that `*` stands for may be
 * empty; it is not decoded further than its segments are.
 */
export function matchRoute(pattern: string, path: readonly string[]): RouteParams | undefined {
  const parts = pattern.split("/").filter((part) => part !== "");
  const hasRest = parts.at(-1) === "*";
  const fixed = hasRest ? parts.slice(0, -1) : parts;
  if (hasRest ? path.length < fixed.length : path.length !== fixed.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of fixed.entries()) {
    const segment = path[index] ?? "";
    if (part.startsWith(":")) params[part.slice(1)] = segment;
    else if (part !== segment) return undefined;
  }
  if (hasRest) params["*"] = path.slice(fixed.length).join("/");
  return params;
}

/** The segments of a path, decoded. One that cannot be decoded stands as it was written. */
export function segmentsOf(path: string): string[] {
  return path
    .split("/")
    .filter((segment) => segment !== "")
    .map(decodeSegment);
}

/** A part of an address, decoded; as it is where it cannot be. */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
