import { resolve } from "node:path";
import type { Config } from "@docent/kernel/config/settings";
import { AppError } from "@docent/kernel/errors";
import type { Parts } from "@docent/running/app/parts";
import { nearNames } from "./near-names.ts";

/** How many sites are named where another one was asked for. */
const NAMED_MAX = 10;

/** The parts of a command, which say of a site that is not there where it was looked for, and which sites are there. */
export function withKnownSites(parts: Parts, { data, database_url }: Config): Parts {
  const { sites } = parts.people;
  async function get(domain: string) {
    try {
      return await sites.get(domain);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "not_found") throw error;
      const known = (await sites.list()).map((site) => site.domain);
      const where = database_url === "" ? resolve(data) : "the database";
      throw new AppError("not_found", `There is no site ${domain} in ${where}.`, {
        hint: hintFor(domain, known),
      });
    }
  }
  return { ...parts, people: { ...parts.people, sites: { ...sites, get } } };
}

function hintFor(domain: string, known: readonly string[]): string {
  if (known.length === 0) return `None is there yet: docent sites add ${domain}`;
  const near = nearNames(domain, known);
  if (near.length > 0) return `Did you mean ${near.join(", ")}?`;
  const named = known.slice(0, NAMED_MAX).join(", ");
  return known.length > NAMED_MAX
    ? `Sites there: ${named} … docent sites list shows all ${known.length}.`
    : `Sites there: ${named}.`;
}
