import { enrichmentJson } from "@docent/finding/enrich/enrich";
import { aboutSite } from "@docent/people/audit/audit";
import { JSON_SCHEMAS } from "@docent/running/app/json-schemas";
import { z } from "zod";
import { type Command, type Context, word } from "../command.ts";
import { readTextFile } from "../files.ts";
import { counted, printJson } from "../output.ts";
import { READING } from "../read-settings.ts";

/** A line of the file. `--missing` gives lines without questions, and with the passage's title and text. */
const LINE_SHAPE = z.object({
  page: z.string(),
  headings: z.array(z.string()),
  hash: z.string(),
  questions: z.array(z.string()),
  words: z.array(z.string()),
  title: z.string().optional(),
  text: z.string().optional(),
});
const IMPORTED_SHAPE = z.object({
  lines: z.int(),
  unreadable: z.array(z.int()),
  taken: z.int(),
  unchanged: z.int(),
  refused: z.int(),
});

type Shown = ReturnType<typeof enrichmentJson>;

export const enrichmentShow: Command = {
  words: [1, 1],
  json: { shape: JSON_SCHEMAS.enrichment },
  async run(context) {
    const { people, enrichments } = await context.openParts();
    const site = await people.sites.get(word(context, 0));
    return print(context, site.domain, enrichmentJson(await enrichments.state(site)));
  },
};

export const enrichmentMeasure: Command = {
  words: [1, 1],
  json: { shape: JSON_SCHEMAS.enrichment },
  async run(context) {
    const { people, enrichments } = await context.openParts();
    const site = await people.sites.get(word(context, 0));
    await enrichments.measure(site, context.signal);
    return print(context, site.domain, enrichmentJson(await enrichments.state(site)));
  },
};

export const enrichmentRemove: Command = {
  words: [1, 1],
  settings: READING,
  json: { shape: z.object({ removed: z.int() }) },
  async run(context) {
    const { people, enrichments } = await context.openParts();
    const site = await people.sites.get(word(context, 0));
    const removed = await enrichments.removeAll(site, context.signal);
    const details = { passages: removed };
    await context.record({ kind: "enrichment.removed", ...aboutSite(site), details });
    if (context.options["json"]) return printJson(context, { removed });
    context.terminal.out(
      `What the model had written for ${counted(removed, "passage")} of ${site.domain} is gone.\n`,
    );
    if (site.settings.enrichment !== "off")
      context.terminal.out(
        `It is written anew unless you turn it off: docent sites set ${site.domain} --enrichment off\n`,
      );
    return undefined;
  },
};

export const enrichmentExport: Command = {
  words: [1, 1],
  settings: READING,
  json: { shape: LINE_SHAPE, isLines: true },
  options: { missing: { type: "boolean" } },
  optionHelp: {
    missing:
      "the passages for which nothing was written instead, with their text, for whoever writes it: how-to pages first",
  },
  async run(context) {
    const { people, enrichments } = await context.openParts();
    const site = await people.sites.get(word(context, 0));
    const { signal } = context;
    const missing = context.options["missing"] === true;
    for await (const line of enrichments.export(site.id, { missing, signal })) {
      context.terminal.data(`${JSON.stringify(line)}\n`);
      // Waits for a slow pipe, which would otherwise fill the memory.
      if (!(await context.terminal.outRead())) break;
    }
    return undefined;
  },
};

export const enrichmentImport: Command = {
  words: [2, 2],
  settings: READING,
  json: { shape: IMPORTED_SHAPE },
  async run(context) {
    const { people, enrichments } = await context.openParts();
    const site = await people.sites.get(word(context, 0));
    const text = await readTextFile(context, word(context, 1));
    const imported = await enrichments.import(site, text, context.signal);
    const { lines, unreadable, taken, unchanged, refused } = imported;
    await context.record({
      kind: "enrichment.imported",
      ...aboutSite(site),
      details: { passages: taken },
    });
    if (context.options["json"] === true) return printJson(context, imported);
    const { terminal } = context;
    terminal.out(
      `${lines} lines have questions. ${taken} passages have theirs now, ${unchanged} had them before.\n`,
    );
    if (refused > 0) terminal.out(`Those of ${refused} passages do not lead to them, and are not used.\n`);
    if (unreadable.length > 0) terminal.out(`Not to be read: line ${unreadable.join(", ")}.\n`);
    if (site.settings.enrichment !== "on")
      terminal.out(`Search uses them once you say so: docent sites set ${site.domain} --enrichment on\n`);
    return undefined;
  },
};

function print(context: Context, domain: string, state: Shown): undefined {
  if (context.options["json"]) return printJson(context, state);
  const { terminal } = context;
  terminal.out(`${domain}: ${state.mode}, ${state.isCounted ? "used" : "not used"} by search\n`);
  terminal.out(
    `Questions for ${state.written} of ${counted(state.passages, "passage")}; of ${state.refused} the model wrote nothing that can be used.\n`,
  );
  terminal.out(`Models have written for ${state.minutesToday} of ${state.minutesPerDay} minutes today.\n`);
  terminal.out(`${measured(state)}\n`);
  for (const { path, headings, questions, model } of state.samples) {
    terminal.out(`\n${path || "/"}${headings.length > 0 ? ` > ${headings.join(" > ")}` : ""} (${model})\n`);
    for (const question of questions) terminal.out(`  ${question}\n`);
  }
  return undefined;
}

function measured({ measure, questionsMin }: Shown): string {
  if (measure === null) return "Not measured yet.";
  const { questions, better, worse, ndcgWith, ndcgWithout } = measure;
  if (questions === 0) return "No questions are kept for evaluation: what it is worth is not known.";
  const said = `Of ${questions} kept questions ${better} rank higher with it, ${worse} lower (nDCG@10 ${ndcgWith.toFixed(3)}, without it ${ndcgWithout.toFixed(3)}).`;
  return questions < questionsMin ? `${said} Fewer than ${questionsMin} questions show little.` : said;
}
