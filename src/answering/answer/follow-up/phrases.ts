/** Phrases by language, each the source of a regular expression. */
export type Phrases = Readonly<Record<string, string>>;

/** The source of a regular expression for the phrases of every language. */
export const anyOf = (phrases: Phrases): string => Object.values(phrases).join("|");

/** The words of a table. */
export const list = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));
