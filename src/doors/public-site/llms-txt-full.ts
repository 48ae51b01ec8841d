import { letOthersRun } from "@docent/kernel/lib/event-loop";
import { takeHeadingId } from "@docent/reading/markdown/anchors";
import type { Audience } from "@docent/sites/pages/audience";
import type { Page, PageStore } from "@docent/sites/pages/pages";
import type { Site } from "@docent/sites/site/sites";
import { listedPages, markdownUrl, oneLine } from "./llms-txt.ts";
import { withFullLinks } from "./published-links.ts";

const NOTICE_BYTES = 300;

interface LlmsFull {
  pages: PageStore;
  site: Site;
  audience: Audience;
  generation: number;
  /** The address of the site's texts here, with a slash at its end. */
  root: string;
  /** The address of its pages, where they are published nowhere else. */
  readerRoot: string;
  bytesMax: number;
  docsOnly: true;
}

/**
 * A site's llms-full.txt: its pages one after the other, whole, as far as the bound allows. Their links are full
 * addresses: where pages are joined, none of them has a place of its own.
 */
export async function* llmsFull(source: LlmsFull): AsyncIterable<string> {
  const { pages, root, bytesMax } = source;
  let bytes = NOTICE_BYTES;
  for await (const { id, path, title } of listedPages(source, "")) {
    const content = await pages.contentOf(id);
    if (content === undefined) continue;
    const page = { path, location: content.location };
    const markdown = await withFullLinks(content.markdown, { ...source, page });
    const { heading, body } = splitTitle({ title, markdown });
    const text = `# ${heading}\n\nSource: ${markdownUrl(root, path)}\n\n${body}\n\n`;
    bytes += Buffer.byteLength(text);
    if (bytes > bytesMax)
      return yield `---\n\nThis file ends here: it has at most ${bytesMax} bytes. All pages are listed in ${root}llms.txt\n`;
    yield text;
    // Links cost a parse of the page.
    await letOthersRun();
  }
}

/** A page's Markdown with its title above, where it does not begin with a heading of that rank. */
export function wholeMarkdown(page: Pick<Page, "title" | "markdown">): string {
  const { heading, body } = splitTitle(page);
  return `# ${heading}\n\n${body}\n`;
}

function splitTitle({ title, markdown }: Pick<Page, "title" | "markdown">) {
  const trimmed = markdown.trim();
  const own = /^# +(\S.*)(?:\n|$)/.exec(trimmed);
  if (own?.[1] === undefined) return { heading: oneLine(title), body: trimmed };
  const { text } = takeHeadingId(own[1]);
  return { heading: oneLine(text), body: trimmed.slice(own[0].length).trim() };
}
