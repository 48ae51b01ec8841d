/** The lines in which something is written: an empty one is one that was not filled in. */
export const written = (lines: readonly string[]) =>
  lines.map((line) => line.trim()).filter((line) => line !== "");
