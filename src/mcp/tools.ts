import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Log } from "../lib/log.ts";
import { linkText } from "../pages/page-link.ts";
import { reportFault } from "./report-fault.ts";
import type { SitePages } from "./site-pages.ts";

const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const SEARCH_RESULTS = 8;
const SEARCH_RESULTS_MAX = 20;
const LISTED_PAGES = 100;
const LISTED_PAGES_MAX = 500;
/** How much of a page is read at once: one long page must not fill a model's context. */
const READ_CHARACTERS = 40_000;

const label = z.string().max(200);
const path = z.string().max(2000);
const version = label.optional().describe("Only pages of this version, and those of every version.");
const language = label.optional().describe("Only pages in this language, and those in every language.");
const listedPage = { path: z.string(), title: z.string(), url: z.string() };

const SEARCH_INPUT = z.object({
  query: z.string().max(1000).describe("A question or keywords. Identifiers are found exactly."),
  limit: z.int().min(1).max(SEARCH_RESULTS_MAX).optional().describe(`${SEARCH_RESULTS} unless given.`),
  version,
  language,
  tag: label.optional().describe("Only pages with this tag."),
});
const SEARCH_OUTPUT = z.object({
  corrected: z
    .string()
    .optional()
    .describe("The query as it was searched for, where words of it were misspelled."),
  results: z.array(
    z.object({
      ...listedPage,
      headings: z.array(z.string()).describe("The headings above the passage, outermost first."),
      relevance: z.number().describe("From 0 to 1: how sure it is that the passage answers the query."),
      content: z.string().describe("The passage as Markdown."),
    }),
  ),
});

const READ_INPUT = z.object({
  path: path.describe("The page's path, or its address, as search_docs and list_pages give them."),
  version,
  language,
  offset: z.int().min(0).optional().describe("Where to go on in a long page: nextOffset of the part before."),
});
const READ_OUTPUT = z.object({
  ...listedPage,
  markdown: z.string(),
  nextOffset: z.int().optional().describe("There where the page goes on."),
});

const LIST_INPUT = z.object({
  under: path.optional().describe("Only the page of this path, and pages below it."),
  cursor: z.string().max(4000).optional().describe("Where to go on: nextCursor of the list before."),
  limit: z.int().min(1).max(LISTED_PAGES_MAX).optional().describe(`${LISTED_PAGES} unless given.`),
});
const LIST_OUTPUT = z.object({
  pages: z.array(z.object({ ...listedPage, description: z.string().optional() })),
  nextCursor: z.string().optional().describe("There where the list goes on."),
});

/** Adds the tools that search, read and list a site's pages. */
export function addTools(server: McpServer, pages: SitePages, log: Log): void {
  addSearchTool(server, pages, log);
  addReadTool(server, pages, log);
  addListTool(server, pages, log);
}

const docsOf = ({ site }: SitePages) => `the documentation of ${site.name}`;

function addSearchTool(server: McpServer, pages: SitePages, log: Log): void {
  server.registerTool(
    "search_docs",
    {
      title: "Search the docs",
      description: `Finds the passages of ${docsOf(pages)} that answer a question, best first. Nothing is returned when the docs do not cover it.`,
      inputSchema: SEARCH_INPUT,
      outputSchema: SEARCH_OUTPUT,
      annotations: READ_ONLY,
    },
    ({ query, limit = SEARCH_RESULTS, ...filter }) =>
      answer(log, async () => {
        const { hits, corrected } = await pages.search(query, limit, filter);
        const results = hits.map(({ path, title, url, headings, relevance, markdown: content }) => ({
          path,
          title,
          url,
          headings,
          content,
          relevance: Math.round(relevance * 1000) / 1000,
        }));
        const shown = results.map((each) => `## ${placeOf(each)}\n${each.url}\n\n${each.content}`);
        if (corrected !== undefined) shown.unshift(`Showing results for: ${corrected}`);
        return {
          structured: corrected === undefined ? { results } : { corrected, results },
          text: shown.join("\n\n") || "The docs have nothing about this.",
        };
      }),
  );
}

function addReadTool(server: McpServer, pages: SitePages, log: Log): void {
  server.registerTool(
    "read_page",
    {
      title: "Read a page",
      description: `Gives a page of ${docsOf(pages)} as Markdown, a long one in parts.`,
      inputSchema: READ_INPUT,
      outputSchema: READ_OUTPUT,
      annotations: READ_ONLY,
    },
    ({ offset = 0, ...asked }) =>
      answer(log, async () => {
        const { path, title, url, markdown } = await pages.read(asked);
        const part = partOf(markdown, offset);
        const end = offset + part.length;
        const more = end < markdown.length ? { nextOffset: end } : {};
        const note = more.nextOffset ? `\n\n(The page goes on: offset ${more.nextOffset}.)` : "";
        return { structured: { path, title, url, markdown: part, ...more }, text: `${part}${note}` };
      }),
  );
}

function addListTool(server: McpServer, pages: SitePages, log: Log): void {
  server.registerTool(
    "list_pages",
    {
      title: "List pages",
      description: `Lists the pages of ${docsOf(pages)} in the order of their paths.`,
      inputSchema: LIST_INPUT,
      outputSchema: LIST_OUTPUT,
      annotations: READ_ONLY,
    },
    ({ limit = LISTED_PAGES, under = "", cursor }) =>
      answer(log, async () => {
        const { pages: found, nextCursor } = await pages.list({ under, cursor, limit });
        const listed = found.map(({ path, title, url, description }) => ({
          path,
          title,
          url,
          ...(description === undefined ? {} : { description }),
        }));
        const lines = listed.map((page) => `- [${linkText(page.title)}](${page.url}), path /${page.path}`);
        if (nextCursor) lines.push(`(The list goes on: cursor ${nextCursor}.)`);
        const text = lines.join("\n") || "There are no pages.";
        return { structured: { pages: listed, ...(nextCursor && { nextCursor }) }, text };
      }),
  );
}

/** A tool's result, for programs and for models that read only text; or its error. */
async function answer(
  log: Log,
  run: () => Promise<{ structured: Record<string, unknown>; text: string }>,
): Promise<CallToolResult> {
  try {
    const { structured: structuredContent, text } = await run();
    return { structuredContent, content: [{ type: "text", text }] };
  } catch (error) {
    return { isError: true, content: [{ type: "text", text: reportFault(error, log).message }] };
  }
}

const placeOf = ({ title, headings }: { title: string; headings: string[] }) =>
  [title, ...headings.filter((heading) => heading !== title)].join(" › ");

/** A part of a page, from `offset` on. A surrogate pair is never split. */
function partOf(markdown: string, offset: number): string {
  const end = offset + READ_CHARACTERS;
  const isCut = /[\uD800-\uDBFF]/.test(markdown.charAt(end - 1)) && end < markdown.length;
  return markdown.slice(offset, isCut ? end - 1 : end);
}
