import { z } from "zod";
import { addressOf } from "../../app/addresses.ts";
import { AppError } from "../../errors.ts";
import type { Command } from "../command.ts";
import { printJson } from "../output.ts";

const TIMEOUT_MS = 5000;
const statusShape = z.object({ status: z.string() });

export const health: Command = {
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
    if (!reply.ok) throw await notReady(url, reply);
    if (context.options["json"] === true) return printJson(context, { ready: true, url });
    context.terminal.out("ready\n");
    return undefined;
  },
};

async function notReady(url: string, reply: Response): Promise<AppError> {
  const said = statusShape.safeParse(await reply.json().catch(() => undefined));
  const isDisconnected = said.data?.status === "disconnected";
  return isDisconnected
    ? new AppError("unavailable", `The server at ${url} cannot reach PostgreSQL.`, {
        hint: "Docent goes on when it can: check that PostgreSQL runs, and database_url.",
      })
    : new AppError("unavailable", `The server at ${url} is not ready.`);
}
