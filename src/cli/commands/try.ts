import { statSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { aboutSite } from "@docent/people/audit/audit";
import type { App } from "@docent/running/app";
import { signInLink } from "@docent/running/app/addresses";
import type { Surroundings } from "@docent/running/app/surroundings";
import type { RunOptions } from "@docent/sites/ingest/ingest";
import type { Site } from "@docent/sites/site/sites";
import type { Command, Context } from "../command.ts";
import { settingFlags } from "../command-line.ts";
import { printNote } from "../output.ts";
import { createOwnRuns } from "../run-self.ts";
import { bold, dim, type Text } from "../terminal/text.ts";
import { askingOf, converse, EVENT_SHAPE, showAnswer } from "./ask/ask.ts";
import { addSource, PLACE_OPTION_HELP, PLACE_OPTIONS, sourceSpecOf } from "./place.ts";
import { codeOf, runSource } from "./run-report/run-report.ts";

export const tryOut: Command = {
  words: [1, Number.POSITIVE_INFINITY],
  json: { shape: EVENT_SHAPE, isLines: true },
  options: { ...PLACE_OPTIONS, keep: { type: "boolean" } },
  optionHelp: {
    ...PLACE_OPTION_HELP,
    keep: "keep the site in the data directory, where docent serve finds it; else all is gone at the end",
  },
  async run(context) {
    const isKept = context.options["keep"] === true;
    using folder = context.temporaryFolder();
    const { startApp } = await import("@docent/running/app");
    const app = await startApp(surroundingsOf(context, isKept ? undefined : join(folder.path, "data")));
    try {
      return await readAndAsk(context, app, isKept);
    } finally {
      await app.close();
    }
  },
};

/** Those of a server on a free port of this machine, with the data in a folder of its own unless they are kept. */
function surroundingsOf({ surroundings, options, self }: Context, folder: string | undefined): Surroundings {
  const settings = {
    host: "127.0.0.1",
    port: "0",
    ...(folder === undefined ? {} : { data: folder, database_url: "" }),
  };
  const config = { ...surroundings.config, ...settings, port: 0 };
  const flags = { ...settingFlags(options), ...settings };
  return { ...surroundings, config, ...createOwnRuns(self, flags, surroundings.environment) };
}

async function readAndAsk(context: Context, app: App, isKept: boolean): Promise<number | undefined> {
  const [place = "", ...words] = context.words;
  const { parts } = app;
  const own: Context = {
    ...context,
    openParts: async () => parts,
    record: (event) => parts.people.audit.record({ kind: "command-line" }, event),
  };
  const site = await siteFor(own, app, place);
  const { source } = await addSource(own, site, sourceSpecOf(own, site.id, place));
  const run = (options: RunOptions) => parts.sources.ofSites.run(site, source, options);
  const report = await runSource(own, { domain: site.domain, source: source.id }, run, { isKept });
  const code = codeOf(report);
  if (code !== 0) return code;
  await sayWhere(own, app, site, isKept);
  const asking = askingOf(own, parts, await parts.people.sites.get(site.domain), app.publicUrl);
  const asked = words.join(" ").trim();
  if (asked !== "") await showAnswer(own, asking(asked, undefined));
  return asked === "" || context.terminal.isInteractive ? converse(own, asking) : undefined;
}

/** The site that a place is read into: the one of its name where it was kept before. */
async function siteFor(context: Context, { parts: { people } }: App, place: string): Promise<Site> {
  const domain = domainFor(place);
  const known = (await people.sites.list()).find((site) => site.domain === domain);
  if (known !== undefined) return known;
  const site = await people.sites.add({ domain, name: domain, settings: { public: true } });
  await context.record({ kind: "site.added", ...aboutSite(site) });
  return site;
}

const DOMAIN_CHARACTERS_MAX = 63;

/** Names of folders and files that say nothing of whose docs they are. */
const NAMELESS = new Set([
  "docs",
  "doc",
  "documentation",
  "content",
  "markdown",
  "pages",
  "src",
  "website",
  "dist",
  "readme",
  "index",
]);

/** A name for a site from where its docs are: the host of an address, or the name of the file or nearest folder that has one. */
function domainFor(place: string): string {
  const path = resolve(place);
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  const folders = (isFile ? path.replace(/\.\w+$/, "") : path).split(sep).filter(Boolean);
  const name =
    URL.parse(place)?.hostname || folders.findLast((folder) => !NAMELESS.has(folder.toLowerCase()));
  const plain = (name ?? "")
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "");
  return plain.slice(0, DOMAIN_CHARACTERS_MAX) || "docs";
}

/** Says where the docs can be read in a browser, who answers, and how to end. */
async function sayWhere(context: Context, app: App, site: Site, isKept: boolean): Promise<void> {
  const address = `${app.publicUrl}/sites/${site.domain}`;
  if (context.options["json"] === true) return printNote(context, address);
  const lines: Text[] = [["Read and ask in the browser:  ", bold(address)], await sayWhoAnswers(app)];
  if (isKept) {
    const first = await app.parts.people.members.firstLink();
    const data = resolve(context.surroundings.config.data);
    lines.push(`Kept in ${data}: docent serve --data ${data}`);
    if (first !== undefined) lines.push(`Dashboard:  ${signInLink(app.publicUrl, first.text)}`);
  }
  if (context.terminal.isInteractive)
    lines.push(dim(`Ask below. Ctrl+D ends${isKept ? "" : ", and nothing is kept: --keep keeps the site"}.`));
  context.terminal.err(["\n", ...lines.flatMap((line) => [line, "\n"])]);
}

async function sayWhoAnswers({ parts }: App): Promise<string> {
  const { model, servers } = await parts.answers.ollama.describe();
  if (model !== undefined) return `Answers are written by ${model}.`;
  const [server] = servers;
  const why = server === undefined || server.model !== undefined ? "" : ` ${server.reason}`;
  return `Answers are quoted from the docs, word for word.${why}`;
}
