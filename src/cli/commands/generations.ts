import { z } from "zod";
import { JSON_SCHEMAS } from "../../app/json-schemas.ts";
import { aboutSite } from "../../audit/audit.ts";
import { AppError } from "../../errors.ts";
import { generationJson } from "../../ingest/json.ts";
import { type Command, word } from "../command.ts";
import { printJson, printRows, showTime } from "../output.ts";

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
  json: { shape: JSON_SCHEMAS.rollback },
  async run(context) {
    const parts = await context.openParts();
    const site = await parts.people.sites.get(word(context, 0));
    const given = context.words[1];
    if (given !== undefined && !/^\d{1,15}$/.test(given))
      throw new AppError("invalid_request", `${given} is not the number of a generation.`);
    const moved = await parts.sources.generations.rollBack(
      site.id,
      given === undefined ? undefined : Number(given),
    );
    await context.record({ kind: "generation.rolled-back", ...aboutSite(site), details: moved });
    if (context.options["json"]) return printJson(context, moved);
    context.terminal.out(
      `${site.domain} shows generation ${moved.to} instead of ${moved.from}. The next run of a source goes on from it.\n`,
    );
    return undefined;
  },
};
