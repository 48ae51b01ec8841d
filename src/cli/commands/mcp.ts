import { Writable } from "node:stream";
import { serveMcpOverStdio } from "@docent/running/doors/mcp";
import { z } from "zod";
import { type Command, word } from "../command.ts";

export const mcp: Command = {
  words: [1, 1],
  json: { shape: z.looseObject({ jsonrpc: z.literal("2.0") }), isLines: true },
  async run(context) {
    const { terminal, signal } = context;
    const parts = await context.openParts();
    const site = await parts.people.sites.get(word(context, 0));
    if (terminal.isInteractive)
      terminal.err(
        "An agent's program starts this command and talks to it. There is nothing to type here; Ctrl+C ends it.\n",
      );
    const output = new Writable({
      decodeStrings: false,
      write(text, _encoding, done) {
        terminal.data(String(text));
        done();
      },
    });
    await serveMcpOverStdio(context.surroundings, parts, site, { input: terminal.input(), output }, signal);
    return undefined;
  },
};
