import { escapeInline } from "@docent/kernel/text/write-markdown";

/** Plain words as the cell of a Markdown table, whose line breaks are tags. */
export const writeCell = (words: string) =>
  words
    .split(/\r\n?|\n/)
    .map((line) => escapeInline(line.trim().replace(/\s+/g, " "), "").replaceAll("|", "\\|"))
    .filter((line) => line !== "")
    .join("<br>");
