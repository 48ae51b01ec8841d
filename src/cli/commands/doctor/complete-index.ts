import { z } from "zod";
import { type Command, word } from "../../command.ts";
import { printJson } from "../../output.ts";

export const indexComplete: Command = {
  words: [1, 1],
  json: { shape: z.object({ domain: z.string(), passages: z.int() }) },
  options: { keywords: { type: "boolean" } },
  optionHelp: { keywords: "look after the keyword index alone" },
  async run(context) {
    const { people, content, sources } = await context.openParts();
    const { id, domain } = await people.sites.get(word(context, 0));
    const { vectors } = sources;
    const { signal } = context;
    await content.index.complete(id, signal);
    const isForKeywords = context.options["keywords"] === true;
    if (!isForKeywords) {
      if (!(await vectors.areCurrent(id, signal))) await vectors.complete(id, { signal });
      await content.calibrator.calibrate(id, signal);
    }
    const { passages } = await content.pages.countPages(id);
    if (context.options["json"]) return printJson(context, { domain, passages });
    const have = isForKeywords
      ? "are in its keyword index"
      : "are in its keyword index, and have their vectors";
    context.terminal.out(`The passages of ${domain} ${have}: ${passages}.\n`);
    return undefined;
  },
};
