import { JSON_SCHEMAS } from "@docent/running/app/json-schemas";
import { organizationJson } from "@docent/sites/site/sites";
import { z } from "zod";
import { type Command, word } from "../command.ts";
import { printJson, printRows, showTime } from "../output.ts";
import { OPENING } from "../read-settings.ts";

export const orgsAdd: Command = {
  begins: true,
  words: [1, 1],
  settings: OPENING,
  json: { shape: JSON_SCHEMAS.organization },
  async run(context) {
    const { people } = await context.openParts();
    const organization = await people.sites.addOrganization(word(context, 0));
    const { id, name } = organization;
    await context.record({ kind: "organization.added", subject: { id, name }, organizationIds: [id] });
    if (context.options["json"]) return printJson(context, organizationJson(organization));
    context.terminal.out(`Added ${organization.name}.\n`);
  },
};

export const orgsList: Command = {
  words: [0, 0],
  json: { shape: z.array(JSON_SCHEMAS.organization) },
  async run(context) {
    const { people } = await context.openParts();
    printRows(
      context,
      (await people.sites.listOrganizations()).map(organizationJson),
      {
        NAME: (organization) => organization.name,
        ID: (organization) => organization.id,
        CREATED: (organization) =>
          showTime(organization.createdAt === null ? undefined : Date.parse(organization.createdAt)),
      },
      "There are no organizations.",
    );
  },
};
