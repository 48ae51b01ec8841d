import { NOBODY } from "@docent/kernel/text/groups/groups";

export { NOBODY };

/**
 * Who reads: for the owners of a site and for the server's own work, `everything`; for readers, the groups that they
 * belong to. Nobody has to be in a group for a page that names none.
 */
export type Audience = "everything" | readonly string[];

/** Whoever reads without being known. */
export const ANYBODY: Audience = [];

/** Whether a page of these groups is for them. */
export const maySee = (audience: Audience, groups: readonly string[]): boolean =>
  audience === "everything" || groups.length === 0 || groups.some((group) => audience.includes(group));

/**
 * An audience among pages of these groups, so that those who see the same are the same: whoever sees every page is
 * `everything`.
 */
export function audienceAmong(audience: Audience, groups: readonly string[]): Audience {
  if (audience === "everything" || groups.every((group) => audience.includes(group))) return "everything";
  return groups.filter((group) => audience.includes(group)).toSorted();
}

/** The same text for the same audience, and for no other. */
export const audienceKey = (audience: Audience): string =>
  audience === "everything" ? "everything" : JSON.stringify(audience);

/** The groups that a provider, a proxy or a token names, as rights are given for them. */
export const groupsOf = (named: readonly string[]): string[] =>
  [...new Set(named)].filter((group) => group !== "" && group !== NOBODY).toSorted();
