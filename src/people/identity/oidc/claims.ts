import type { Identity } from "../identity.ts";
import { SignInFault } from "../sign-in-fault.ts";
import type { ProviderSettings } from "../sign-in-file.ts";

type Claims = Readonly<Record<string, unknown>>;

const NAMES = ["name", "preferred_username", "email"];
const NAME_CHARACTERS_MAX = 100;
const SUBJECT_CHARACTERS_MAX = 255;
const GROUPS_MAX = 5000;
const GROUP_CHARACTERS_MAX = 200;

/** A claim by its name, or by a path with dots such as `realm_access.roles`. */
export function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  let value: unknown = claims;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}

/** Who the claims are about. */
export function identityOf(settings: ProviderSettings, claims: Claims): Identity {
  const { sub } = claims;
  if (typeof sub !== "string" || sub === "" || sub.length > SUBJECT_CHARACTERS_MAX)
    throw new SignInFault(
      "not_believed",
      `${settings.name} does not say who it is: sub is missing or too long`,
    );
  const names = settings.name_claim === undefined ? NAMES : [settings.name_claim, ...NAMES];
  const name = names
    .map((each) => claimAt(claims, each))
    .find((each) => typeof each === "string" && each.trim() !== "");
  return {
    issuer: settings.issuer,
    subject: sub,
    name: typeof name === "string" ? name.trim().slice(0, NAME_CHARACTERS_MAX).toWellFormed() : undefined,
    groups: groupsIn(claimAt(claims, settings.groups_claim)),
  };
}

function groupsIn(value: unknown): string[] {
  const all = Array.isArray(value) ? value : [value];
  return all
    .slice(0, GROUPS_MAX)
    .filter((group): group is string => typeof group === "string" && group !== "")
    .filter((group) => group.length <= GROUP_CHARACTERS_MAX);
}
