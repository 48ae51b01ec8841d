/** The language of code, from what follows its fence: `js{1,3}:line-numbers [file.js]`. */
export function languageOfCode(info: string): string {
  const word = /^[\w+#.-]+/.exec(info)?.[0] ?? "";
  const language = word.replace(/-vue$/, "");
  return language === "ansi" || language === "txt" ? "" : language;
}

/** The name of code: a tab has one in any case. */
export function labelOfCode(info: string, isTab: boolean): string {
  const title =
    /\[(.*)\]/
      .exec(info)?.[1]
      ?.replace(/(?<!\s)\s*~[^~]*~\s*$/, "")
      .trim() ?? "";
  if (title !== "" || !isTab) return title.replaceAll("*", "\\*");
  return languageOfCode(info) || "txt";
}
