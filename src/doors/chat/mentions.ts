import { outsideCode, outsideFences } from "@docent/kernel/text/code-spans";

/** An address, which is left as it is: nobody is called by what is in it. */
const ADDRESS = /https?:\/\/[^\s<>()]*/gi;
/** What calls everyone. Some chats call people from code, too. */
const CALLS_ALL = /@(?=(?:all|here|channel|everyone)\b)/gi;
/** An @ that begins a name. One inside a word, such as in an address to write to, calls nobody. */
const CALLS = /(?<![\w.+-])@(?=\w)/g;
/** The second takes no space, and parts the @ from the name. */
const APART = "@\u200b";

/** Markdown in which no @ calls people. Names stay readable, and code that names nobody can still be copied. */
export function withoutMentions(markdown: string): string {
  const prose = outsideFences(markdown, (lines) => outsideCode(lines, (words) => parted(words, CALLS)));
  return parted(prose, CALLS_ALL);
}

function parted(text: string, calls: RegExp): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { index, 0: address } of text.matchAll(ADDRESS)) {
    pieces.push(text.slice(from, index).replace(calls, APART), address);
    from = index + address.length;
  }
  return [...pieces, text.slice(from).replace(calls, APART)].join("");
}
