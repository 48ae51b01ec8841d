import { timingSafeEqual } from "node:crypto"; /**
 * What is stored of a secret that Docent made. It has more random bits than anyone can try: what makes hashes of
 * passwords slow would add nothing.
 */
export const hashSecret = (secret: string) => new Bun.CryptoHasher("sha256").update(secret).digest("hex");

/** Whether what was sent is the secret. Takes the same time whatever differs. */
export function isSameSecret(sent: string, secret: string): boolean {
  const [left, right] = [Buffer.from(sent), Buffer.from(secret)];
  return left.length === right.length && timingSafeEqual(left, right);
}
