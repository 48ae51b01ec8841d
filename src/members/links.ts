import { AppError } from "../errors.ts";
import type { Clock } from "../lib/clock.ts";
import type { Ids } from "../lib/ids.ts";
import { hashSecret } from "../lib/secrets.ts";
import type { MemberStore, StoredLink } from "./stores.ts";

const LINK_PATTERN = /^[1-9A-HJ-NP-Za-km-z]{33}$/;

/** A link that was just made. Its text is nowhere to be had again. */
export interface NewLink {
  text: string;
  expiresAt: number;
}

/** Makes links that are used once, and finds them. */
export function createLinks(deps: {
  store: Pick<MemberStore, "putLink" | "findLink">;
  clock: Clock;
  ids: Ids;
  lifetimeMs: number;
}) {
  const { store, clock, ids, lifetimeMs } = deps;
  return {
    /** A link for a member; without one, for the server's first owner. The one before it ends. */
    async make(memberId: string | undefined): Promise<NewLink> {
      const text = ids.key("");
      const expiresAt = clock() + lifetimeMs;
      await store.putLink({ hash: hashSecret(text), memberId, createdAt: clock(), expiresAt });
      return { text, expiresAt };
    },

    /** The link with that text. Raises `not_found` for one that is unknown, used or too old. */
    async find(text: string): Promise<StoredLink> {
      const found = LINK_PATTERN.test(text) ? await store.findLink(hashSecret(text), clock()) : undefined;
      return found ?? endedLink();
    },
  };
}

export type Links = ReturnType<typeof createLinks>;

/** The answer to every link that opens nothing, whatever it was. */
export function endedLink(): never {
  throw new AppError(
    "not_found",
    "This link does not work any more: it was used, is too old, or a newer one was made. Ask for a new one.",
  );
}
