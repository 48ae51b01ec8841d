/** Characters that would begin or end inline markup. Those inside a word stay as they are. */
const INLINE_MARK = /\\(?=[!-/:-@[-`{-~])|`|\*|_+|~|<(?=[A-Za-z/!?])|&(?=#?\w{1,31};)|\](?=[[(])/g;
const WORD = /[\p{L}\p{N}]/u;

/** Escapes inline markup sparingly: `snake_case`, `a * b` and `[0]` need nothing. */
export function escapeInline(text: string, characterBefore: string): string {
  return text.replace(INLINE_MARK, (mark: string, at: number) => {
    const before = at > 0 ? text.charAt(at - 1) : characterBefore;
    const after = text.charAt(at + mark.length);
    if (mark === "~") return isSpace(before) && after !== "~" ? mark : "\\~";
    if (mark === "*") return isSpace(before) && isSpace(after) && after !== "" ? mark : "\\*";
    if (mark === "]") return "\\]";
    if (!mark.startsWith("_")) return `\\${mark}`;
    const insideWord = WORD.test(before) && WORD.test(after);
    const alone = isSpace(before) && after === " ";
    return insideWord || alone ? mark : mark.replaceAll("_", "\\_");
  });
}

/** Escapes the start of a line that would become a heading, list, quote, rule, fence or setext underline. */
export function escapeLineStart(line: string): string {
  const number = /^(\d{1,9})([.)])(?=\s|$)/.exec(line);
  if (number) return `${number[1]}\\${line.slice(number[1]?.length)}`;
  const starts =
    /^(?:#{1,6}(?:\s|$)|\[[^[\]]{1,500}\]:|\[[ xX]\]\s|[-+*](?:\s|$)|>|[-=]+\s*$|(?:[-_*]\s*){3,}$|~~~|:::|!!!|\?\?\?|===|[|:\-\s]+$)/.test(
      line,
    );
  return starts ? `\\${line}` : line;
}

/** A title as a link's label: nothing in it ends the link, begins code or is a tag. */
export const escapeLabel = (title: string) => title.replace(/[[\]\\`<]/g, "\\$&").replace(/\s+/g, " ");

/** A link's target, escaped for its parentheses. */
export function escapeDestination(href: string): string {
  const escaped = href
    .replace(/[\s<>\\|`]/g, (character) => encodeURIComponent(character))
    .replace(/&(?=#?\w{1,31};)/g, "&amp;");
  return hasBalancedParentheses(escaped)
    ? escaped
    : escaped.replace(/[()]/g, (mark) => (mark === "(" ? "%28" : "%29"));
}

/** A code span with exactly this text. */
export function codeSpan(text: string): string {
  const fence = "`".repeat(longestRun(text) + 1);
  const pad = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${fence}${pad}${text}${pad}${fence}`;
}

/** A formula within a line, as GitHub and GitLab write what Markdown would change otherwise. */
export const mathsSpan = (tex: string) => `$${codeSpan(tex)}$`;

/** A fenced block with exactly this text. */
export function codeFence(text: string, language = ""): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const run of text.match(/`+/g) ?? []) longest = Math.max(longest, run.length);
  return longest;
}

function isSpace(character: string): boolean {
  return character === "" || character === " " || character === "\n";
}

function hasBalancedParentheses(text: string): boolean {
  let open = 0;
  for (const character of text) {
    if (character === "(") open += 1;
    if (character === ")") open -= 1;
    if (open < 0 || open > 30) return false;
  }
  return open === 0;
}

/** A Markdown table whose first row is its head. The cells' bars are escaped already. */
export function writeMarkdownTable(rows: readonly string[][]): string {
  const [head = [], ...body] = rows;
  const width = Math.max(head.length, ...body.slice(0, 50).map((cells) => cells.length));
  const padded = [...head, ...Array.from({ length: width - head.length }, () => "")];
  const lines = [padded, padded.map(() => "---"), ...body];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
