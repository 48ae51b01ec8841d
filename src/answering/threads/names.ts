import { hashSecret } from "@docent/kernel/lib/secrets";

/** What every reader is called who has no name. */
export const ANONYMOUS = "anonymous";

const CHARACTERS_MAX = 200;

/**
 * A name that a client gave, as it is stored: of a long one its hash, so that it takes little room whoever made it, and the
 * same name stays the same.
 */
export const storedName = (name: string) =>
  name.length <= CHARACTERS_MAX ? name : `sha256:${hashSecret(name)}`;
