const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
/** Everything with which Slack calls people, names channels or links stands in angle brackets. */
const escaped = (text: string) => text.replace(/[&<>]/g, (mark) => ESCAPES[mark] ?? mark);

const LINKED = /^(?:https?:\/\/|mailto:)[^\s\p{Cc}]+$/iu;

/** Markdown as Slack's mrkdwn, which knows neither headings nor tables. Nothing in it calls people. */
export function toSlackMarks(markdown: string): string {
  return Bun.markdown
    .render(markdown, {
      text: escaped,
      // Its text was escaped before.
      html: (text) => text,
      heading: (text) => `${bold(text)}\n\n`,
      paragraph: (text) => `${text}\n\n`,
      blockquote: (text) => `${text.trim().replace(/^/gm, "> ")}\n\n`,
      code: (text) => `\`\`\`\n${text.replaceAll("```", "``\u200b`").trimEnd()}\n\`\`\`\n\n`,
      codespan: (text) => `\`${text.replaceAll("`", "'")}\``,
      hr: () => "———\n\n",
      strong: bold,
      emphasis: (text) => `_${text}_`,
      strikethrough: (text) => `~${text}~`,
      link: (text, { href }) => link(text, href),
      image: (text, { src }) => link(text, src),
      list: (items, { depth }) => (depth > 0 ? `\n${items}` : `${items}\n`),
      listItem: item,
      table: (rows) => `${rows}\n`,
      thead: (rows) => rows,
      tbody: (rows) => rows,
      tr: (cells) => `${cells.replace(/ \| $/, "")}\n`,
      th: (text) => `${bold(text)} | `,
      td: (text) => `${text} | `,
    })
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** Marks within marks would be shown as they are. */
function bold(text: string): string {
  const plain = text.replaceAll("*", "").trim();
  return plain === "" ? "" : `*${plain}*`;
}

/** What is no address of the web is left as the text alone. */
function link(text: string, address: string): string {
  if (!LINKED.test(address)) return text;
  const safe = address.replace(/[<>|]/g, (mark) => encodeURIComponent(mark)).replaceAll("&", "&amp;");
  return `<${safe}|${text.replace(/\s+/g, " ").trim() || safe}>`;
}

interface ItemPlace {
  index: number;
  depth: number;
  ordered: boolean;
  start?: number | undefined;
  checked?: boolean | undefined;
}

function item(text: string, { index, depth, ordered, start = 1, checked }: ItemPlace): string {
  const mark = ordered ? `${start + index}.` : "•";
  const task = checked === undefined ? "" : checked ? "☑ " : "☐ ";
  const indent = "    ".repeat(depth);
  return `${indent}${mark} ${task}${text.trim()}\n`;
}
