import { AppError } from "@docent/kernel/errors";
import type { GenerationReportJson } from "@docent/measuring/golden/json";
import { aboutSite } from "@docent/people/audit/audit";
import { JSON_SCHEMAS } from "@docent/running/app/json-schemas";
import { generationJson } from "@docent/sites/ingest/json";
import { z } from "zod";
import { type Command, word } from "../command.ts";
import { cutLine, printJson, printRows, showTime } from "../output.ts";
import { READING } from "../read-settings.ts";

export const generationsList: Command = {
  words: [1, 1],
  json: { shape: z.array(JSON_SCHEMAS.generation) },
  async run(context) {
    const parts = await context.openParts();
    const site = await parts.people.sites.get(word(context, 0));
    const rows = (await parts.sources.generations.list(site.id)).map(generationJson);
    printRows(
      context,
      rows,
      {
        GENERATION: ({ number, isVisible }) => `${number}${isVisible ? " (now)" : ""}`,
        MADE: ({ at }) => showTime(Date.parse(at)),
        SOURCE: ({ source }) => source.location,
        CHANGES: ({ counts }) =>
          ["added", "changed", "removed"].map((name) => `${counts[name] ?? 0} ${name}`).join(", "),
      },
      `Nothing has been read into this site yet: docent sources add ${site.domain} <place>`,
    );
  },
};

export const generationsRollback: Command = {
  words: [1, 2],
  settings: READING,
  json: { shape: JSON_SCHEMAS.rollback },
  async run(context) {
    const parts = await context.openParts();
    const site = await parts.people.sites.get(word(context, 0));
    const moved = await parts.sources.generations.rollBack(site.id, numberOf(context.words[1]));
    await context.record({ kind: "generation.rolled-back", ...aboutSite(site), details: moved });
    if (context.options["json"]) return printJson(context, moved);
    context.terminal.out(
      `${site.domain} shows generation ${moved.to} instead of ${moved.from}. The next run of a source goes on from it.\n`,
    );
    return undefined;
  },
};

export const generationsReport: Command = {
  words: [1, 2],
  json: { shape: JSON_SCHEMAS.generationReport },
  async run(context) {
    const { people, golden } = await context.openParts();
    const site = await people.sites.get(word(context, 0));
    const number = numberOf(context.words[1]) ?? site.generation;
    const report = await golden.report(site, number);
    if (context.options["json"] === true) return printJson(context, report);
    context.terminal.out(
      reportLines(report)
        .map((line) => `${line}\n`)
        .join(""),
    );
    return undefined;
  },
};

const QUESTION_SHOWN = 80;
const PAGES_SHOWN = 20;

/** A report as people read it. */
function reportLines({ number, before, pages, golden, questions }: GenerationReportJson): string[] {
  const { added, changed, removed, moved } = pages.counts;
  const of = (name: string, all: readonly { path: string }[]) =>
    all.slice(0, PAGES_SHOWN).map(({ path }) => `  ${name} ${path || "/"}`);
  const asked = (name: string, all: typeof questions.gained) =>
    all.map(({ question, asked: times, page }) => {
      const where = page === null ? "" : `, ${page || "/"}`;
      return `  ${name} ${cutLine(question, QUESTION_SHOWN)} (asked ${times} times${where})`;
    });
  return [
    `Generation ${number}${before === null ? "" : `, beside ${before}`}: ${added} added, ${changed} changed, ${removed} removed, ${moved} moved.`,
    ...of("added", pages.added),
    ...of("changed", pages.changed),
    ...of("removed", pages.removed),
    ...pages.moved.slice(0, PAGES_SHOWN).map(({ from, path }) => `  moved ${from || "/"} → ${path || "/"}`),
    ...(golden === null
      ? []
      : [
          `Golden questions: ${golden.asked} asked, ${golden.worse.length} worse, ${golden.better.length} better.`,
          ...golden.worse.map(
            ({ question, why }) =>
              `  worse ${cutLine(question ?? "(not kept any more)", QUESTION_SHOWN)}: ${why?.text ?? "-"}`,
          ),
        ]),
    `Readers' questions: ${questions.asked} asked again, ${questions.gained.length} answered now and not before, ${questions.lost.length} not any more.`,
    ...asked("answered now", questions.gained),
    ...asked("not any more", questions.lost),
  ];
}

function numberOf(given: string | undefined): number | undefined {
  if (given === undefined || /^\d{1,15}$/.test(given)) return given === undefined ? undefined : Number(given);
  throw new AppError("invalid_request", `${given} is not the number of a generation.`);
}
