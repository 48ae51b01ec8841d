import type { Clock } from "./clock.ts";

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

export type RandomBytes = (count: number) => Uint8Array;

/** Makes the ids of one process. Time and randomness are passed in. */
export interface Ids {
  /** A ULID: 26 characters that sort by creation time, those of one moment in the order in which they are made. */
  ulid(): string;
  /**
   * 26 characters that look like a ULID and carry 128 random bits: knowing one grants access to what it
   * names.
   */
  capability(): string;
  /** A key: the prefix, then 192 random bits in base58. */
  key(prefix: string): string;
  /** What somebody signs with: the prefix, then 256 random bits in base58. */
  secret(prefix: string): string;
}

/** Whether a text has the form of an id: 128 bits in 26 digits, the first of which holds three. */
export const hasIdForm = (text: string) => /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text);

/** The id that 128 bits are: for one that is worked out, and not drawn. */
export const idFrom = (bytes: Uint8Array) => base32(toBigInt(bytes), 26);

export function createIds(clock: Clock, randomBytes: RandomBytes): Ids {
  let last = { at: -1, low: 0n };
  return {
    ulid() {
      const at = clock();
      const low = at === last.at ? (last.low + 1n) % LOW_END : toBigInt(randomBytes(10));
      last = { at, low };
      return base32(BigInt(at), 10) + base32(low, 16);
    },
    capability: () => idFrom(randomBytes(16)),
    key: (prefix) => prefix + base58(toBigInt(randomBytes(24)), 33),
    secret: (prefix) => prefix + base58(toBigInt(randomBytes(32)), 44),
  };
}

/** Beyond the 80 bits of a ULID that are not its time. */
const LOW_END = 1n << 80n;

export const systemRandomBytes: RandomBytes = (count) => crypto.getRandomValues(new Uint8Array(count));

/** A number from 0 up to 1, for spreading retries. Not for anything that must not be guessed. */
export const systemRandom = (): number => Math.random();

function toBigInt(bytes: Uint8Array): bigint {
  return bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

function base32(value: bigint, length: number): string {
  return digits(value, CROCKFORD, length);
}

function base58(value: bigint, length: number): string {
  return digits(value, BASE58, length);
}

function digits(value: bigint, alphabet: string, length: number): string {
  const base = BigInt(alphabet.length);
  let rest = value;
  let text = "";
  for (let index = 0; index < length; index++) {
    text = alphabet.charAt(Number(rest % base)) + text;
    rest /= base;
  }
  return text;
}
