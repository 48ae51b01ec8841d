import { expect, test } from "bun:test";
import { generateKeyPairSync, verify } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bestPacking, GZIP, type Packing } from "../../scripts/release/archive/packing.ts";
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

/** The archives of a release whose binaries are texts. */
async function archivesIn(folder: string, packing: Packing) {
  const out = join(folder, "release");
  const missing = await makeRelease({
    facts: await readFacts({ SOURCE_DATE_EPOCH: "1700000000" }, "1.2.3"),
    out,
    work: join(folder, "work"),
    only: ["linux-x64", "linux-x64-musl", "macos-arm64", "windows-x64"],
    packing,
    build: async ({ name }, outfile) => writeFileSync(outfile, `the program for ${name}`),
    say: () => {},
  });
  const archives = readdirSync(out).filter((name) => name.startsWith("docent-1.2.3"));
  return { out, missing: missing.join("\n"), archives: archives.sort() };
}

test.skipIf(Bun.which("xz") === null)(
  "beside each archive by gzip is one by xz, with the same in it",
  async () => {
    using directory = temporaryDirectory();
    const { out, archives, missing } = await archivesIn(directory.path, bestPacking());
    expect(missing).not.toContain("xz");
    expect(archives).toEqual([
      "docent-1.2.3-linux-x64-musl.tar.gz",
      "docent-1.2.3-linux-x64-musl.tar.xz",
      "docent-1.2.3-linux-x64.tar.gz",
      "docent-1.2.3-linux-x64.tar.xz",
      "docent-1.2.3-macos-arm64.tar.gz",
      "docent-1.2.3-macos-arm64.tar.xz",
      "docent-1.2.3-windows-x64.zip",
    ]);
    const filtered: string[] = [];
    for (const name of archives.filter((each) => each.endsWith(".tar.xz"))) {
      const unpacked = Bun.spawnSync(["xz", "--decompress", "--stdout", join(out, name)]).stdout;
      const other = Bun.gunzipSync(readFileSync(join(out, name.replace(/xz$/, "gz"))));
      expect(unpacked.equals(other)).toBe(true);
      expect(
        unpacked.includes(`the program for ${name.slice("docent-1.2.3-".length, -".tar.xz".length)}`),
      ).toBe(true);
      const about = Bun.spawnSync(["xz", "--list", "-vv", join(out, name)]).stdout.toString();
      if (about.includes("--x86")) filtered.push(name);
    }
    // BusyBox, which machines with musl have, does not read what is filtered.
    expect(filtered).toEqual(["docent-1.2.3-linux-x64.tar.xz"]);
  },
);

test("a release without xz has archives by gzip, and says what it lacks", async () => {
  using directory = temporaryDirectory();
  const { archives, missing } = await archivesIn(directory.path, GZIP);
  expect(missing).toContain(".tar.xz: the command xz is not here");
  expect(archives).toEqual([
    "docent-1.2.3-linux-x64-musl.tar.gz",
    "docent-1.2.3-linux-x64.tar.gz",
    "docent-1.2.3-macos-arm64.tar.gz",
    "docent-1.2.3-windows-x64.zip",
  ]);
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
