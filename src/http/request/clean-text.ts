/** SQLite ends a text at NUL, and JSON may hold halves of characters that no encoding knows. */
export const cleanText = (text: string) => text.replaceAll("\0", "").toWellFormed();
