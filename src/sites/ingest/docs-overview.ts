import type { RecognizedDocs } from "@docent/reading/source-reader";
import { z } from "zod";

/** What a person looks at to see whether a docs generator's site was read rightly. */
export const docsOverviewSchema = z.lazy(() =>
  z.object({
    pages: z.number(),
    /** The first two levels, as far as they are shown. */
    menu: z.array(z.object({ label: z.string(), below: z.array(z.string()), more: z.number() })),
    /** How many entries of the first level are not shown. */
    menuMore: z.number(),
    samples: z.array(z.object({ location: z.string(), path: z.string() })),
    unknowns: z.array(
      z.object({
        /** What an answer is for; absent where none would change what is read. */
        name: z.string().optional(),
        question: z.string(),
        guess: z.string(),
      }),
    ),
  }),
);
export type DocsOverview = z.infer<typeof docsOverviewSchema>;

const ENTRIES_MAX = 20;
const ENTRIES_BELOW_MAX = 8;
const UNKNOWNS_MAX = 20;
const LABEL_CHARACTERS_MAX = 100;
const PLACE_CHARACTERS_MAX = 500;

/** What of recognized docs is kept with the run: what a screen shows of them. */
export function overviewOf({ pages, menu, samples, unknowns }: RecognizedDocs): DocsOverview {
  return {
    pages,
    menu: menu.slice(0, ENTRIES_MAX).map(({ label, children }) => ({
      label: shortened(label),
      below: children.slice(0, ENTRIES_BELOW_MAX).map((child) => shortened(child.label)),
      more: Math.max(0, children.length - ENTRIES_BELOW_MAX),
    })),
    menuMore: Math.max(0, menu.length - ENTRIES_MAX),
    samples: samples.map(({ location, path }) => ({
      location: location.slice(0, PLACE_CHARACTERS_MAX),
      path: path.slice(0, PLACE_CHARACTERS_MAX),
    })),
    unknowns: unknowns.slice(0, UNKNOWNS_MAX).map(({ name, question, guess }) => ({
      ...(name !== undefined && { name }),
      question: question.slice(0, PLACE_CHARACTERS_MAX),
      guess: guess.slice(0, PLACE_CHARACTERS_MAX),
    })),
  };
}

const shortened = (label: string) => label.slice(0, LABEL_CHARACTERS_MAX);
