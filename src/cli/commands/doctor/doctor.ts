import { access, constants, statfs } from "node:fs/promises";
import type { Config } from "@docent/kernel/config/settings";
import { toAppError } from "@docent/kernel/errors";
import type { KernelSeal } from "@docent/kernel/lib/seal/landlock";
import { VERSION } from "@docent/kernel/version";
import { installedHere } from "@docent/running/app/bundle";
import type { Parts } from "@docent/running/app/parts";
import type { ListedSource } from "@docent/sites/ingest/stores";
import type { Site } from "@docent/sites/site/sites";
import { z } from "zod";
import { type Command, type Context, word } from "../../command.ts";
import { counted, printJson, showTime } from "../../output.ts";
import { red, type Text, yellow } from "../../terminal/text.ts";
import { backupFindings } from "./backups.ts";
import { EGRESS_SHAPE, showEgress } from "./egress.ts";
import { keywordIndexes } from "./keyword-index.ts";
import { FINDING_SHAPE, type Finding, modelFindings } from "./model.ts";

export { indexRepair } from "./keyword-index.ts";

const FREE_BYTES_MIN = 500_000_000;

export const doctor: Command = {
  begins: true,
  words: [0, 0],
  json: { shape: z.union([z.array(FINDING_SHAPE), EGRESS_SHAPE]) },
  options: { cold: { type: "boolean" }, egress: { type: "boolean" }, "self-test": { type: "boolean" } },
  optionHelp: {
    cold: "unload the model first, to measure what loading it takes",
    egress: "list what may be dialled, and by which setting; try whether a sealed process is held back",
    "self-test": "try this program on this machine instead, with pages and a data directory of its own",
  },
  async run(context) {
    if (context.options["egress"] === true) return showEgress(context);
    if (context.options["self-test"] === true) return tryItself(context);
    const findings = await examine(context);
    if (context.options["json"]) printJson(context, findings);
    else context.terminal.out(findings.map(show));
    return exitCode(findings);
  },
};

const exitCode = (findings: readonly Finding[]) => (findings.some(({ state }) => state === "fail") ? 1 : 0);

/** Needs no network, nor anything of this machine's own Docent. */
async function tryItself(context: Context): Promise<number> {
  const { selfTest } = await import("./self-test.ts");
  const { terminal } = context;
  const isJson = context.options["json"] === true;
  const findings = await selfTest(context, (finding) => {
    if (!isJson) terminal.out(show(finding));
  });
  const code = exitCode(findings);
  if (isJson) printJson(context, findings);
  else
    terminal.out(
      code === 0 ? "\nOK: this program works on this machine.\n" : "\nNot OK: see the line above.\n",
    );
  return code;
}

async function examine(context: Context): Promise<Finding[]> {
  const { config, kernelSeal } = context.surroundings;
  const version: Finding = { what: "Docent", state: "ok", says: VERSION };
  try {
    const parts = await context.openParts();
    return [
      version,
      ...sealed(kernelSeal),
      await disk(parts, config),
      ...(await database(parts)),
      ...backupFindings(parts, config),
      await vectors(parts, config, context.signal),
      ...(await vectorExtension(parts)),
      ...(await ollama(parts, context.signal)),
      ...(await models(parts, context)),
      ...(await sites(parts)),
      ...(await sourceFindings(parts)),
      ...(await keywordIndexes(parts, context.signal)),
      ...(await ownerless(parts)),
      ...(await bundle(context)),
    ];
  } catch (error) {
    context.signal.throwIfAborted();
    const { message, hint } = toAppError(error);
    const what = config.database_url === "" ? "data directory" : "database";
    return [version, { what, state: "fail", says: message, hint }];
  }
}

function sealed(kernel: KernelSeal | undefined): Finding[] {
  const what = "sealed";
  if (kernel === undefined) return [];
  if (kernel.isHeld) return [{ what, state: "ok", says: kernel.says }];
  const hint =
    "Have systemd hold it back as well, with IPAddressDeny=any: docs/sealed.md has the lines of the unit.";
  return [{ what, state: "warn", says: `${kernel.says}; Docent's own guard holds alone`, hint }];
}

async function disk({ storage }: Parts, config: Config): Promise<Finding> {
  const what = "data directory";
  const { bavail, bsize } = await statfs(config.data);
  const free = bavail * bsize;
  const says = `${config.data}, ${Math.round(free / 1_000_000)} MB free`;
  // Of a database elsewhere, it says nothing.
  const isOwn = (await storage.describe()).servers === undefined;
  if (storage.isReadOnly && isOwn)
    return {
      what,
      state: "warn",
      says: `${config.data} cannot be written: what it holds can be listed, searched and exported`,
      hint: "Check its owner, its mode, and how it is mounted.",
    };
  await access(config.data, constants.W_OK);
  if (free >= FREE_BYTES_MIN) return { what, state: "ok", says };
  return {
    what,
    state: "warn",
    says,
    hint: "Free some space: a full disk means that questions cannot be stored.",
  };
}

async function database({ storage }: Parts): Promise<Finding[]> {
  const what = "database";
  const fault = await storage.fault();
  const { engine, servers, warnings } = await storage.describe();
  const warned = warnings.map((warning): Finding => ({ what, state: "warn", ...warning }));
  if (servers !== undefined)
    return [{ what, state: "ok", says: `${engine}; servers on it: ${servers}` }, ...warned];
  if (fault === undefined) return [{ what, state: "ok", says: `${engine}, sound` }, ...warned];
  return [
    {
      what,
      state: "fail",
      says: fault,
      hint: "Restore a backup: docent restore <file> (automatic ones are in the data directory, backups/).",
    },
  ];
}

