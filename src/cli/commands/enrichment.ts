import { z } from "zod";
import { JSON_SCHEMAS } from "../../app/json-schemas.ts";
import { aboutSite } from "../../audit/audit.ts";
import { enrichmentJson } from "../../enrich/enrich.ts";
import { type Command, type Context, word } from "../command.ts";
import { printJson } from "../output.ts";
import { READING } from "../read-settings.ts";

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
    context.terminal.out(`What the model had written for ${removed} passages of ${site.domain} is gone.\n`);
    if (site.settings.enrichment !== "off")
      context.terminal.out(
        `It is written anew unless you turn it off: docent sites set ${site.domain} --enrichment off\n`,
      );
    return undefined;
  },
};

function print(context: Context, domain: string, state: Shown): undefined {
  if (context.options["json"]) return printJson(context, state);
  const { terminal } = context;
  terminal.out(`${domain}: ${state.mode}, ${state.isCounted ? "used" : "not used"} by search\n`);
  terminal.out(
    `Questions for ${state.written} of ${state.passages} passages; of ${state.refused} the model wrote nothing that can be used.\n`,
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
