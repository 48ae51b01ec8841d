import { z } from "zod";
import license from "../../../LICENSE" with { type: "text" };
import type { Command } from "../command.ts";
import { printJson } from "../output.ts";
import thirdParty from "../third-party.txt" with { type: "text" };

export const licenses: Command = {
  words: [0, 0],
  json: { shape: z.object({ docent: z.string(), thirdParty: z.string() }) },
  async run(context) {
    if (context.options["json"] === true) return printJson(context, { docent: license, thirdParty });
    context.terminal.out(`${license}\n${thirdParty}`);
    return undefined;
  },
};
