import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { AppError } from "@docent/kernel/errors";

/** A pair of keys in PEM, as openssl reads and writes them (PKCS #8 and SPKI). */
interface KeyPair {
  privateKey: string;
  publicKey: string;
}

export function makeKeyPair(): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return {
    privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    publicKey: publicKey.export({ type: "spki", format: "pem" }).toString(),
  };
}

/** The 64 bytes of an Ed25519 signature: `openssl pkeyutl -verify -rawin` takes them too. */
export function signatureOf(bytes: Uint8Array, privateKey: string): Uint8Array {
  return sign(
    null,
    bytes,
    ed25519("private", () => createPrivateKey(privateKey)),
  );
}

export function isSignedBy(bytes: Uint8Array, signature: Uint8Array, publicKey: string): boolean {
  return verify(
    null,
    bytes,
    ed25519("public", () => createPublicKey(publicKey)),
    signature,
  );
}

/** What a public key is called, as `openssl pkey -pubin -outform DER | sha256sum` gives it. */
export function fingerprintOf(publicKey: string): string {
  const key = ed25519("public", () => createPublicKey(publicKey));
  return createHash("sha256")
    .update(key.export({ type: "spki", format: "der" }))
    .digest("hex");
}

function ed25519(what: "private" | "public", read: () => KeyObject): KeyObject {
  const hint = "docent bundle key <name> makes a pair; so does openssl genpkey -algorithm ed25519.";
  let key: KeyObject;
  try {
    key = read();
  } catch (cause) {
    throw new AppError("invalid_request", `This is no ${what} key in PEM.`, { hint, cause });
  }
  if (key.asymmetricKeyType === "ed25519" && key.type === what) return key;
  throw new AppError("invalid_request", `This is no ${what} key of Ed25519.`, { hint });
}
