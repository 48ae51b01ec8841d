/** Words as a sentence: with a capital, and a full stop where nothing else ends it. */
export const sentence = (words: string) =>
  `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? "" : "."}`;
