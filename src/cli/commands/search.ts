import type { Hit } from "@docent/finding/search/search";
import { AppError } from "@docent/kernel/errors";
import { z } from "zod";
import { type Command, type Context, textOption, word } from "../command.ts";
import { printJson } from "../output.ts";
import { bold, dim, type Text } from "../terminal/text.ts";
import {
  ASKING_OPTION_HELP,
  ASKING_OPTIONS,
  audienceOf,
  filterOf,
  questionOf,
  requirePages,
  showCorrected,
} from "./ask/ask.ts";

const HIT_SHAPE = z.object({
  content: z.string(),
  path: z.string(),
  metadata: z.object({
    title: z.string(),
    href: z.string(),
    score: z.number(),
    headings: z.array(z.string()),
    version: z.string(),
    language: z.string(),
    corrected: z.string().optional(),
  }),
});

export const search: Command = {
  words: [2, Number.POSITIVE_INFINITY],
  json: { shape: z.array(HIT_SHAPE) },
  options: { results: { type: "string" }, ...ASKING_OPTIONS, path: { type: "string" } },
  optionHelp: {
    results: "how many, from 1 to 50; 10 otherwise",
    ...ASKING_OPTION_HELP,
    path: "the page the reader is on",
  },
  async run(context) {
    const parts = await context.openParts();
    const site = await parts.people.sites.get(word(context, 0));
    await requirePages(parts, site);
    const { hits, corrected } = await parts.content.search.find({
      siteId: site.id,
      audience: audienceOf(context),
      text: await questionOf(context),
      filter: filterOf(context),
      pageSize: count(context),
      currentPath: textOption(context, "path"),
    });
    if (context.options["json"])
      return printJson(
        context,
        hits.map((hit) => toJson(hit, corrected?.text)),
      );
    if (hits.length === 0) context.terminal.err("Nothing was found.\n");
    else if (corrected !== undefined) context.terminal.out(showCorrected(corrected.text));
    for (const hit of hits) context.terminal.out(show(hit));
  },
};

function count(context: Context): number {
  const given = textOption(context, "results") ?? "10";
  const number = /^\d+$/.test(given) ? Number(given) : 0;
  if (number >= 1 && number <= 50) return number;
  throw new AppError("invalid_request", `--results is a number from 1 to 50, not ${given}.`);
}

function show(hit: Hit): Text {
  const place = [hit.title, ...hit.headings.filter((heading) => heading !== hit.title)].join(" > ");
  return [bold(place), `  ${hit.relevance.toFixed(2)}\n`, dim(hit.href), `\n${hit.snippet}\n\n`];
}

/** The form that the search operation gives a hit. */
function toJson(hit: Hit, corrected: string | undefined) {
  const { path, title, href, headings, version, language, relevance } = hit;
  return {
    content: hit.snippet,
    path,
    metadata: {
      title,
      href,
      score: Math.round(relevance * 1000) / 1000,
      headings,
      version,
      language,
      ...(corrected !== undefined && { corrected }),
    },
  };
}
