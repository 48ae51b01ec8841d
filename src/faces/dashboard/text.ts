/** The lines of a text that have something in them, each once. */
export const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== ""),
  ),
];

/** The lines of a form that were filled in, trimmed. */
export const filledLines = (lines: readonly string[]) =>
  lines.map((line) => line.trim()).filter((line) => line !== "");

/** Words as a sentence: with a capital, and a full stop where nothing else ends it. */
export const sentence = (words: string) =>
  `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? "" : "."}`;
