import { z } from "zod";
import { JSON_SCHEMAS } from "../app/json.ts";
import { AppError } from "../errors.ts";
import { type Command, textOption, textsOption, word } from "./command.ts";
import { EXPIRES_HELP, expiresDays } from "./key-options.ts";
import { printJson, printRows, showTime } from "./output.ts";

export const keysCreate: Command = {
  name: "keys create",
  usage: "[<name>]",
  summary: "Create an assistant key: a public key, made to stand in a page's source.",
  words: [0, 1],
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
    const { sites, keys, json } = await context.openParts();
    const named = await Promise.all((textsOption(context, "site") ?? []).map((domain) => sites.get(domain)));
    const asked = textOption(context, "organization") ?? named[0]?.organizationId;
    const organization = await sites.organization(asked);
    const foreign = named.find((site) => site.organizationId !== organization.id);
    if (foreign) {
      throw new AppError(
        "invalid_request",
        `${foreign.domain} does not belong to the organization ${organization.name}.`,
        {
          hint: "A key opens sites of one organization. Create one for each.",
        },
      );
    }
    const key = await keys.create({
      organizationId: organization.id,
      name: context.words[0] ?? (named.map((site) => site.domain).join(", ") || "all sites"),
      siteIds: named.length === 0 ? undefined : named.map((site) => site.id),
      expiresDays: expiresDays(context),
      addresses: textsOption(context, "address"),
    });
    if (context.options["json"])
      return printJson(
        context,
        json.assistantKey(
          key,
          new Map(named.map((site) => [site.id, site.domain])),
          context.surroundings.clock(),
        ),
      );
    context.terminal.out(`${key.key}\n`);
  },
};

export const keysList: Command = {
  name: "keys list",
  usage: "",
  summary: "List the assistant keys.",
  words: [0, 0],
  json: { shape: z.array(JSON_SCHEMAS.assistantKey) },
  async run(context) {
    const { sites, keys, json } = await context.openParts();
    const domains = new Map((await sites.list()).map((site) => [site.id, site.domain]));
    const now = context.surroundings.clock();
    const rows = (await keys.list()).map((key) => json.assistantKey(key, domains, now));
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
  name: "keys revoke",
  usage: "<key, id or name>",
  summary: "Revoke a key. It stops working at once.",
  words: [1, 1],
  json: { shape: z.object({ id: z.string(), name: z.string() }) },
  async run(context) {
    const { keys } = await context.openParts();
    const key = await keys.revoke(word(context, 0));
    if (context.options["json"]) return printJson(context, { id: key.id, name: key.name });
    context.terminal.out(`Revoked ${key.name}.\n`);
  },
};