async function vectors(
  { content }: Parts,
  { embedding_model }: Config,
  signal: AbortSignal,
): Promise<Finding> {
  const what = "vectors";
  try {
    const { dimensions } = await content.embedder.describe(signal);
    return { what, state: "ok", says: `${embedding_model}, ${dimensions} dimensions` };
  } catch (error) {
    signal.throwIfAborted();
    const { message, hint } = toAppError(error);
    return { what, state: "warn", says: `${message} Questions are searched for by keywords alone.`, hint };
  }
}

/** Without the extension search finds the same passages, more slowly. */
async function vectorExtension({ storage }: Parts): Promise<Finding[]> {
  const what = "sqlite-vec";
  const { vectors } = await storage.describe();
  if (vectors === undefined) return [];
  if (vectors.available) return [{ what, state: "ok", says: vectors.version }];
  return [
    {
      what,
      state: "warn",
      says: `${vectors.reason}; Docent measures vectors without it, a little more slowly`,
      hint: "If the data directory is mounted noexec, name another one with --data.",
    },
  ];
}

async function ollama({ answers }: Parts, signal: AbortSignal): Promise<Finding[]> {
  const { servers } = await answers.ollama.describe(signal);
  const areSeveral = servers.length > 1;
  return servers.map((server) => {
    const what = areSeveral ? `Ollama at ${server.url}` : "Ollama";
    if (server.model !== undefined) return { what, state: "ok", says: `${server.model}, ${server.says}` };
    const instead = areSeveral ? "" : " Answers are quoted from the docs.";
    return { what, state: "warn", says: `${server.reason}${instead}`, hint: server.hint };
  });
}

/** Asks each model a question, which takes seconds each. */
async function models({ answers }: Parts, { options, signal }: Context): Promise<Finding[]> {
  const examinations = await answers.ollama.examine(signal, { cold: options["cold"] === true });
  const areSeveral = examinations.length > 1;
  return examinations.flatMap((examination) =>
    modelFindings(examination).map((finding) =>
      areSeveral ? { ...finding, what: `${finding.what} at ${examination.url}` } : finding,
    ),
  );
}

async function sites(parts: Parts): Promise<Finding[]> {
  const all = await parts.people.sites.list();
  if (all.length === 0)
    return [{ what: "sites", state: "warn", says: "none", hint: "docent sites add <domain>" }];
  return Promise.all(
    all.map(async ({ id, domain }): Promise<Finding> => {
      const { pages, passages } = await parts.content.pages.countPages(id);
      const says = `${counted(pages, "page")}, ${counted(passages, "passage")}`;
      if (pages > 0) return { what: `site ${domain}`, state: "ok", says };
      return { what: `site ${domain}`, state: "warn", says, hint: `docent ingest ${domain} <folder>` };
    }),
  );
}

async function ownerless({ sources }: Parts): Promise<Finding[]> {
  return (await sources.permissions.ownerless()).map(({ setting, entry }) => ({
    what: setting,
    state: "warn",
    says: `${entry} belongs to no organization, and counts for nobody`,
    hint: "Write the organization's name or id before it, such as acme=/srv/acme: docent orgs list",
  }));
}

/** By which bundle this machine was brought up to date. */
async function bundle({ surroundings }: Context): Promise<Finding[]> {
  const last = await installedHere(surroundings);
  if (last === undefined) return [];
  const { madeAt, docent } = last.manifest;
  const from = last.signedBy === undefined ? "with no key asked for" : `signed with the key ${last.signedBy}`;
  const says = `installed ${showTime(last.installedAt)} UTC, ${from}, made ${showTime(Date.parse(madeAt))} UTC by Docent ${docent}`;
  return [{ what: "bundle", state: "ok", says }];
}

function show({ what, state, says, hint }: Finding): Text {
  const mark = { ok: "ok  ", warn: yellow("warn"), fail: red("FAIL") }[state];
  return [mark, `  ${what}: ${says}\n`, hint === undefined ? "" : `      → ${hint}\n`];
}

/** The sources whose last run did not end well. The others are not worth a line each. */
async function sourceFindings({ people, sources }: Parts): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const site of await people.sites.list())
    for (const source of await sources.ofSites.list(site.id)) {
      // What is off, as while sealed, is not expected to be read.
      if (sources.ofSites.whyNotRead(source) === undefined) found.push(...findingsOf(site, source));
    }
  return found;
}

function findingsOf({ domain }: Site, { id, location, lastRun }: ListedSource): Finding[] {
  const { outcome, message, finishedAt } = lastRun ?? {};
  if (outcome !== "failed" && outcome !== "incomplete") return [];
  const what = outcome === "failed" ? "could not be read" : "could be read only in part";
  const said = message === undefined ? "" : `: ${message}`;
  return [
    {
      what: `source ${id} of ${domain}`,
      state: "warn",
      says: `${location} ${what} (${showTime(finishedAt)} UTC)${said}`,
      hint: `Readers see what was read before. docent sources ledger ${domain} ${id} says more; docent sources schedule ${domain} ${id} never takes it off its schedule.`,
    },
  ];
}

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
