import { z } from "zod";
import type { AskedCall, Tool } from "../responder.ts";

const QUERY_CHARACTERS_MAX = 300;
const PATH_CHARACTERS_MAX = 500;
const LABEL_CHARACTERS_MAX = 100;

/** A part of the docs to which a model narrows a search. */
const label = z.string().trim().min(1).max(LABEL_CHARACTERS_MAX);
const filterSchema = z.object({ version: label, language: label, tag: label }).partial();

const searchInput = z.object({
  query: z.string().trim().min(1).max(QUERY_CHARACTERS_MAX),
  // What does not make a filter is left out: small models fill in every field.
  filter: filterSchema.optional().catch(undefined),
});
const readInput = z.lazy(() =>
  z.object({
    path: z.string().trim().min(1).max(PATH_CHARACTERS_MAX),
    heading: z.string().trim().max(QUERY_CHARACTERS_MAX).optional().catch(undefined),
  }),
);

/** A call that can be carried out. */
export type Call =
  | ({ tool: "search" } & z.infer<typeof searchInput>)
  | ({ tool: "read_page" } & z.infer<typeof readInput>);

const text = (description: string) => ({ type: "string", description });

export const SEARCH_TOOL: Tool = {
  name: "search",
  description: "Searches the documentation and gives the passages that answer best.",
  parameters: {
    type: "object",
    required: ["query"],
    properties: {
      query: text("One question, or a few key words, about one thing."),
      filter: {
        type: "object",
        description: "Leave it out unless the question names a version, a language or a tag.",
        properties: {
          version: text("Only this version of the documentation."),
          language: text("Only pages in this language, such as en."),
          tag: text("Only pages with this tag."),
        },
      },
    },
  },
};

const READ_TOOL: Tool = {
  name: "read_page",
  description: "Reads a page of the documentation, from a heading on.",
  parameters: {
    type: "object",
    required: ["path"],
    properties: {
      path: text("The path of the page, as a passage has it."),
      heading: text("The heading to read from. Leave it out to read from the top."),
    },
  },
};

/** What a model may call while it answers. */
export const TOOLS: readonly Tool[] = [SEARCH_TOOL, READ_TOOL];

export const isTool = (name: string) => TOOLS.some((tool) => tool.name === name);

/** Reads what a model asked for: the call, or a sentence that tells the model what is wrong with it. */
export function readCall({ name, input }: AskedCall): Call | string {
  if (name === "search") {
    const parsed = searchInput.safeParse(input);
    return parsed.success ? { tool: "search", ...parsed.data } : BAD_SEARCH;
  }
  if (name === "read_page") {
    const parsed = readInput.safeParse(input);
    return parsed.success ? { tool: "read_page", ...parsed.data } : BAD_READ;
  }
  return `There is no such tool. The tools are ${TOOLS.map((tool) => tool.name).join(" and ")}.`;
}

const BAD_SEARCH = `The call could not be read: search takes {"query": "…"}, of at most ${QUERY_CHARACTERS_MAX} characters.`;
const BAD_READ = 'The call could not be read: read_page takes {"path": "…", "heading": "…"}.';
