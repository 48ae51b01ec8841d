import { AppError } from "@docent/kernel/errors";
import { z } from "zod";

/** Makes hashes of passwords, and compares with them. Slow on purpose. */
export interface Hasher {
  hash(password: string): Promise<string>;
  verify(password: string, hash: string): Promise<boolean>;
}

const CHARACTERS_MIN = 10;
const BYTES_MAX = 1000;
/** argon2id as OWASP advises: each comparison takes this much memory, and some 30 milliseconds. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
/** How many are made or compared at the same time, and how many more may wait: strangers can ask for one each. */
const AT_ONCE = 4;
const WAITING_MAX = 64;
/** The hash of a password that nobody knows: a name that nobody has costs the same work as one that somebody has. */
const NOBODYS_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$iQyLPCvdtnHDFd2Keoce9ldfNYYwwR2loV7YmxMwG8E$N7d27Y5jL57LkSW1zp/3RTHKXFX1IH/DEfksre0Nsf8";

/** The password of somebody who signs in: any that could be one. */
export const givenPasswordSchema = z
  .string()
  .min(1)
  .refine((password) => Buffer.byteLength(password) <= BYTES_MAX, `must have at most ${BYTES_MAX} bytes`);

/** A new password. */
export const newPasswordSchema = givenPasswordSchema
  .refine((password) => password.isWellFormed(), "must be text")
  .refine((password) => [...password].length >= CHARACTERS_MIN, {
    message: `must have at least ${CHARACTERS_MIN} characters: a few words that belong together for you alone do well`,
  });

/** The hasher of a server. */
export const argon2id: Hasher = {
  hash: (password) =>
    Bun.password.hash(password, { algorithm: "argon2id", memoryCost: MEMORY_KIB, timeCost: PASSES }),
  verify: (password, hash) => Bun.password.verify(password, hash),
};

/** Hashes and compares passwords, so many at a time. */
export function createPasswords(hasher: Hasher) {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= AT_ONCE) {
      if (waiting.length >= WAITING_MAX)
        throw new AppError("unavailable", "Too many people sign in at this moment. Please try again.", {
          retryAfterSeconds: 2,
        });
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running++;
    try {
      return await work();
    } finally {
      // The place goes straight to the next one, so that nobody who comes meanwhile takes it.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  }

  return {
    hash: (password: string) => inTurn(() => hasher.hash(asTyped(password))),
    /** Whether it is the password. Without a hash it is not, after the same work. */
    verify: async (password: string, hash: string | undefined) => {
      const isRight = await inTurn(() => hasher.verify(asTyped(password), hash ?? NOBODYS_HASH));
      return isRight && hash !== undefined;
    },
  };
}

export type Passwords = ReturnType<typeof createPasswords>;

/** Brings a password into one form: keyboards and systems write one letter in several ways. */
const asTyped = (password: string) => password.normalize("NFKC");
