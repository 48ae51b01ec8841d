import { openFidelity } from "@docent/running/app/fidelity";
import { JSON_SCHEMAS } from "@docent/running/app/json-schemas";
import type { FidelityReport } from "@docent/sites/ingest/ingest";
import { type Command, word } from "../../command.ts";
import { cutLine, printJson } from "../../output.ts";

const DETAIL_SHOWN = 120;
const EXAMPLES_SHOWN = 10;

const KINDS = [
  ["markup", "markup left over"],
  ["images", "images missing"],
  ["links", "links that lead nowhere"],
  ["leftOut", "left out"],
  ["signs", "signs that a source was not read whole"],
] as const;

export const sitesFidelity: Command = {
  words: [1, 1],
  json: { shape: JSON_SCHEMAS.fidelity },
  async run(context) {
    const parts = await context.openParts();
    const site = await parts.people.sites.get(word(context, 0));
    const report = await openFidelity(parts).report(site, context.signal);
    if (context.options["json"] === true) return printJson(context, report);
    context.terminal.out(`${linesOf(report).join("\n")}\n`);
    return undefined;
  },
};

function linesOf(report: FidelityReport): string[] {
  const { pages, generation, isPart } = report;
  const more = isPart ? "; the site has more" : "";
  return [
    `Looked at ${pages} page${pages === 1 ? "" : "s"} of generation ${generation}${more}.`,
    ...KINDS.flatMap(([kind, title]) => [
      `${report[kind].count} ${title}`,
      ...report[kind].examples
        .slice(0, EXAMPLES_SHOWN)
        .map(({ path, place, detail }) => `  ${cutLine(`${path ?? place}: ${detail}`, DETAIL_SHOWN)}`),
    ]),
  ];
}
