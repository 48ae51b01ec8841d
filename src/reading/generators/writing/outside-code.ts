import { codeAt } from "./code.ts";

const SPAN = /(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g;

/** Changes what of a page is no code, neither between fences nor in a line; and what is between fences, if asked. */
export function eachOutsideCode(
  markdown: string,
  change: (part: string) => string,
  changeFence: (code: string) => string = (code) => code,
): string {
  const lines = markdown.split("\n");
  const written: string[] = [];
  let open: string[] = [];
  const close = () => {
    if (open.length > 0) written.push(changed(open.join("\n"), change));
    open = [];
  };
  for (let at = 0; at < lines.length; ) {
    const code = codeAt(lines, at);
    if (code === undefined) {
      open.push(lines[at] ?? "");
      at += 1;
      continue;
    }
    close();
    written.push(changeFence(lines.slice(at, at + code.length).join("\n")));
    at += code.length;
  }
  close();
  return written.join("\n");
}

/** Code in lines is hidden behind marks, so that what goes over it stays whole. */
function changed(text: string, change: (part: string) => string): string {
  if (!text.includes("`")) return change(text);
  const spans: string[] = [];
  const hidden = text.replace(SPAN, (span) => `\uE000${spans.push(span) - 1}\uE001`);
  return change(hidden).replace(/\uE000(\d+)\uE001/g, (_, index: string) => spans[Number(index)] ?? "");
}
