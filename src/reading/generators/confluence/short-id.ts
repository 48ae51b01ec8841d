/** The id in a short address `/wiki/x/UYDOT`: its bytes in base64, the last one first, without the zeros at its end. */
export function idOfShort(short: string): string {
  const bytes = Buffer.from(short.replaceAll("-", "/").replaceAll("_", "+").padEnd(12, "A"), "base64");
  return bytes.readBigUInt64LE(0).toString();
}
