import { AppError } from "@docent/kernel/errors";
import { aboutSite } from "@docent/people/audit/audit";
import { JSON_SCHEMAS } from "@docent/running/app/json-schemas";
import { type Command, textOption, word } from "../command.ts";
import { printJson } from "../output.ts";
import { OPENING } from "../read-settings.ts";

export const threadsDelete: Command = {
  words: [1, 2],
  settings: OPENING,
  json: { shape: JSON_SCHEMAS.removed },
  options: { reader: { type: "string" } },
  optionHelp: { reader: "the reader, as its client names it (fp), instead of a thread" },
  async run(context) {
    const { people, reports } = await context.openParts();
    const site = await people.sites.get(word(context, 0));
    const reader = textOption(context, "reader");
    if ((context.words.length === 2) === (reader !== undefined))
      throw new AppError("invalid_request", "Name a thread, or a reader with --reader.");
    const removed =
      reader === undefined
        ? await reports.retention.removeThread(site.id, word(context, 1))
        : await reports.retention.removeReader(site.id, reader);
    const of = reader === undefined ? "thread" : "reader";
    await context.record({ kind: "conversations.deleted", ...aboutSite(site), details: { of, ...removed } });
    if (context.options["json"] === true) return printJson(context, removed);
    const { turns, threads } = removed;
    context.terminal.out(`Deleted ${turns} questions with their answers, and ${threads} threads.\n`);
    return undefined;
  },
};
