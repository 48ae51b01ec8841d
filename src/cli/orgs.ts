import { type Command, word } from "./command.ts";
import { printJson, printRows, showTime } from "./output.ts";

export const orgsAdd: Command = {
  name: "orgs add",
  usage: "<name>",
  summary: "Add an organization. The hourly limit counts for each by itself.",
  words: [1, 1],
  async run(context) {
    const { sites } = await context.openParts();
    const organization = await sites.addOrganization(word(context, 0));
    if (context.options["json"]) return printJson(context, organization);
    context.terminal.out(`Added ${organization.name}.\n`);
  },
};

export const orgsList: Command = {
  name: "orgs list",
  usage: "",
  summary: "List the organizations.",
  words: [0, 0],
  async run(context) {
    const { sites } = await context.openParts();
    printRows(
      context,
      await sites.listOrganizations(),
      {
        NAME: (organization) => organization.name,
        ID: (organization) => organization.id,
        CREATED: (organization) => showTime(organization.createdAt),
      },
      "There are no organizations.",
    );
  },
};
