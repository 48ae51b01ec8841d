import { z } from "zod";
import { addressOf } from "../../app/addresses.ts";
import { AppError } from "../../errors.ts";
import type { Command } from "../command.ts";
import { printJson } from "../output.ts";

const TIMEOUT_MS = 5000;

export const health: Command = {
  name: "health",
  usage: "",
  summary: "Ask the server whether it is ready. The exit code says so, for containers.",
  words: [0, 0],
  json: { shape: z.object({ ready: z.boolean(), url: z.string() }) },
  async run(context) {
    const url = `${addressOf(context.loaded.config)}/health/ready`;
    // Bun would otherwise use a proxy from the environment even for the loopback address.
    const reply = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), proxy: false }).catch(
      (cause) => {
        throw new AppError("unavailable", `No server answers at ${url}.`, {
          hint: "Start one with docent serve, or name its --host and --port.",
          cause,
        });
      },
    );
    if (!reply.ok) throw new AppError("unavailable", `The server at ${url} is not ready.`);
    if (context.options["json"] === true) return printJson(context, { ready: true, url });
    context.terminal.out("ready\n");
    return undefined;
  },
};
