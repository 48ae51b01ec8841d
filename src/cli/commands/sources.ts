import { AppError } from "@docent/kernel/errors";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@docent/kernel/lib/clock";
import { audienceWords } from "@docent/kernel/text/groups/groups";
import { aboutSite, aboutSource } from "@docent/people/audit/audit";
import { JSON_SCHEMAS } from "@docent/running/app/json-schemas";
import type { IngestReport, SiteSources } from "@docent/sites/ingest/ingest";
import { listedEntriesJson, runJson, sourceJson } from "@docent/sites/ingest/json";
import {
  DECISIONS,
  EVERY_MS_MAX,
  EVERY_MS_MIN,
  type ListedSource,
  type RunRecord,
} from "@docent/sites/ingest/stores";
import { z } from "zod";
import { type Command, type Context, textOption, textsOption, word } from "../command.ts";
import { counted, printJson, printNote, printRows, showTime } from "../output.ts";
import { OPENING, READING } from "../read-settings.ts";
import { yellow } from "../terminal/text.ts";
import {
  addSource,
  PLACE_OPTION_HELP,
  PLACE_OPTIONS,
  publishedOption,
  readNamed,
  sourceSpecOf,
} from "./place.ts";
import {
  CHECK_OPTION,
  CHECK_OPTION_HELP,
  codeOf,
  describeAddresses,
  REPORT_SHAPE,
  reportJson,
  runSource,
} from "./run-report/run-report.ts";

const FORCE_HELP = "remove pages even if the source lists far fewer than before";

export const sourcesAdd: Command = {
  words: [2, 2],
  settings: READING,
  json: { shape: z.object({ source: JSON_SCHEMAS.source, report: REPORT_SHAPE.nullable() }) },
  options: {
    ...PLACE_OPTIONS,
    ...CHECK_OPTION,
    every: { type: "string" },
    authorization: { type: "string" },
    group: { type: "string", multiple: true },
    everyone: { type: "boolean" },
    later: { type: "boolean" },
  },
  optionHelp: {
    ...PLACE_OPTION_HELP,
    ...CHECK_OPTION_HELP,
    every: "how often to read it again while the server runs, such as 30m, 6h or 1d; 'never' stops that",
    authorization: "the environment variable that holds the source's credentials",
    group: "a group that the source's pages are for, and nobody else; may be repeated",
    everyone: "the source's pages are for everyone again: takes back what --group said",
    later: "add the source without reading it",
  },
  async run(context) {
    const parts = await context.openParts();
    const site = await parts.people.sites.get(word(context, 0));
    const spec = sourceSpecOf(context, site.id, word(context, 1));
    const authorizationVariable = textOption(context, "authorization");
    const named = await addSource(context, site, spec, {
      ...everyOption(context),
      ...(authorizationVariable === undefined ? {} : { options: { authorizationVariable } }),
      groups: groupsOption(context),
      published: publishedOption(context),
    });
    const { source } = named;
    const isLater = context.options["later"] === true;
    const report = isLater
      ? undefined
      : await readNamed(context, site, named, () =>
          runSource(context, { domain: site.domain, source: source.id }, (options) =>
            parts.sources.ofSites.run(site, source, options),
          ),
        );
    if (context.options["json"] === true)
      printJson(context, {
        source: sourceJson(
          await parts.sources.ofSites.get(site.id, source.id),
          parts.sources.ofSites.whyNotRead,
        ),
        report: report ? reportJson(report) : null,
      });
    else if (isLater)
      context.terminal.out(
        `Noted source ${source.id}. Read it: docent sources run ${site.domain} ${source.id}\n`,
      );
    return report ? codeOf(report) : 0;
  },
};

