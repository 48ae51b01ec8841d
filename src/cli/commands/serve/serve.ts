import { VERSION } from "@docent/kernel/version";
import type { App } from "@docent/running/app";
import { signInLink } from "@docent/running/app/addresses";
import type { Parts } from "@docent/running/app/parts";
import type { Surroundings } from "@docent/running/app/surroundings";
import { z } from "zod";
import type { Command, Context } from "../../command.ts";
import { printJson, printNote } from "../../output.ts";
import { bold, dim, type Text } from "../../terminal/text.ts";

const DEMO_DOMAIN = "docent";

/** Printed once, when the server takes questions. */
const STARTED_SHAPE = z.lazy(() =>
  z.object({
    url: z.string(),
    publicUrl: z.string(),
    metricsUrl: z.string().nullable(),
    /** Makes the first owner of the dashboard; null once there is one. */
    signInLink: z.string().nullable(),
    data: z.string(),
    /** What keeps everything, with its version. */
    database: z.string(),
    /** How many servers share it; null where it is this server's own. */
    servers: z.int().nullable(),
    model: z.string().nullable(),
    vectors: z.string(),
    sites: z.array(z.string()),
    demoKey: z.string().nullable(),
    /** What the kernel does in a sealed server; null where it is not sealed. */
    sealed: z.object({ isHeld: z.boolean(), says: z.string() }).nullable(),
  }),
);

export const serve: Command = {
  words: [0, 0],
  json: { shape: STARTED_SHAPE },
  options: { demo: { type: "boolean" } },
  optionHelp: { demo: `also serve Docent's own documentation, as the site ${DEMO_DOMAIN}` },
  async run(context) {
    const app = await context.startApp();
    try {
      const demoKey = context.options["demo"] === true ? await addDemo(context, app) : undefined;
      const started = await describe(app, context.surroundings, demoKey);
      if (context.options["json"] === true) printJson(context, started);
      else context.terminal.err(banner(started, await app.parts.answers.ollama.describe()));
      const lost = await Promise.race([untilAborted(context.signal), app.lost]);
      if (lost !== undefined) throw lost;
      printNote(
        context,
        "Stopping: answers that are being written may finish. Press Ctrl+C again to stop at once.",
      );
    } finally {
      await app.close();
    }
    return undefined;
  },
};

/** Loads Docent's own documentation only here, where it is needed. */
async function addDemo({ signal }: Context, { parts }: App): Promise<string> {
  const { prepareDemo } = await import("./demo.ts");
  return prepareDemo(parts, DEMO_DOMAIN, signal);
}

type OllamaState = Awaited<ReturnType<Parts["answers"]["ollama"]["describe"]>>;
type Started = z.infer<typeof STARTED_SHAPE>;

async function describe(
  { url, publicUrl, metricsUrl, parts }: App,
  { config, kernelSeal }: Surroundings,
  demoKey: string | undefined,
): Promise<Started> {
  const firstLink = await parts.people.members.firstLink();
  const { engine: database, servers = null } = await parts.storage.describe();
  return {
    url,
    publicUrl,
    metricsUrl: metricsUrl === undefined ? null : `${metricsUrl}/metrics`,
    signInLink: firstLink === undefined ? null : signInLink(publicUrl, firstLink.text),
    data: config.data,
    database,
    servers,
    model: (await parts.answers.ollama.describe()).model ?? null,
    vectors: config.embedding_model,
    sites: (await parts.people.sites.list()).map(({ domain }) => domain),
    demoKey: demoKey ?? null,
    sealed: kernelSeal ?? null,
  };
}

function banner(started: Started, ollama: OllamaState): Text {
  const { url, publicUrl, metricsUrl, signInLink, data, database, servers, vectors, sites, demoKey, sealed } =
    started;
  const lines: Text[] = [
    "",
    ["  ", bold("Docent"), ` ${VERSION}`],
    "",
    `  Listening on  ${url}`,
    `  Dashboard     ${signInLink ?? publicUrl}`,
    ...(signInLink === null
      ? []
      : [dim("                Open it once to choose your name and password: it makes you the owner.")]),
    ...(metricsUrl === null ? [] : [`  Metrics       ${metricsUrl}`]),
    ...(servers === null ? [] : [`  Database      ${database}; servers on it: ${servers}`]),
    `  Data in       ${data}`,
    ...answers(ollama).map((line, index) => [
      `  ${index === 0 ? "Answers     " : "            "}  `,
      index === 0 ? line : dim(line),
    ]),
    `  Vectors       ${vectors}`,
    ...(sealed === null ? [] : [`  Sealed        Ollama and the database alone are dialled; ${sealed.says}`]),
    `  Sites         ${sites.join(", ") || "none yet: add one in the dashboard, or with docent sites add <domain>"}`,
    "",
  ];
  if (demoKey !== null)
    lines.push(
      `  Read Docent's documentation, and ask it:  ${publicUrl}/sites/${DEMO_DOMAIN}`,
      "",
      "  Or ask here:",
      "",
      ask(url, DEMO_DOMAIN, demoKey),
      "",
    );
  return lines.flatMap((line) => [line, "\n"]);
}

function answers(ollama: OllamaState): string[] {
  const by =
    ollama.model === undefined ? "quoted from the docs, word for word" : `written by ${ollama.model}`;
  return [by, ...ollama.servers.flatMap((server) => sayings(server, ollama.model))];
}

/** What is known of one server, with its model where that is not the one named above. */
function sayings(server: OllamaState["servers"][number], named: string | undefined): string[] {
  if (server.model === undefined) return [server.reason, `→ ${server.hint}`];
  return [server.model === named ? server.says : `${server.model}: ${server.says}`];
}

/**
 * A line to paste that is the same in every shell: single quotes, with nothing inside that a shell would
 * interpret.
 */
function ask(url: string, domain: string, key: string): string {
  const question = "How do I add a site and read my docs into it?";
  const body = {
    fp: "anonymous",
    messages: [{ id: "1", role: "user", parts: [{ type: "text", text: question }] }],
  };
  return `curl -N ${url}/v2/assistant/${domain}/message -H 'authorization: Bearer ${key}' -H 'content-type: application/json' -d '${JSON.stringify(body)}'`;
}

function untilAborted(signal: AbortSignal): Promise<undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  if (signal.aborted) resolve(undefined);
  signal.addEventListener("abort", () => resolve(undefined), { once: true });
  return promise;
}
