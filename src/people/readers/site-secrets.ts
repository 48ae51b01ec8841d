import { AppError } from "@docent/kernel/errors";
import type { Clock } from "@docent/kernel/lib/clock";
import type { Ids } from "@docent/kernel/lib/ids";
import { isoTime } from "@docent/kernel/lib/iso-time";
import { createLastUses } from "@docent/kernel/lib/last-uses";
import type { SiteSecret, SiteSecretStore } from "./stores.ts";

/** The beginning of every secret, by which scanners find one where it must not be. */
const PREFIX = "docent_rds_";
/** The one in use, and the one that takes its place. */
const SECRETS_MAX = 2;

interface SiteSecretsDeps {
  store: SiteSecretStore;
  clock: Clock;
  ids: Ids;
}

/** What can be done with the secrets with which sites vouch for their readers. */
export function createSiteSecrets({ store, clock, ids }: SiteSecretsDeps) {
  const uses = createLastUses((each) => store.touch(each));
  return {
    /** Makes a secret. Raises `conflict` where the site has two already. */
    async create(siteId: number): Promise<SiteSecret> {
      const made = { id: ids.ulid(), siteId, secret: ids.secret(PREFIX) };
      const secret: SiteSecret = { ...made, createdAt: clock(), lastUsedAt: undefined };
      if (await store.add(secret, SECRETS_MAX)) return secret;
      throw new AppError(
        "conflict",
        `The site has ${SECRETS_MAX} secrets already: end the one that is used no more.`,
        { hint: "docent reader-secrets list <domain>" },
      );
    },
    list: (siteId: number) => store.list(siteId),
    /** Tokens that were signed with it are worth nothing from then on. Raises `not_found`. */
    async end(siteId: number, id: string): Promise<void> {
      if (!(await store.end(siteId, id))) throw new AppError("not_found", `The site has no secret ${id}.`);
    },
    noteUse: (id: string) => uses.note(id, clock()),
    /** Writes down when secrets were last used. */
    flush: uses.flush,
  };
}

export type SiteSecrets = ReturnType<typeof createSiteSecrets>;

/** A secret as the CLI and the admin API list it: without what it is. */
export function siteSecretJson({ id, createdAt, lastUsedAt }: SiteSecret) {
  return { id, createdAt: isoTime(createdAt), lastUsedAt: isoTime(lastUsedAt) };
}
