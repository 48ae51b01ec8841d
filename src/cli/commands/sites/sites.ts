import { AppError } from "@docent/kernel/errors";
import { aboutSite } from "@docent/people/audit/audit";
import { JSON_SCHEMAS } from "@docent/running/app/json-schemas";
import { changedFields, type Site, type SiteInput, siteJson } from "@docent/sites/site/sites";
import { z } from "zod";
import { type Command, type Context, textOption, textsOption, word } from "../../command.ts";
import { isStandard, readTextFile } from "../../files.ts";
import { printJson, printRows } from "../../output.ts";
import { OPENING, SENDING } from "../../read-settings.ts";
import { READER_OPTION_HELP, READER_OPTIONS, readerSettings } from "./reader-options.ts";
import { whoReadsNow } from "./secrets.ts";
import { TUNING_OPTION_HELP, TUNING_OPTIONS, tuningSettings } from "./tuning-options.ts";

export { sitesFidelity } from "./fidelity.ts";
export { secretsCreate, secretsEnd, secretsList } from "./secrets.ts";

const SITE_OPTIONS = {
  name: { type: "string" },
  url: { type: "string" },
  origin: { type: "string", multiple: true },
  "site-language": { type: "string" },
  phrase: { type: "string", multiple: true },
  instructions: { type: "string" },
  "instructions-file": { type: "string" },
  "starter-question": { type: "string", multiple: true },
  contact: { type: "string" },
  "hand-over": { type: "string" },
  suggestions: { type: "string" },
  public: { type: "string" },
  "host-name": { type: "string", multiple: true },
  "moved-from-hosted": { type: "string" },
  "retention-days": { type: "string" },
  "default-version": { type: "string" },
  "default-language": { type: "string" },
  anchors: { type: "string" },
  ...READER_OPTIONS,
  ...TUNING_OPTIONS,
} as const;

const SITE_OPTION_HELP = {
  name: "the site's name, as people see it",
  url: "where its pages are published; 'none': nowhere, links lead to the reader site",
  origin: "an origin whose pages may ask; may be repeated; 'any': all",
  "site-language": "the language of Docent's own sentences, such as de or pt-BR",
  phrase: "one of Docent's sentences: name=text; may be repeated",
  instructions: "instructions for the model: tone, product names, what to refuse",
  "instructions-file": "the same from a file, or standard input (-)",
  "starter-question": "a question to begin with; may be repeated; 'none' removes all",
  contact: "an address or page if the docs do not answer",
  "hand-over": "webhook or e-mail address if readers ask for a person",
  suggestions: "on or off: links to pages worth reading next, below answers",
  public: "on or off: whether anyone may read its pages",
  "host-name": "a host name with its public texts at the root; may be repeated, or 'none'",
  "moved-from-hosted": "on or off: whether thread ids of a hosted assistant begin anew",
  "retention-days": "days until questions, answers and searches are deleted. 0: never",
  "default-version": "which version a link means that names none",
  "default-language": "which language a link means that names none",
  anchors: "who makes headings' anchors: github, docusaurus, mintlify, vitepress, mkdocs, sphinx",
  ...READER_OPTION_HELP,
  ...TUNING_OPTION_HELP,
};

export const sitesAdd: Command = {
  begins: true,
  words: [1, 1],
  settings: SENDING,
  json: { shape: JSON_SCHEMAS.site },
  options: { ...SITE_OPTIONS, organization: { type: "string" } },
  optionHelp: { ...SITE_OPTION_HELP, organization: "the organization that owns it; else the first" },
  async run(context) {
    const { people } = await context.openParts();
    const site = await people.sites.add({
      domain: word(context, 0),
      ...(await siteInput(context)),
      organization: textOption(context, "organization"),
    });
    await context.record({ kind: "site.added", ...aboutSite(site) });
    if (context.options["json"]) return printJson(context, siteJson(site));
    context.terminal.out(
      `Added ${site.domain}.\nNext: docent ingest ${site.domain} <folder>\n      docent keys create --site ${site.domain}\n`,
    );
  },
};

