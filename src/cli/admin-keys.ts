import { z } from "zod";
import { JSON_SCHEMAS } from "../app/json.ts";
import { AppError } from "../errors.ts";
import { type Command, textOption, word } from "./command.ts";
import { EXPIRES_HELP, expiresDays } from "./key-options.ts";
import { printJson, printRows, showTime } from "./output.ts";

export const adminKeysCreate: Command = {
  name: "admin-keys create",
  usage: "<name>",
  summary: "Create an admin key, for the admin API and analytics. It is shown this once.",
  words: [1, 1],
  json: { shape: JSON_SCHEMAS.newAdminKey },
  options: {
    organization: { type: "string" },
    server: { type: "boolean" },
    write: { type: "boolean" },
    expires: { type: "string" },
  },
  optionHelp: {
    organization: "the organization it opens; the first one otherwise",
    server: "it opens every organization, and backups",
    write: "it may change things; otherwise it only reads",
    expires: EXPIRES_HELP,
  },
  async run(context) {
    const { sites, adminKeys, json } = await context.openParts();
    const named = textOption(context, "organization");
    const isServer = context.options["server"] === true;
    if (isServer && named !== undefined) {
      throw new AppError("invalid_request", "A key is for the server or for an organization, not for both.");
    }
    const organizationId = isServer ? undefined : (await sites.organization(named)).id;
    const { key, text } = await adminKeys.create({
      name: word(context, 0),
      organizationId,
      mayWrite: context.options["write"] === true,
      expiresDays: expiresDays(context),
    });
    if (context.options["json"])
      return printJson(context, { ...json.adminKey(key, context.surroundings.clock()), key: text });
    context.terminal.out(`${text}\n`);
    context.terminal.err("Keep it now: it cannot be shown again.\n");
  },
};

export const adminKeysList: Command = {
  name: "admin-keys list",
  usage: "",
  summary: "List the admin keys.",
  words: [0, 0],
  json: { shape: z.array(JSON_SCHEMAS.adminKey) },
  async run(context) {
    const { sites, adminKeys, json } = await context.openParts();
    const names = new Map((await sites.listOrganizations()).map(({ id, name }) => [id, name]));
    const now = context.surroundings.clock();
    printRows(
      context,
      (await adminKeys.list()).map((key) => json.adminKey(key, now)),
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
  name: "admin-keys revoke",
  usage: "<id or name>",
  summary: "Revoke an admin key. It stops working at once.",
  words: [1, 1],
  json: { shape: z.object({ id: z.string(), name: z.string() }) },
  async run(context) {
    const { adminKeys } = await context.openParts();
    const key = await adminKeys.revoke(word(context, 0));
    if (context.options["json"]) return printJson(context, { id: key.id, name: key.name });
    context.terminal.out(`Revoked ${key.name}.\n`);
  },
};
