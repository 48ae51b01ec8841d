import { z } from "zod";
import { type Command, word } from "../../command.ts";
import { printJson } from "../../output.ts";

export const indexComplete: Command = {
  name: "index complete",
  usage: "<domain>",
  summary:
    "Make the vectors that a site's passages have not, or have of another embedding model, and calibrate the site. A server does so when it starts.",
  words: [1, 1],
  json: { shape: z.object({ domain: z.string(), passages: z.int() }) },
  async run(context) {
    const { people, content, sources } = await context.openParts();
    const { id, domain } = await people.sites.get(word(context, 0));
    const { vectors } = sources;
    const { signal } = context;
    if (!(await vectors.areCurrent(id, signal))) await vectors.complete(id, { signal });
    await content.calibrator.calibrate(id, signal);
    const { passages } = await content.pages.countPages(id);
    if (context.options["json"]) return printJson(context, { domain, passages });
    context.terminal.out(`The passages of ${domain} have their vectors: ${passages}.\n`);
    return undefined;
  },
};
