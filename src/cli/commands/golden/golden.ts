import { AppError } from "@docent/kernel/errors";
import { readQuestionLines } from "@docent/measuring/eval/datasets/datasets";
import { GOLDEN_QUESTIONS_MAX, IMPORTABLE, type Imported } from "@docent/measuring/golden/golden";
import { type CheckJson, goldenJson, standingQuestionJson } from "@docent/measuring/golden/json";
import { aboutSite } from "@docent/people/audit/audit";
import { JSON_SCHEMAS } from "@docent/running/app/json-schemas";
import { z } from "zod";
import { type Command, type Context, textOption, textsOption, word } from "../../command.ts";
import { readTextFile } from "../../files.ts";
import { cutLine, printJson, printNote, printRows, showTime } from "../../output.ts";
import { OPENING } from "../../read-settings.ts";

const QUESTION_SHOWN = 60;

export const goldenList: Command = {
  words: [1, 1],
  json: { shape: z.array(JSON_SCHEMAS.goldenQuestion) },
  async run(context) {
    const { people, golden } = await context.openParts();
    const site = await people.sites.get(word(context, 0));
    const rows = (await golden.questions.list(site.id)).map(goldenJson);
    printRows(
      context,
      rows,
      {
        QUESTION: ({ question }) => cutLine(question, QUESTION_SHOWN),
        PAGES: ({ expected }) => shownPages(expected),
        FOR: ({ version, language, groups }) =>
          [version, language, groups?.join(", ")].filter(Boolean).join(" ") || "-",
        FROM: ({ origin }) => origin,
        ID: ({ id }) => id,
      },
      `${site.domain} has no golden questions: docent golden add ${site.domain} <question> --page <path>`,
    );
  },
};

export const goldenAdd: Command = {
  words: [2, 2],
  settings: OPENING,
  json: { shape: JSON_SCHEMAS.goldenQuestion },
  options: {
    page: { type: "string", multiple: true },
    version: { type: "string" },
    language: { type: "string" },
    group: { type: "string", multiple: true },
  },
  optionHelp: {
    page: "a page that answers it, by path or address; may be repeated: any of them is right",
    version: "the version of the docs that is asked for",
    language: "the language that is asked for",
    group: "a group of whoever asks; may be repeated. Without it, an owner asks, who sees every page",
  },
  async run(context) {
    const { people, golden } = await context.openParts();
    const site = await people.sites.get(word(context, 0));
    const pages = textsOption(context, "page");
    if (pages === undefined)
      throw new AppError("invalid_request", "Name a page that answers it with --page.");
    const added = await golden.questions.add(site, {
      question: word(context, 1),
      expected: pages,
      version: textOption(context, "version"),
      language: textOption(context, "language"),
      groups: textsOption(context, "group"),
    });
    await recordAdded(context, site, { questions: 1, from: "hand" });
    if (context.options["json"] === true) return printJson(context, goldenJson(added));
    context.terminal.out(
      `Every run of ${site.domain} is asked it now, before readers see what the run changes.\n`,
    );
    return undefined;
  },
};

export const goldenImport: Command = {
  words: [1, 2],
  settings: OPENING,
  json: { shape: JSON_SCHEMAS.goldenImport },
  options: { from: { type: "string" } },
  optionHelp: { from: `what the site keeps already: ${IMPORTABLE.join(", ")}` },
  async run(context) {
    const { people, golden } = await context.openParts();
    const site = await people.sites.get(word(context, 0));
    const from = importableOf(textOption(context, "from"));
    const file = context.words[1];
    if ((from === undefined) === (file === undefined))
      throw new AppError("invalid_request", "Name a file, or what to take the questions from with --from.");
    const imported =
      from === undefined
        ? await golden.questions.addAll(
            site,
            readQuestionLines(await readTextFile(context, file ?? ""), file ?? ""),
          )
        : await golden.questions.importFrom(site, from);
    await recordAdded(context, site, { questions: imported.added, from: from ?? "file" });
    if (context.options["json"] === true) return printJson(context, imported);
    describeImported(context, imported);
    return undefined;
  },
};