export const sourcesList: Command = {
  words: [1, 1],
  json: { shape: z.array(JSON_SCHEMAS.source) },
  async run(context) {
    const parts = await context.openParts();
    const site = await parts.people.sites.get(word(context, 0));
    const { ofSites } = parts.sources;
    printRows(
      context,
      (await ofSites.list(site.id)).map((source) => sourceJson(source, ofSites.whyNotRead)),
      {
        NUMBER: ({ number }) => String(number),
        KIND: ({ kind }) => kind,
        PLACE: ({ place }) => place,
        MARKED: ({ version, language }) => [version, language].filter(Boolean).join(" ") || "-",
        FOR: ({ groups }) => audienceWords(groups),
        EVERY: ({ everyMs }) => (everyMs === null ? "-" : showDuration(everyMs)),
        "LAST RUN": ({ lastRun }) => (lastRun ? showTime(Date.parse(lastRun.startedAt)) : "-"),
        OUTCOME: ({ lastRun, notRead }) =>
          notRead === null ? (lastRun ? (lastRun.outcome ?? "not ended") : "-") : "not read",
      },
      `This site has no sources. Add one: docent sources add ${site.domain} <place>`,
    );
    if (context.options["json"] !== true) noteUnread(context, ofSites, await ofSites.list(site.id));
    return undefined;
  },
};

/** Says below the table why some of its sources are not read, once for each reason. */
function noteUnread(context: Context, { whyNotRead }: SiteSources, sources: readonly ListedSource[]): void {
  const reasons = new Set(sources.flatMap((source) => whyNotRead(source) ?? []));
  for (const why of reasons) printNote(context, `Not read: ${why}. What was read before stays.`);
}

export const sourcesRun: Command = {
  words: [1, 2],
  settings: READING,
  json: { shape: z.array(REPORT_SHAPE) },
  options: {
    force: { type: "boolean" },
    ...CHECK_OPTION,
    answer: { type: "string", multiple: true },
  },
  optionHelp: {
    force: FORCE_HELP,
    ...CHECK_OPTION_HELP,
    answer: "what a generator's configuration leaves open, such as builder=dirhtml; may be repeated",
  },
  async run(context) {
    const parts = await context.openParts();
    const { domain } = await parts.people.sites.get(word(context, 0));
    const reports: IngestReport[] = [];
    try {
      const sources = await chosen(context);
      const answers = answersOption(context);
      for (const source of sources) if (answers !== undefined) await giveAnswers(context, source, answers);
      for (const source of answers === undefined ? sources : await chosen(context)) {
        // The run before may have made another generation visible.
        const site = await parts.people.sites.get(domain);
        reports.push(
          await runSource(context, { domain, source: source.id }, (options) =>
            parts.sources.ofSites.run(site, source, options),
          ),
        );
      }
    } finally {
      // Also prints the reports of the runs before one that failed.
      if (context.options["json"] === true && reports.length > 0) printJson(context, reports.map(reportJson));
    }
    return Math.max(0, ...reports.map(codeOf));
  },
};

async function giveAnswers(
  context: Context,
  source: ListedSource,
  answers: Record<string, string>,
): Promise<void> {
  const { people, sources } = await context.openParts();
  await sources.ofSites.answer(source, answers);
  const about = { ...aboutSite(await people.sites.get(word(context, 0))), ...aboutSource(source) };
  await context.record({ kind: "source.changed", ...about, details: { changed: ["answers"] } });
}

/** Undefined where nothing is said of groups. */
function groupsOption(context: Context): string[] | undefined {
  const named = textsOption(context, "group");
  const isForEveryone = context.options["everyone"] === true;
  if (isForEveryone && named !== undefined)
    throw new AppError("invalid_request", "A source is for everyone, or for some groups.", {
      hint: "Leave out --everyone or --group.",
    });
  return isForEveryone ? [] : named;
}

/** `--answer name=text`, each for a question that a run left open. */
function answersOption(context: Context): Record<string, string> | undefined {
  const given = textsOption(context, "answer") ?? [];
  if (given.length === 0) return undefined;
  return Object.fromEntries(
    given.map((each) => {
      const [name = "", text] = each.split(/=(.*)/s);
      if (name === "" || text === undefined)
        throw new AppError("invalid_request", `--answer ${each} is no answer: write name=text.`);
      return [name, text];
    }),
  );
}

