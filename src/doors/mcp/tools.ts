import type { Log } from "@docent/kernel/lib/log";
import { linkText } from "@docent/sites/pages/page-link";
import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { reportFault } from "./report-fault.ts";
import type { ReadPlace, SitePages } from "./site-pages.ts";

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
      id: z.string().describe("For fetch."),
      ...listedPage,
      headings: z.array(z.string()).describe("The headings above the section, outermost first."),
      relevance: z.number().describe("From 0 to 1: how sure it is that the section answers the query."),
      content: z.string().describe("The section as Markdown."),
    }),
  ),
});

const READ_INPUT = z.object({
  path: path.describe(
    "The page's path, or its address, as search_docs and list_pages give them. With #anchor, only that section.",
  ),
  heading: path.optional().describe("Only the section with this heading, by its words or its anchor."),
  version,
  language,
  offset: z.int().min(0).optional().describe("Where to go on in a long page: nextOffset of the part before."),
});
const READ_OUTPUT = z.object({
  ...listedPage,
  markdown: z.string(),
  note: z.string().optional().describe("There where the page has no such heading."),
  nextOffset: z.int().optional().describe("There where the page goes on."),
});

const FETCH_INPUT = z.object({ id: path.describe("An id or address that search_docs gave.") });
const FETCH_OUTPUT = z.object({
  id: z.string(),
  title: z.string(),
  text: z.string(),
  url: z.string(),
  metadata: z.record(z.string(), z.string()),
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
  addFetchTool(server, pages, log);
  addListTool(server, pages, log);
}

const docsOf = ({ site }: SitePages) => `the documentation of ${site.name}`;

function addSearchTool(server: McpServer, pages: SitePages, log: Log): void {
  server.registerTool(
    "search_docs",
    {
      title: "Search the docs",
      description: `Finds the sections of ${docsOf(pages)} that answer a question, best first. Nothing is returned when the docs do not cover it.`,
      inputSchema: SEARCH_INPUT,
      outputSchema: SEARCH_OUTPUT,
      annotations: READ_ONLY,
    },
    ({ query, limit = SEARCH_RESULTS, ...filter }) =>
      answer(log, async () => {
        const { hits, corrected } = await pages.search(query, limit, filter);
        const results = hits.map(({ id, path, title, url, headings, relevance, markdown: content }) => ({
          id,
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
      description: `Gives a page of ${docsOf(pages)} as Markdown, a long one in parts, or one section of it.`,
      inputSchema: READ_INPUT,
      outputSchema: READ_OUTPUT,
      annotations: READ_ONLY,
    },
    ({ offset = 0, ...asked }) =>
      answer(log, async () => {
        const read = await pages.read(asked);
        const { path, title } = read.page;
        const { url, markdown } = read;
        const part = partOf(markdown, offset);
        const end = offset + part.length;
        const next = end < markdown.length ? end : undefined;
        const note = noteOn(read);
        const structured = { path, title, url, markdown: part, ...(note && { note }) };
        const shown = [note && `(${note})`, part, next && `(The page goes on: offset ${next}.)`];
        return {
          structured: next === undefined ? structured : { ...structured, nextOffset: next },
          text: shown.filter(Boolean).join("\n\n"),
        };
      }),
  );
}

/** What clients that look into things by themselves expect beside a search: one document by its id. */
function addFetchTool(server: McpServer, pages: SitePages, log: Log): void {
  server.registerTool(
    "fetch",
    {
      title: "Fetch a result",
      description: `Gives a section or page of ${docsOf(pages)} by the id of a result.`,
      inputSchema: FETCH_INPUT,
      outputSchema: FETCH_OUTPUT,
      annotations: READ_ONLY,
    },
    ({ id }) =>
      answer(log, async () => {
        const read = await pages.read({ path: id });
        const part = partOf(read.markdown, 0);
        const isWhole = part.length === read.markdown.length;
        const text = isWhole ? part : `${part}\n\n(It goes on: read_page, offset ${part.length}.)`;
        const { page, headings, url } = read;
        const title = placeOf({ title: page.title, headings });
        const structured = { id, title, text, url, metadata: metadataOf(read) };
        return { structured, text: JSON.stringify(structured) };
      }),
  );
}

function metadataOf(read: ReadPlace): Record<string, string> {
  const { path, version, language } = read.page;
  const note = noteOn(read);
  return { path, ...(version && { version }), ...(language && { language }), ...(note && { note }) };
}

const noteOn = ({ unknownHeading }: ReadPlace): string =>
  unknownHeading === undefined
    ? ""
    : `This page has no heading "${unknownHeading}": here it is from its top.`;

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