export const goldenRemove: Command = {
  words: [2, 2],
  settings: OPENING,
  json: { shape: JSON_SCHEMAS.removedGolden },
  async run(context) {
    const { people, golden } = await context.openParts();
    const site = await people.sites.get(word(context, 0));
    const id = word(context, 1);
    await golden.questions.remove(site.id, id);
    await context.record({ kind: "golden.removed", ...aboutSite(site), subject: { id } });
    if (context.options["json"] === true) return printJson(context, { removed: id });
    context.terminal.out("It is not asked any more.\n");
    return undefined;
  },
};

export const goldenRun: Command = {
  words: [1, 1],
  json: { shape: z.array(JSON_SCHEMAS.askedGolden) },
  async run(context) {
    const { people, golden } = await context.openParts();
    const site = await people.sites.get(word(context, 0));
    const rows = (await golden.run(site.id, context.signal)).map(standingQuestionJson);
    printRows(
      context,
      rows,
      {
        PLACE: ({ standing }) => (standing === null ? "not asked" : placeOf(standing)),
        QUESTION: ({ question }) => cutLine(question, QUESTION_SHOWN),
        PAGES: ({ expected }) => shownPages(expected),
        FIRST: ({ standing }) => (standing?.isAnswered === true ? standing.first || "/" : "-"),
      },
      `${site.domain} has no golden questions: docent golden add ${site.domain} <question> --page <path>`,
    );
  },
};

export const goldenChecks: Command = {
  words: [1, 1],
  json: { shape: z.array(JSON_SCHEMAS.goldenCheck) },
  async run(context) {
    const { people, golden } = await context.openParts();
    const site = await people.sites.get(word(context, 0));
    const checks = await golden.checks(site.id);
    if (context.options["json"] === true) return printJson(context, checks);
    if (checks.length === 0) {
      printNote(context, `No run of ${site.domain} has been asked golden questions yet.`);
      return undefined;
    }
    for (const check of checks) describeCheck(context, check);
    return undefined;
  },
};

const recordAdded = (
  context: Context,
  site: Parameters<typeof aboutSite>[0],
  details: { questions: number; from: string },
) => context.record({ kind: "golden.added", ...aboutSite(site), details });

function importableOf(given: string | undefined) {
  const from = IMPORTABLE.find((each) => each === given);
  if (given === undefined || from !== undefined) return from;
  throw new AppError("invalid_request", `--from is ${IMPORTABLE.join(", ")}, not ${given}.`);
}

function describeImported(context: Context, { added, known, left, unusable, named }: Imported): void {
  context.terminal.out(`${added} added, ${known} kept already.\n`);
  for (const { question, why } of named)
    printNote(context, `left out: ${cutLine(question, QUESTION_SHOWN)}: ${why}`);
  if (unusable > named.length)
    printNote(context, `${unusable - named.length} more name no page of the site.`);
  if (left > 0) printNote(context, `${left} more have no room: a site keeps ${GOLDEN_QUESTIONS_MAX}.`);
}

const shownPages = (expected: readonly string[]) => expected.map((path) => path || "/").join(", ");

/** Where a question finds its page, for people. */
function placeOf({ rank, isAnswered }: { rank: number | null; isAnswered: boolean }): string {
  if (rank !== null) return String(rank);
  return isAnswered ? "not found" : "no answer";
}

function describeCheck(
  { terminal }: Context,
  { at, source, before, generation, refused, ...check }: CheckJson,
): void {
  const became = refused ? "refused" : generation === null ? "not published" : `generation ${generation}`;
  const place = source?.location ?? "a source that is gone";
  terminal.out(
    `${showTime(Date.parse(at))}  ${place}: ${became} (before: ${before}), ${check.asked} asked, ${check.worse.length} worse, ${check.better.length} better\n`,
  );
  for (const { question, before: was, after: is, why } of check.worse)
    terminal.out(
      `  ${cutLine(question ?? "(not kept any more)", QUESTION_SHOWN)}: ${placeOf(was)} → ${placeOf(is)}, ${why?.text ?? "-"}\n`,
    );
}
