import { hideCode, outsideFences } from "@docent/kernel/text/code-spans";

const FOLD = /<\/?(?:details|summary)\b/i;
const LINE = /^[ \t]{0,100}(?:<\/?details\b[^<>]{0,1000}>[ \t]{0,100})+(?:\n|$)/gim;
const TITLE = /<summary\b[^<>]{0,1000}>((?:(?!<\/?summary\b)[\s\S]){0,2000})<\/summary\s{0,20}>/gi;
const TAG = /<\/?(?:details|summary)\b[^<>]{0,1000}>/gi;

/** What unfolds, as it is shown when it is open: its title in bold, and its words below. */
export function withFoldsOpen(markdown: string): string {
  if (!FOLD.test(markdown)) return markdown;
  return outsideFences(markdown, (words) => {
    const { hidden, show } = hideCode(words);
    return show(
      hidden
        .replace(LINE, "")
        .replace(TITLE, (_, title: string) => boldTitle(title))
        .replace(TAG, ""),
    );
  });
}

function boldTitle(title: string): string {
  const words = title
    .replace(/<[^<>]{0,300}>/g, "")
    .replace(/[*\s]+/g, " ")
    .trim();
  return words === "" ? "" : `**${words}**`;
}
