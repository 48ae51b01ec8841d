import { type CodeToken, tokensOf } from "./tokens.ts";

export type { CodeToken } from "./tokens.ts";

const CHARACTERS_MAX = 100_000;

/** Cuts code into tokens; put together they are the code again. Code of a language that is not known is plain. */
export function highlight(code: string, language: string): CodeToken[] {
  if (code === "") return [];
  return (code.length <= CHARACTERS_MAX && tokensOf(code, language)) || [{ kind: "plain", text: code }];
}

/** Wraps the words of an element's code in spans with the classes `hl-comment`, `hl-keyword` and so on. */
export function paint(code: HTMLElement, language: string): void {
  const painted = highlight(code.textContent ?? "", language).map(({ kind, text }) => {
    if (kind === "plain") return text;
    const span = document.createElement("span");
    span.className = `hl-${kind}`;
    span.textContent = text;
    return span;
  });
  code.replaceChildren(...painted);
}
