import { findCodeSpans } from "../../text/code-spans.ts";

/** Markdown without its HTML comments, which the page's readers never see; those shown as code stay. */
export function dropComments(markdown: string): string {
  if (!markdown.includes("<!--")) return markdown;
  const spans = findCodeSpans(markdown);
  const kept: string[] = [];
  let at = 0;
  for (const match of markdown.matchAll(/`+|<!--/g)) {
    if (match.index < at) continue;
    kept.push(markdown.slice(at, match.index));
    const isComment = match[0] === "<!--";
    const end = isComment ? commentEnd(markdown, match.index) : spans.endOf(match.index);
    at = end ?? match.index + match[0].length;
    if (!isComment || end === undefined) kept.push(markdown.slice(match.index, at));
    if (isComment && end === undefined) break;
  }
  kept.push(markdown.slice(at));
  return kept.join("");
}

function commentEnd(markdown: string, start: number): number | undefined {
  const end = markdown.indexOf("-->", start + 4);
  return end < 0 ? undefined : end + 3;
}
