import { expect, test } from "bun:test";
import { generateKeyPairSync, verify } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeRelease } from "../../scripts/release/release.ts";
import { readFacts } from "../../scripts/release/release-facts.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";

/** Everything of a release but the binaries, which take minutes: `make packages` makes and uses those. */
async function releaseIn(folder: string, environment: Record<string, string>) {
  const out = join(folder, "release");
  const facts = await readFacts({ SOURCE_DATE_EPOCH: "1700000000", ...environment });
  const missing = await makeRelease({ facts, out, work: join(folder, "work"), only: [], say: () => {} });
  return { out, missing };
}

test("a release without a key and an address is made, and says what it lacks", async () => {
  using directory = temporaryDirectory();
  const { out, missing } = await releaseIn(directory.path, {});
  expect(missing).toEqual([expect.stringContaining("RELEASE_URL"), expect.stringContaining("RELEASE_KEY")]);
  expect(readdirSync(out).sort()).toEqual([
    "SHA256SUMS",
    "compose.yaml",
    "docent.1",
    "docent.cdx.json",
    "docent.spdx.json",
    "install.sh",
    "kubernetes.yaml",
    "provenance.json",
  ]);
});

test("the bills of materials are of the release's version and time, and name what is in the binary", async () => {
  using directory = temporaryDirectory();
  const { out } = await releaseIn(directory.path, {});
  const read = (name: string) => JSON.parse(readFileSync(join(out, name), "utf8"));
  const [spdx, cyclone] = [read("docent.spdx.json"), read("docent.cdx.json")];
  const { version } = await readFacts({});
  expect([spdx.packages[0].versionInfo, spdx.creationInfo.created]).toEqual([
    version,
    "2023-11-14T22:13:20Z",
  ]);
  expect([cyclone.metadata.component.version, cyclone.metadata.timestamp]).toEqual([
    version,
    "2023-11-14T22:13:20.000Z",
  ]);
  const names: string[] = cyclone.components.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(["elysia", "zod", "sqlite-vec"]));
  expect(spdx.packages.length).toBe(names.length + 1);
});

test("every file is in the sums and, but for itself, in the provenance; the signature is over the sums", async () => {
  using directory = temporaryDirectory();
  const keyFile = join(directory.path, "key.pem");
  const { privateKey } = generateKeyPairSync("ed25519");
  writeFileSync(keyFile, privateKey.export({ type: "pkcs8", format: "pem" }));
  const { out } = await releaseIn(directory.path, { RELEASE_KEY: keyFile });
  const sums = readFileSync(join(out, "SHA256SUMS"), "utf8");
  const listed = sums
    .trim()
    .split("\n")
    .map((line) => line.slice(66));
  expect(listed.sort()).toEqual(
    readdirSync(out)
      .filter((name) => !/^(?:SHA256SUMS|docent\.pub)/.test(name))
      .sort(),
  );
  const { subject } = JSON.parse(readFileSync(join(out, "provenance.json"), "utf8"));
  const subjects: { name: string }[] = subject;
  expect(subjects.map(({ name }) => name).sort()).toEqual(
    listed.filter((name) => name !== "provenance.json"),
  );
  const publicKey = readFileSync(join(out, "docent.pub"), "utf8");
  expect(verify(null, Buffer.from(sums), publicKey, readFileSync(join(out, "SHA256SUMS.sig")))).toBe(true);
  expect(readFileSync(join(out, "install.sh"), "utf8")).not.toContain("@VERSION@");
});
