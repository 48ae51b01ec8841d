/**
 * What is stored of a secret that Docent made. It has more random bits than anyone can try: what makes hashes of
 * passwords slow would add nothing.
 */
export const hashOf = (secret: string) => new Bun.CryptoHasher("sha256").update(secret).digest("hex");