export const sitesList: Command = {
  words: [0, 0],
  json: { shape: z.array(JSON_SCHEMAS.listedSite) },
  async run(context) {
    const parts = await context.openParts();
    const rows = [];
    for (const site of await parts.people.sites.list()) {
      rows.push({ ...siteJson(site), ...(await parts.content.pages.countPages(site.id)) });
    }
    printRows(
      context,
      rows,
      {
        DOMAIN: (site) => site.domain,
        NAME: (site) => site.name,
        URL: (site) => site.url ?? "-",
        PAGES: (site) => String(site.pages),
        PASSAGES: (site) => String(site.passages),
        GENERATION: (site) => String(site.generation),
      },
      "There are no sites. Add one: docent sites add <domain>",
    );
  },
};

export const sitesSet: Command = {
  words: [1, 1],
  settings: SENDING,
  json: { shape: JSON_SCHEMAS.site },
  options: { ...SITE_OPTIONS, "jwks-url": { type: "string" } },
  optionHelp: { ...SITE_OPTION_HELP, "jwks-url": "where the keys of readers' tokens are, or 'none'" },
  async run(context) {
    const { people } = await context.openParts();
    const before = await people.sites.get(word(context, 0));
    checkNamed(context, before);
    const site = await people.sites.set(word(context, 0), await siteInput(context, before));
    const changed = changedFields(before, site);
    if (changed.length > 0)
      await context.record({ kind: "site.changed", ...aboutSite(site), details: { changed } });
    if (context.options["json"]) return printJson(context, siteJson(site));
    context.terminal.out(
      changed.length > 0
        ? `Changed ${site.domain}.\n`
        : `Nothing has changed: ${site.domain} is so already.\n`,
    );
    if (changed.some((name) => ["readers", "public", "jwksUrl"].includes(name)))
      context.terminal.out(`Who can read it now: ${await whoReadsNow(people, site)}\n`);
    if (site.generation > 0 && site.settings.anchors !== before.settings.anchors)
      context.terminal.out(
        `Its pages have these anchors when they are read again: docent sources run ${site.domain}\n`,
      );
  },
};

export const sitesRemove: Command = {
  words: [1, 1],
  settings: OPENING,
  json: { shape: z.object({ removed: z.string() }) },
  options: { yes: { type: "boolean" } },
  optionHelp: { yes: "really remove it: this cannot be undone" },
  async run(context) {
    const { people, sources } = await context.openParts();
    const site = await people.sites.get(word(context, 0));
    if (context.options["yes"] !== true) {
      throw new AppError(
        "invalid_request",
        `This removes ${site.domain} with all its pages and conversations.`,
        {
          hint: `If you mean it: docent sites remove ${site.domain} --yes (docent backup <file> keeps a copy).`,
        },
      );
    }
    await people.sites.remove(site.domain);
    await context.record({ kind: "site.removed", ...aboutSite(site) });
    await sources.uploads.removeSite(site.id);
    if (context.options["json"] === true) return printJson(context, { removed: site.domain });
    context.terminal.out(`Removed ${site.domain}.\n`);
    return undefined;
  },
};

function checkNamed(context: Context, { domain }: Site): void {
  const names = Object.keys({ ...sitesSet.options });
  if (names.some((name) => context.options[name] !== undefined)) return;
  throw new AppError("invalid_request", `Nothing was named that could be changed of ${domain}.`, {
    hint: "docent sites set --help lists what can be; docent sites list --json shows how it is.",
  });
}

