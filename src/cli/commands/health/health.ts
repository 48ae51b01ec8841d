import { AppError } from "@docent/kernel/errors";
import { addressOf } from "@docent/running/app/addresses";
import type { Command } from "../../command.ts";
import { printJson } from "../../output.ts";

const TIMEOUT_MS = 5000;

export const health: Command = {
  words: [0, 0],
  // A container asks every few seconds: what only documentation needs is not loaded.
  json: async () => (await import("./health-json.ts")).healthJson,
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
    const said: unknown = await reply.json().catch(() => undefined);
    const unstored = hasUnstored(said) ? { unstored: true } : {};
    if (context.options["json"] === true) return printJson(context, { ready: true, url, ...unstored });
    context.terminal.out(
      hasUnstored(said) ? "ready; answers are not stored, and the server's log says why\n" : "ready\n",
    );
    return undefined;
  },
};

async function notReady(url: string, reply: Response): Promise<AppError> {
  const said: unknown = await reply.json().catch(() => undefined);
  return hasStatus(said) && said.status === "disconnected"
    ? new AppError("unavailable", `The server at ${url} cannot reach PostgreSQL.`, {
        hint: "Docent goes on when it can: check that PostgreSQL runs, and database_url.",
      })
    : new AppError("unavailable", `The server at ${url} is not ready.`);
}

const hasUnstored = (said: unknown): boolean =>
  typeof said === "object" && said !== null && "unstored" in said && said.unstored === true;

const hasStatus = (said: unknown): said is { status: unknown } =>
  typeof said === "object" && said !== null && "status" in said;
