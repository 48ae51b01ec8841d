import { timingSafeEqual } from "node:crypto"; /**
 * What is stored of a secret that Docent made. It has more random bits than anyone can try: what makes hashes of
 * passwords slow would add nothing.
 */
export const hashSecret = (secret: string) => new Bun.CryptoHasher("sha256").update(secret).digest("hex");

/** Compares in constant time. */
export function isSameSecret(sent: string, secret: string): boolean {
  const [left, right] = [Buffer.from(sent), Buffer.from(secret)];
  return left.length === right.length && timingSafeEqual(left, right);
}