async function siteInput(context: Context, site?: Site): Promise<Omit<SiteInput, "domain" | "organization">> {
  checkOneInput(context);
  const settings: NonNullable<SiteInput["settings"]> = {};
  const origins = textsOption(context, "origin");
  if (origins) settings.origins = origins.includes("any") ? [] : origins;
  const phrases = textsOption(context, "phrase");
  if (phrases)
    settings.phrases = { ...site?.settings.phrases, ...Object.fromEntries(phrases.map(splitPhrase)) };
  const language = textOption(context, "site-language");
  if (language !== undefined) settings.language = language;
  const instructions = await instructionsOf(context);
  if (instructions !== undefined) settings.instructions = instructions;
  const starterQuestions = textsOption(context, "starter-question");
  if (starterQuestions) settings.starterQuestions = starterQuestions.includes("none") ? [] : starterQuestions;
  const contact = textOption(context, "contact");
  if (contact !== undefined) settings.contact = contact;
  const handOver = textOption(context, "hand-over");
  if (handOver !== undefined) settings.handOver = handOver;
  const suggestions = onOff(context, "suggestions");
  if (suggestions !== undefined) settings.suggestions = suggestions;
  const isPublic = onOff(context, "public");
  if (isPublic !== undefined) settings.public = isPublic;
  const movedFromHosted = onOff(context, "moved-from-hosted");
  if (movedFromHosted !== undefined) settings.movedFromHosted = movedFromHosted;
  const retentionDays = retentionDaysOf(context);
  if (retentionDays !== undefined) settings.retentionDays = retentionDays;
  const defaultVersion = textOption(context, "default-version");
  if (defaultVersion !== undefined) settings.defaultVersion = defaultVersion;
  const defaultLanguage = textOption(context, "default-language");
  if (defaultLanguage !== undefined) settings.defaultLanguage = defaultLanguage;
  const anchors = textOption(context, "anchors");
  if (anchors !== undefined) settings.anchors = anchors;
  Object.assign(settings, readerSettings(context), await tuningSettings(context));
  const names = textsOption(context, "host-name");
  const hostNames = names?.includes("none") ? [] : names?.map((name) => name.toLowerCase());
  const name = textOption(context, "name");
  const [url, jwksUrl] = ["url", "jwks-url"].map((option) =>
    textOption(context, option)?.replace(/^none$/, ""),
  );
  return { name, url, settings, hostNames, jwksUrl };
}

function retentionDaysOf(context: Context): number | undefined {
  const given = textOption(context, "retention-days");
  if (given === undefined || /^\d{1,6}$/.test(given)) return given === undefined ? undefined : Number(given);
  throw new AppError("invalid_request", `--retention-days is a number of days, not ${given}.`);
}

async function instructionsOf(context: Context): Promise<string | undefined> {
  const text = textOption(context, "instructions");
  const file = textOption(context, "instructions-file");
  if (file === undefined) return text;
  if (text !== undefined)
    throw new AppError(
      "invalid_request",
      "--instructions and --instructions-file are two ways to say one thing.",
    );
  return (await readTextFile(context, file)).trim();
}

function checkOneInput(context: Context): void {
  const taken = ["instructions-file", "widget-file"].filter((name) =>
    isStandard(textOption(context, name) ?? ""),
  );
  if (taken.length > 1)
    throw new AppError(
      "invalid_request",
      "Only one of --instructions-file and --widget-file can be the input (-).",
    );
}

function splitPhrase(phrase: string): [string, string] {
  const at = phrase.indexOf("=");
  const name = phrase.slice(0, at);
  if (at < 1) {
    throw new AppError("invalid_request", `--phrase ${phrase} is not of the form name=text.`);
  }
  return [name, phrase.slice(at + 1)];
}

const onOffSchema = z.enum(["on", "off"]);

function onOff(context: Context, name: string): boolean | undefined {
  const given = textOption(context, name);
  if (given === undefined) return undefined;
  const parsed = onOffSchema.safeParse(given);
  if (!parsed.success) throw new AppError("invalid_request", `--${name} is on or off, not ${given}.`);
  return parsed.data === "on";
}
