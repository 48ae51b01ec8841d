import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { sha256 } from "./archive/gzip.ts";
import type { ReleaseFacts } from "./release-facts.ts";

/** A file of the release, and its hash. */
export interface Released {
  name: string;
  sha256: string;
}

export const sumsOf = (files: readonly Released[]): string =>
  files.map((each) => `${each.sha256}  ${each.name}\n`).join("");

/** A signature of Ed25519 over a text, and the public key that proves it. Raises an error for a key of another kind. */
export function signed(text: string, pem: string): { signature: Uint8Array; publicKey: string } {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== "ed25519") throw new Error("RELEASE_KEY is no key of Ed25519");
  return {
    signature: sign(null, Buffer.from(text), key),
    publicKey: createPublicKey(key).export({ type: "spki", format: "pem" }).toString(),
  };
}

/** What something was made from, by an address and a hash. */
export interface Material {
  uri: string;
  digest: Record<string, string>;
}

/** What was built from what, and by whom: a statement of in-toto with a provenance of SLSA. It names no time. */
export function provenance(
  files: readonly Released[],
  { facts, materials }: { facts: ReleaseFacts; materials: readonly Material[] },
): string {
  const { commit, version, builder, url } = facts;
  const source: Material[] =
    commit === undefined ? [] : [{ uri: "git+docent", digest: { gitCommit: commit } }];
  const statement = {
    _type: "https://in-toto.io/Statement/v1",
    subject: files.map((each) => ({ name: each.name, digest: { sha256: each.sha256 } })),
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: "urn:docent:make-release:1",
        externalParameters: { target: "release", version, ...(url === undefined ? {} : { url }) },
        internalParameters: { bun: Bun.version },
        resolvedDependencies: [...source, ...materials],
      },
      runDetails: { builder: { id: builder } },
    },
  };
  return `${JSON.stringify(statement, null, 2)}\n`;
}

/** A file of the repository that decides what is built. */
export const materialOf = (path: string, bytes: Uint8Array): Material => ({
  uri: `file:${path}`,
  digest: { sha256: sha256(bytes) },
});
