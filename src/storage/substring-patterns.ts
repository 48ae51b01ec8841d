/** Patterns for LIKE, one of which matches wherever a text contains this one, in whichever case it is written. */
export function substringPatterns(text: string): string[] {
  return writtenForms(text).map((form) => `%${form.replace(/[\\%_]/g, "\\$&")}%`);
}

/** SQLite ignores the case of English letters only: of other alphabets it is given each way to write the text. */
function writtenForms(text: string): string[] {
  const lower = text.toLowerCase();
  const capitalized = lower.replace(/^./u, (first) => first.toUpperCase());
  return [...new Set([text, lower, capitalized, text.toUpperCase()])];
}
