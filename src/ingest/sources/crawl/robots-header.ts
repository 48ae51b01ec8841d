import { readDirectives } from "./read-head.ts";

/**
 * Reads X-Robots-Tag. A part that begins with another crawler's name is for that one, and so is what follows it:
 * `googlebot: noindex, nofollow`.
 */
export function readRobotsHeader(
  value: string | null,
  agent: string,
): { noindex: boolean; nofollow: boolean } {
  let isForUs = true;
  const ours: string[] = [];
  for (const part of (value ?? "").split(",")) {
    const [, name, rest = part] = /^\s*([A-Za-z_-]+)\s*:(.*)$/.exec(part) ?? [];
    // "unavailable_after: <date>" is the one directive that looks like a name.
    if (name !== undefined && name.toLowerCase() !== "unavailable_after")
      isForUs = name.toLowerCase() === agent.toLowerCase() || name === "*";
    if (isForUs) ours.push(rest);
  }
  return readDirectives(ours.join(","));
}
