import { AppError } from "@docent/kernel/errors";
import { aboutKey, adminKeyCreated } from "@docent/people/audit/audit";
import { adminKeyJson } from "@docent/people/keys/admin-keys";
import { assistantKeyJson } from "@docent/people/keys/keys";
import { JSON_SCHEMAS } from "@docent/running/app/json-schemas";
import { z } from "zod";
import { type Command, type Context, textOption, textsOption, word } from "../command.ts";
import { printJson, printRows, showTime } from "../output.ts";
import { OPENING } from "../read-settings.ts";

/** Help for the option that limits a key's life. */
export const EXPIRES_HELP = "after how many days it expires, such as 90; never otherwise";

/** The days until a new key expires; undefined: never. */
export function expiresDays(context: Context): number | undefined {
  const given = textOption(context, "expires");
  if (given === undefined || given === "never") return undefined;
  const count = /^\d{1,5}d?$/.test(given) ? Number.parseInt(given, 10) : 0;
  if (count > 0) return count;
  throw new AppError(
    "invalid_request",
    `--expires takes a number of days such as 90, or never, not ${given}.`,
  );
}

export const keysCreate: Command = {
  begins: true,
  words: [0, 1],
  settings: OPENING,
  json: { shape: JSON_SCHEMAS.assistantKey },
  options: {
    site: { type: "string", multiple: true },
    organization: { type: "string" },
    expires: { type: "string" },
    address: { type: "string", multiple: true },
  },
  optionHelp: {
    site: "a site it opens; may be repeated. Without it: every site of the organization",
    organization: "the organization it belongs to; that of the sites, or the first one otherwise",
    expires: EXPIRES_HELP,
    address: "an address or network it may be used from, such as 10.0.0.0/8; may be repeated",
  },
  async run(context) {
    const { people } = await context.openParts();
    const named = await Promise.all(
      (textsOption(context, "site") ?? []).map((domain) => people.sites.get(domain)),
    );
    const asked = textOption(context, "organization") ?? named[0]?.organizationId;
    const organization = await people.sites.organization(asked);
    const foreign = named.find((site) => site.organizationId !== organization.id);
    if (foreign) {
      throw new AppError(
        "invalid_request",
        `${foreign.domain} does not belong to the organization ${organization.name}.`,
        { hint: "A key opens sites of one organization. Create one for each." },
      );
    }
    const key = await people.keys.create({
      organizationId: organization.id,
      name: context.words[0] ?? (named.map((site) => site.domain).join(", ") || "all sites"),
      siteIds: named.length === 0 ? undefined : named.map((site) => site.id),
      expiresDays: expiresDays(context),
      addresses: textsOption(context, "address"),
    });
    const expires = key.expiresAt !== undefined;
    await context.record({ kind: "assistant-key.created", ...aboutKey(key), details: { expires } });
    if (context.options["json"])
      return printJson(
        context,
        assistantKeyJson(
          key,
          new Map(named.map((site) => [site.id, site.domain])),
          context.surroundings.clock(),
        ),
      );
    context.terminal.out(`${key.key}\n`);
  },
};

export const keysList: Command = {
  words: [0, 0],
  json: { shape: z.array(JSON_SCHEMAS.assistantKey) },
  async run(context) {
    const { people } = await context.openParts();
    const domains = new Map((await people.sites.list()).map((site) => [site.id, site.domain]));
    const now = context.surroundings.clock();
    const rows = (await people.keys.list()).map((key) => assistantKeyJson(key, domains, now));
    printRows(
      context,
      rows,
      {
        NAME: (key) => key.name,
        KEY: (key) => key.key,
        SITES: (key) => key.sites?.join(", ") ?? "all",
        STATE: (key) => key.state,
        EXPIRES: (key) => (key.expiresAt === null ? "never" : key.expiresAt.slice(0, 10)),
        "LAST USED": (key) => (key.lastUsedAt === null ? "never" : showTime(Date.parse(key.lastUsedAt))),
        ID: (key) => key.id,
      },
      "There are no keys. Create one: docent keys create",
    );
  },
};

export const keysRevoke: Command = {
  words: [1, 1],
  settings: OPENING,
  json: { shape: z.object({ id: z.string(), name: z.string() }) },
  async run(context) {
    const { people } = await context.openParts();
    const key = await people.keys.revoke(word(context, 0));
    await context.record({ kind: "assistant-key.revoked", ...aboutKey(key) });
    if (context.options["json"]) return printJson(context, { id: key.id, name: key.name });
    context.terminal.out(`Revoked ${key.name}.\n`);
  },
};

export const adminKeysCreate: Command = {
  begins: true,
  words: [1, 1],
  settings: OPENING,
  json: { shape: JSON_SCHEMAS.newAdminKey },
  options: {
    organization: { type: "string" },
    server: { type: "boolean" },
    write: { type: "boolean" },
    expires: { type: "string" },
  },
  optionHelp: {
    organization: "the organization it opens; the first one otherwise",
    server: "gives access to every organization, and to backups",
    write: "it may change things; otherwise it can only read",
    expires: EXPIRES_HELP,
  },
  async run(context) {
    const { people } = await context.openParts();
    const named = textOption(context, "organization");
    const isServer = context.options["server"] === true;
    if (isServer && named !== undefined) {
      throw new AppError("invalid_request", "A key is for the server or for an organization, not for both.");
    }
    const organizationId = isServer ? undefined : (await people.sites.organization(named)).id;
    const { key, text } = await people.adminKeys.create({
      name: word(context, 0),
      organizationId,
      mayWrite: context.options["write"] === true,
      expiresDays: expiresDays(context),
    });
    await context.record(adminKeyCreated(key));
    if (context.options["json"])
      return printJson(context, { ...adminKeyJson(key, context.surroundings.clock()), key: text });
    context.terminal.out(`${text}\n`);
    context.terminal.err("Keep it now: it cannot be shown again.\n");
  },
};

export const adminKeysList: Command = {
  words: [0, 0],
  json: { shape: z.array(JSON_SCHEMAS.adminKey) },
  async run(context) {
    const { people } = await context.openParts();
    const names = new Map((await people.sites.listOrganizations()).map(({ id, name }) => [id, name]));
    const now = context.surroundings.clock();
    printRows(
      context,
      (await people.adminKeys.list()).map((key) => adminKeyJson(key, now)),
      {
        NAME: (key) => key.name,
        OPENS: (key) =>
          key.organizationId === null ? "the server" : (names.get(key.organizationId) ?? key.organizationId),
        MAY: (key) => (key.mayWrite ? "read and write" : "read"),
        STATE: (key) => key.state,
        EXPIRES: (key) => (key.expiresAt === null ? "never" : key.expiresAt.slice(0, 10)),
        "LAST USED": (key) => (key.lastUsedAt === null ? "never" : showTime(Date.parse(key.lastUsedAt))),
        ID: (key) => key.id,
      },
      "There are no admin keys. Create one: docent admin-keys create <name>",
    );
  },
};

export const adminKeysRevoke: Command = {
  words: [1, 1],
  settings: OPENING,
  json: { shape: z.object({ id: z.string(), name: z.string() }) },
  async run(context) {
    const { people } = await context.openParts();
    const key = await people.adminKeys.revoke(word(context, 0));
    await context.record({ kind: "admin-key.revoked", ...aboutKey(key) });
    if (context.options["json"]) return printJson(context, { id: key.id, name: key.name });
    context.terminal.out(`Revoked ${key.name}.\n`);
  },
};