export const sourcesRemove: Command = {
  words: [2, 2],
  settings: READING,
  json: { shape: REPORT_SHAPE },
  options: { yes: { type: "boolean" } },
  optionHelp: { yes: "really remove it" },
  async run(context) {
    const parts = await context.openParts();
    const site = await parts.people.sites.get(word(context, 0));
    const [source] = await chosen(context);
    if (!source) return 1;
    if (context.options["yes"] !== true) {
      throw new AppError(
        "invalid_request",
        `This takes the pages of ${source.location} out of ${site.domain}.`,
        { hint: `If you mean it: docent sources remove ${site.domain} ${source.id} --yes` },
      );
    }
    const report = await parts.sources.ofSites.remove(site, source, context.signal);
    if (context.options["json"]) return printJson(context, reportJson(report));
    context.terminal.out(
      `Removed ${source.location}: ${counted(report.removed, "page")}. ${site.domain} is at generation ${report.generation}.\n`,
    );
    return 0;
  },
};

export const sourcesSchedule: Command = {
  words: [3, 3],
  settings: OPENING,
  json: { shape: JSON_SCHEMAS.source },
  async run(context) {
    const parts = await context.openParts();
    const site = await parts.people.sites.get(word(context, 0));
    const [source] = await chosen(context);
    if (!source) return 1;
    const everyMs = intervalOf("The schedule", word(context, 2));
    const changed = await parts.sources.ofSites.schedule(source, everyMs);
    await context.record({
      kind: "source.changed",
      ...aboutSite(site),
      ...aboutSource(source),
      details: { changed: ["everyMs"] },
    });
    if (context.options["json"] === true)
      return printJson(context, sourceJson(changed, parts.sources.ofSites.whyNotRead));
    context.terminal.out(
      everyMs === null
        ? `${source.location} is read on demand alone. Readers see what was read before.\n`
        : `A running server reads ${source.location} every ${showDuration(everyMs)}.\n`,
    );
    return undefined;
  },
};

export const sourcesSet: Command = {
  words: [2, 2],
  settings: OPENING,
  json: { shape: JSON_SCHEMAS.source },
  options: { published: { type: "string" } },
  optionHelp: { published: "the address at which its pages are published, or 'none'" },
  async run(context) {
    const parts = await context.openParts();
    const site = await parts.people.sites.get(word(context, 0));
    const [source] = await chosen(context);
    const published = publishedOption(context);
    if (!source) return 1;
    if (published === undefined)
      throw new AppError(
        "invalid_request",
        `Nothing was named that could be changed of ${source.location}.`,
        {
          hint: "Name the address at which its pages are published: --published https://docs.example.com/",
        },
      );
    const changed = await parts.sources.ofSites.publish(source, published);
    const about = { ...aboutSite(site), ...aboutSource(source) };
    await context.record({ kind: "source.changed", ...about, details: { changed: ["published"] } });
    if (context.options["json"] === true)
      return printJson(context, sourceJson(changed, parts.sources.ofSites.whyNotRead));
    context.terminal.out(
      `${publishedWords(changed)} Read it: docent sources run ${site.domain} ${source.id}\n`,
    );
    return undefined;
  },
};

const publishedWords = ({ location, options: { published } }: ListedSource): string =>
  published === undefined
    ? `The pages of ${location} have the addresses that their source tells.`
    : `The pages of ${location} have the addresses of ${published}.`;

