import { aboutSite } from "@docent/people/audit/audit";
import { siteSecretJson, whoReads } from "@docent/people/readers/readers";
import { JSON_SCHEMAS } from "@docent/running/app/json-schemas";
import type { Parts } from "@docent/running/app/parts";
import type { Site } from "@docent/sites/site/sites";
import { z } from "zod";
import { type Command, word } from "../../command.ts";
import { printJson, printRows, showTime } from "../../output.ts";
import { OPENING } from "../../read-settings.ts";

/** Who can read a site, in one sentence. */
export async function whoReadsNow(people: Pick<Parts["people"], "siteSecrets">, site: Site): Promise<string> {
  const signs = site.settings.jwksUrl !== "" || (await people.siteSecrets.list(site.id)).length > 0;
  return whoReads(site, { providers: [], signs });
}

export const secretsCreate: Command = {
  words: [1, 1],
  settings: OPENING,
  json: { shape: JSON_SCHEMAS.newReaderSecret },
  async run(context) {
    const { people } = await context.openParts();
    const site = await people.sites.get(word(context, 0));
    const made = await people.siteSecrets.create(site.id);
    await context.record({ kind: "reader-secret.created", ...aboutSite(site), subject: { id: made.id } });
    if (context.options["json"]) return printJson(context, { ...siteSecretJson(made), secret: made.secret });
    context.terminal.out(`${made.secret}\n`);
    context.terminal.err(
      `Keep it now, on the site's own server alone: it cannot be shown again. The kid of its tokens is ${made.id}.\n`,
    );
  },
};

export const secretsList: Command = {
  words: [1, 1],
  json: { shape: JSON_SCHEMAS.readerSecrets },
  async run(context) {
    const { people } = await context.openParts();
    const site = await people.sites.get(word(context, 0));
    const shown = (at: string | null) => (at === null ? "never" : showTime(Date.parse(at)));
    printRows(
      context,
      (await people.siteSecrets.list(site.id)).map(siteSecretJson),
      {
        ID: (secret) => secret.id,
        MADE: (secret) => shown(secret.createdAt),
        "LAST USED": (secret) => shown(secret.lastUsedAt),
      },
      `There are no secrets. Make one: docent reader-secrets create ${site.domain}`,
    );
  },
};

export const secretsEnd: Command = {
  words: [2, 2],
  settings: OPENING,
  json: { shape: z.object({ ended: z.string() }) },
  async run(context) {
    const { people } = await context.openParts();
    const site = await people.sites.get(word(context, 0));
    const id = word(context, 1);
    await people.siteSecrets.end(site.id, id);
    await context.record({ kind: "reader-secret.ended", ...aboutSite(site), subject: { id } });
    if (context.options["json"] === true) return printJson(context, { ended: id });
    context.terminal.out(`Ended ${id}.\n`);
    return undefined;
  },
};
