import { z } from "zod";

const groups = z.array(z.string().min(1).max(200)).max(1000).readonly();
const byOrganization = z.record(z.string().min(1).max(200), groups);

/** Which groups make somebody what, as the sign-in file says it. Organizations are named by name or id. */
export const memberRulesSchema = z
  .strictObject({
    server_owners: groups.default([]),
    owners: byOrganization.default({}),
    viewers: byOrganization.default({}),
  })
  .readonly();
export type MemberRules = z.output<typeof memberRulesSchema>;

/** What somebody's groups make them: an owner of the server, or something in organizations as the file names them. */
interface Granted {
  isServerOwner: boolean;
  roles: { organization: string; role: "owner" | "viewer" }[];
}

/** What the rules give to whoever belongs to these groups. */
export function grantedBy(rules: MemberRules, belongsTo: readonly string[]): Granted {
  const own = new Set(belongsTo);
  const isIn = (named: readonly string[]) => named.some((group) => own.has(group));
  const rolesOf = (given: MemberRules["owners"], role: "owner" | "viewer") =>
    Object.entries(given)
      .filter(([, named]) => isIn(named))
      .map(([organization]) => ({ organization, role }));
  return {
    isServerOwner: isIn(rules.server_owners),
    roles: [...rolesOf(rules.owners, "owner"), ...rolesOf(rules.viewers, "viewer")],
  };
}
