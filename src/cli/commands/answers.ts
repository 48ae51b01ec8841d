import { basename } from "node:path";
import { answerJson, type ReviewedAnswer } from "@docent/answering/curated/curated";
import { AppError } from "@docent/kernel/errors";
import { aboutSite } from "@docent/people/audit/audit";
import { JSON_SCHEMAS } from "@docent/running/app/json-schemas";
import { z } from "zod";
import { type Command, type Context, textOption, word } from "../command.ts";
import { isStandard, readTextFile } from "../files.ts";
import { printJson, printRows } from "../output.ts";
import { READING } from "../read-settings.ts";
import { yellow } from "../terminal/text.ts";

const QUESTION_SHOWN = 60;

export const answersList: Command = {
  words: [1, 1],
  json: { shape: z.array(JSON_SCHEMAS.answer) },
  async run(context) {
    const parts = await context.openParts();
    const site = await parts.people.sites.get(word(context, 0));
    const answers = await parts.answers.curated.review(site);
    if (context.options["json"] === true) return printJson(context, answers.map(answerJson));
    printRows(
      context,
      answers,
      {
        NAME: ({ name }) => name,
        FOR: ({ version, language }) => [version, language].filter(Boolean).join(" ") || "-",
        FROM: ({ source }) => source ?? "added by hand",
        QUESTIONS: ({ questions }) => String(questions.length),
        FIRST: ({ questions }) => cut(questions[0] ?? "-"),
        STATE: ({ concerns }) => concerns.join("; ") || "ok",
      },
      `This site has no curated answers: docent answers add ${site.domain} <file.md>`,
    );
    return undefined;
  },
};

export const answersShow: Command = {
  words: [2, 2],
  json: { shape: z.array(JSON_SCHEMAS.answer) },
  async run(context) {
    const parts = await context.openParts();
    const site = await parts.people.sites.get(word(context, 0));
    const name = word(context, 1);
    const found = (await parts.answers.curated.review(site)).filter((answer) => answer.name === name);
    if (found.length === 0)
      throw new AppError("not_found", `There is no curated answer ${name}.`, {
        hint: `docent answers list ${site.domain}`,
      });
    if (context.options["json"] === true) return printJson(context, found.map(answerJson));
    context.terminal.out(found.map(asText).join("\n"));
    return undefined;
  },
};

export const answersAdd: Command = {
  words: [2, 2],
  settings: READING,
  json: { shape: z.array(JSON_SCHEMAS.answer) },
  options: { name: { type: "string" }, version: { type: "string" }, language: { type: "string" } },
  optionHelp: {
    name: "its name; the file's name without .md otherwise. Required with standard input (-)",
    version: "only for questions about this version of the docs, or without a version",
    language: "only for questions in this language, or without a named language",
  },
  async run(context) {
    const parts = await context.openParts();
    const site = await parts.people.sites.get(word(context, 0));
    const file = word(context, 1);
    const answer = {
      name: textOption(context, "name") ?? nameOf(file),
      version: textOption(context, "version") ?? "",
      language: textOption(context, "language") ?? "",
      markdown: await readTextFile(context, file, context.surroundings.config.page_bytes),
    };
    await parts.answers.curated.add(site, answer);
    await context.record({ kind: "answer.written", ...aboutSite(site), subject: { name: answer.name } });
    return report(context, site.domain, answer.name);
  },
};

export const answersRemove: Command = {
  words: [2, 2],
  settings: READING,
  json: { shape: z.object({ removed: z.string() }) },
  async run(context) {
    const parts = await context.openParts();
    const site = await parts.people.sites.get(word(context, 0));
    const name = word(context, 1);
    await parts.answers.curated.remove(site, name);
    await context.record({ kind: "answer.deleted", ...aboutSite(site), subject: { name } });
    if (context.options["json"] === true) return printJson(context, { removed: name });
    context.terminal.out(`${name} is removed.\n`);
    return undefined;
  },
};

async function report(context: Context, domain: string, name: string): Promise<undefined> {
  const parts = await context.openParts();
  const all = await parts.answers.curated.review(await parts.people.sites.get(domain));
  const added = all.filter((answer) => answer.name === name && answer.source === undefined);
  if (context.options["json"] === true) return printJson(context, added.map(answerJson));
  const concerns = [...new Set(added.flatMap((answer) => answer.concerns))];
  context.terminal.out(`${name} is given from now on.\n`);
  if (concerns.length > 0) context.terminal.err([yellow("Look at it:"), ` ${concerns.join("; ")}\n`]);
  return undefined;
}

function nameOf(file: string): string {
  if (!isStandard(file)) return basename(file).replace(/\.(md|markdown)$/i, "");
  throw new AppError("invalid_request", "An answer that comes through the input needs a name.", {
    hint: "docent answers add <domain> - --name <name>",
  });
}

function asText({ name, source, questions, concerns, markdown }: ReviewedAnswer): string {
  const lines = [
    `${name} (${source ?? "added by hand"})`,
    `state: ${concerns.join("; ") || "ok"}`,
    ...questions.map((question) => `? ${question}`),
  ];
  return `${lines.join("\n")}\n\n${markdown.trim()}\n`;
}

const cut = (text: string) =>
  text.length <= QUESTION_SHOWN ? text : `${text.slice(0, QUESTION_SHOWN - 1).trimEnd()}…`;
