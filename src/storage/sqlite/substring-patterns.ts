/** What a text matches by LIKE that has this in it, letter by letter, in any case that it may be written in. */
export function likePatterns(text: string): string[] {
  return writtenForms(text).map((form) => `%${form.replace(/[\\%_]/g, "\\$&")}%`);
}

/** SQLite knows the case of English letters alone: it is asked for each way to write the others. */
function writtenForms(text: string): string[] {
  const lower = text.toLowerCase();
  const capitalized = lower.replace(/^./u, (first) => first.toUpperCase());
  return [...new Set([text, lower, capitalized, text.toUpperCase()])];
}
