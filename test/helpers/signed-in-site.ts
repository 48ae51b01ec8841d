import type { TestDocent } from "./docent.ts";
import { adasClaims, signToken } from "./reader-tokens.ts";

/** A site whose readers sign in, and what its own server does to vouch for them. */
export interface SignedInSite {
  /** A token for a reader, of Ada where nobody else is named. */
  tokenFor(sub?: string, claims?: Record<string, unknown>): Promise<string>;
  /** The header in which it comes. */
  as(sub?: string, claims?: Record<string, unknown>): Promise<Record<string, string>>;
}

/** Gives a site a secret, and lets nobody read it who has not signed in. */
export async function letReadersSignIn(
  { app }: Pick<TestDocent, "app">,
  domain = "acme",
  { readers = "signed-in" as "signed-in" | "public" } = {},
): Promise<SignedInSite> {
  const { people } = app.parts;
  const site = await people.sites.set(domain, { settings: { readers } });
  const secret = await people.siteSecrets.create(site.id);
  const tokenFor = (sub = "ada", claims: Record<string, unknown> = {}) =>
    signToken(secret, { ...adasClaims(domain, Math.floor(Date.now() / 1000)), sub, ...claims });
  return { tokenFor, as: async (sub, claims) => ({ "x-docent-reader": await tokenFor(sub, claims) }) };
}