export const sourcesLedger: Command = {
  words: [2, 2],
  json: {
    shape: z.object({ lastRun: JSON_SCHEMAS.run.nullable(), entries: z.array(JSON_SCHEMAS.ledgerEntry) }),
  },
  options: { decision: { type: "string", multiple: true } },
  optionHelp: {
    decision: "only these: added, changed, unchanged, removed, kept or skipped; may be repeated",
  },
  async run(context) {
    const parts = await context.openParts();
    const wanted = decisionsOption(context, DECISIONS);
    const [source] = await chosen(context);
    if (!source) return 1;
    const noted = (await parts.sources.ledger.entries(source.id)).filter(
      ({ decision }) => wanted === undefined || wanted.includes(decision),
    );
    const entries = await listedEntriesJson(parts.content.inventory, source, noted);
    if (context.options["json"]) return printJson(context, { lastRun: runJson(source.lastRun), entries });
    if (source.lastRun) context.terminal.err(yellow(caveat(source.lastRun)));
    const { addresses } = source.lastRun ?? {};
    if (addresses !== undefined) context.terminal.err(describeAddresses(addresses, word(context, 0)));
    printRows(
      context,
      entries,
      {
        DECISION: ({ decision }) => decision,
        WHY: ({ reason }) => reason ?? "-",
        PASSAGES: ({ passages }) => (passages === null ? "-" : String(passages)),
        FOUND: ({ found }) => found,
        PLACE: ({ location, detail }) => (detail === null ? location : `${location} ${detail}`),
      },
      "Nothing is noted of this source yet.",
    );
    return undefined;
  },
};

/**
 * Says how far an outcome can be trusted: a run notes its decisions as it goes, and readers see them only
 * once it has ended well.
 */
function caveat({ outcome, message }: RunRecord): string {
  if (outcome === "failed")
    return `The last run failed, and readers see nothing of what it decided: ${message ?? "it is not noted why"}\n`;
  if (outcome === undefined)
    return "The last run has not ended, or was interrupted: readers see nothing yet of what it decided.\n";
  return "";
}

function decisionsOption(context: Context, decisions: readonly string[]): string[] | undefined {
  const given = textsOption(context, "decision");
  const unknown = given?.find((name) => !decisions.includes(name));
  if (unknown === undefined) return given;
  throw new AppError("invalid_request", `A run decides nothing that is called ${unknown}.`, {
    hint: `The decisions are ${decisions.join(", ")}.`,
  });
}

/** The source whose number was given, or all of the site's. */
async function chosen(context: Context): Promise<ListedSource[]> {
  const parts = await context.openParts();
  const site = await parts.people.sites.get(word(context, 0));
  const given = context.words[1];
  if (given === undefined) {
    const all = await parts.sources.ofSites.list(site.id);
    // What was only looked at is read by whoever names it.
    return all.filter(({ awaitsConsent }) => !awaitsConsent);
  }
  if (!/^\d{1,15}$/.test(given)) {
    throw new AppError("invalid_request", `${given} is not the number of a source.`, {
      hint: `docent sources list ${site.domain}`,
    });
  }
  return [await parts.sources.ofSites.get(site.id, Number(given))];
}

function everyOption(context: Context): { everyMs?: number | null } {
  const given = textOption(context, "every");
  if (given === undefined) return {};
  return { everyMs: intervalOf("--every", given) };
}

const intervalOf = (name: string, text: string): number | null =>
  text === "never" ? null : readDuration(name, text);

const UNITS_MS: Record<string, number> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

/** A time as people write it, such as 30m, 6h or 1d. */
export function readDuration(name: string, text: string): number {
  const [, count = "", unit = ""] = /^(\d{1,6})([mhd])$/.exec(text.trim()) ?? [];
  const ms = Number(count) * (UNITS_MS[unit] ?? 0);
  if (ms >= EVERY_MS_MIN && ms <= EVERY_MS_MAX) return ms;
  throw new AppError("invalid_request", `${name} is a time such as 30m, 6h or 1d, not ${text}.`);
}

/** Writes a number of seconds in the largest unit that divides it. */
export function showDuration(ms: number): string {
  const fitting = Object.entries(UNITS_MS).findLast(([, unitMs]) => ms % unitMs === 0);
  return fitting ? `${ms / fitting[1]}${fitting[0]}` : `${Math.round(ms / 1000)}s`;
}
