import { timingSafeEqual } from "node:crypto";

/** Whether what was sent is the secret. Takes the same time whatever differs. */
export function isSameSecret(sent: string, secret: string): boolean {
  const [left, right] = [Buffer.from(sent), Buffer.from(secret)];
  return left.length === right.length && timingSafeEqual(left, right);
}
