import type { MarkdownOptions } from "../../../src/faces/markdown/markdown.ts";
import { createMarkdownView } from "../../../src/faces/markdown/markdown.ts";

/** Markdown in an element, whole unless `isComing`. */
export function show(markdown: string, options: MarkdownOptions & { isComing?: boolean } = {}): HTMLElement {
  const container = document.createElement("div");
  const view = createMarkdownView(container, options);
  view.write(markdown);
  if (!options.isComing) view.end();
  return container;
}

/** The same as HTML, without what every link to elsewhere and every block of code has. */
export const html = (...asked: Parameters<typeof show>): string =>
  show(...asked)
    .innerHTML.replaceAll(' rel="noopener noreferrer" target="_blank"', "")
    .replaceAll(' loading="lazy" referrerpolicy="no-referrer"', "")
    .replaceAll(' tabindex="0"', "");
