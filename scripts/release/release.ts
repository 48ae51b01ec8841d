import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { cycloneDx, spdx } from "../../src/bundle/bill/bill.ts";
import { SECOND_MS } from "../../src/lib/clock.ts";
import { buildFor, TARGETS, type Target } from "../build.ts";
import { file, withFolders } from "./archive/entry.ts";
import { gzip, sha256 } from "./archive/gzip.ts";
import { tar } from "./archive/tar.ts";
import { zip } from "./archive/zip.ts";
import { archiveTree, makeCompanions } from "./companions.ts";
import { cLibrary } from "./image/c-library.ts";
import { ociImage } from "./image/oci.ts";
import { composeFile, kubernetesManifests } from "./manifests/deploy.ts";
import { homebrewFormula, nixFlake, scoopManifest, wingetManifests } from "./manifests/managers.ts";
import { type DebArchitecture, deb } from "./packages/deb.ts";
import { type RpmArchitecture, rpm } from "./packages/rpm.ts";
import type { Companions } from "./packages/tree.ts";
import { type Material, materialOf, provenance, type Released, signed, sumsOf } from "./proofs.ts";
import { type ReleaseFacts, ROOT, readFacts } from "./release-facts.ts";

// Makes a release in dist/release: for every platform its binary in an archive, packages, images, manifests, checksums,
// signature and provenance. What cannot be made here, it says. Two releases of a commit are the same, to the bit.

/** The binaries that are in packages and images: those that run on every machine of the architecture. */
const PACKAGED: Readonly<Record<string, { debian: DebArchitecture; rpm: RpmArchitecture }>> = {
  "linux-x64-baseline": { debian: "amd64", rpm: "x86_64" },
  "linux-arm64": { debian: "arm64", rpm: "aarch64" },
};

/** What a release is gathered in while it is made. */
interface Release {
  facts: ReleaseFacts;
  companions: Companions;
  /** For files that are no part of it. */
  work: string;
  released: Released[];
  materials: Material[];
  missing: string[];
  add(name: string, content: Uint8Array | string): Promise<void>;
}

interface ReleaseOptions {
  facts: ReleaseFacts;
  /** The folder of the release, which is emptied before. */
  out: string;
  work: string;
  /** The platforms, by their names; all of them unless named. */
  only?: readonly string[];
  say: (line: string) => void;
}

/** Makes a release. Returns what could not be made, with why. */
export async function makeRelease({ facts, out, work, only, say }: ReleaseOptions): Promise<string[]> {
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const released: Released[] = [];
  const release: Release = {
    facts,
    companions: await makeCompanions(facts.version),
    work,
    released,
    materials: await readMaterials(),
    missing: [],
    async add(name, content) {
      const bytes = Buffer.from(content);
      await Bun.write(join(out, name), bytes);
      released.push({ name, sha256: sha256(bytes) });
      say(
        `${name}  ${bytes.length < 1_000_000 ? `${bytes.length} bytes` : `${Math.round(bytes.length / 1_000_000)} MB`}`,
      );
    },
  };
  for (const target of TARGETS) {
    if (only !== undefined && !only.includes(target.name)) continue;
    await addTarget(release, target);
  }
  await addManifests(release);
  await addProofs(release);
  return release.missing;
}

async function addTarget(release: Release, target: Target): Promise<void> {
  const { facts, companions, work } = release;
  const binary = await binaryOf(target, work);
  const name = `docent-${facts.version}-${target.name}`;
  const others = archiveTree(name, companions);
  if (target.platform === "win32")
    await release.add(`${name}.zip`, zip(filesOf([file(`${name}/docent.exe`, binary, 0o755), ...others])));
  else
    await release.add(
      `${name}.tar.gz`,
      await gzip(tar(withFolders([file(`${name}/docent`, binary, 0o755), ...others]), facts)),
    );
  const packaged = PACKAGED[target.name];
  if (packaged === undefined) return;
  const architecture = packaged.debian;
  await release.add(
    `docent_${facts.version}_${architecture}.deb`,
    await deb(binary, companions, { facts, architecture }),
  );
  await release.add(
    `docent-${facts.version}-1.${packaged.rpm}.rpm`,
    await rpm(binary, companions, { facts, architecture: packaged.rpm }),
  );
  await addImage(release, binary, architecture);
}

async function binaryOf(target: Target, work: string): Promise<Uint8Array> {
  const outfile = join(work, target.name, target.platform === "win32" ? "docent.exe" : "docent");
  await mkdir(dirname(outfile), { recursive: true });
  await buildFor(target, outfile);
  return Bun.file(outfile).bytes();
}

const filesOf = (entries: readonly ReturnType<typeof file>[]) =>
  entries.flatMap((entry) => (entry.kind === "file" ? [entry] : []));

async function addImage(release: Release, binary: Uint8Array, architecture: DebArchitecture): Promise<void> {
  const { facts, work, materials, missing } = release;
  const library = await cLibrary(architecture, work);
  if (library === undefined) {
    missing.push(
      `the image for ${architecture}: its C library comes from Debian's packages, with apt-get and dpkg-deb`,
    );
    return;
  }
  materials.push({ uri: `deb:${library.from.name}`, digest: { sha256: library.from.sha256 } });
  await release.add(
    `docent-${facts.version}-oci-${architecture}.tar`,
    await ociImage(binary, library.entries, { facts, architecture }),
  );
}

async function addManifests(release: Release): Promise<void> {
  const { facts, released, missing, companions } = release;
  await release.add("docent.1", companions.man);
  const bill = { version: facts.version, at: facts.changedAt * SECOND_MS };
  await release.add("docent.spdx.json", asJson(spdx(bill)));
  await release.add("docent.cdx.json", asJson(cycloneDx(bill)));
  await release.add("compose.yaml", composeFile(facts));
  await release.add("kubernetes.yaml", kubernetesManifests(facts));
  const script = await Bun.file(join(import.meta.dir, "install.sh")).text();
  await release.add(
    "install.sh",
    script.replace("@VERSION@", () => facts.version).replace("@URL@", () => facts.url ?? ""),
  );
  const { url } = facts;
  if (url === undefined) {
    missing.push(
      "manifests for Homebrew, Scoop, winget and Nix: RELEASE_URL does not say where the archives will be",
    );
    return;
  }
  const find = (platform: string) => {
    const found = released.find(({ name }) => name.startsWith(`docent-${facts.version}-${platform}.`));
    if (found === undefined) throw new Error(`there is no archive for ${platform}`);
    return { url: `${url}/${found.name}`, sha256: found.sha256 };
  };
  await release.add("homebrew/docent.rb", homebrewFormula(facts, find, url));
  await release.add("scoop/docent.json", scoopManifest(facts, find, url));
  await release.add("nix/flake.nix", nixFlake(facts, find));
  for (const [name, text] of Object.entries(wingetManifests(facts, find)))
    await release.add(`winget/${name}`, text);
}

const asJson = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

/** Last, because they are about all the others. */
async function addProofs(release: Release): Promise<void> {
  const { facts, released, materials, missing } = release;
  await release.add("provenance.json", provenance(released, { facts, materials }));
  const sums = sumsOf(released);
  await release.add("SHA256SUMS", sums);
  if (facts.keyFile === undefined) {
    missing.push("the signature of SHA256SUMS: RELEASE_KEY names no private key of Ed25519");
    return;
  }
  const { signature, publicKey } = signed(sums, await Bun.file(facts.keyFile).text());
  await release.add("SHA256SUMS.sig", signature);
  await release.add("docent.pub", publicKey);
}

async function readMaterials(): Promise<Material[]> {
  const files = ["bun.lock", "package.json"];
  return Promise.all(files.map(async (path) => materialOf(path, await Bun.file(join(ROOT, path)).bytes())));
}

if (import.meta.main) {
  // What the bundler writes depends on where it stands.
  process.chdir(ROOT);
  const missing = await makeRelease({
    facts: await readFacts(process.env),
    out: join(ROOT, "dist", "release"),
    work: join(ROOT, ".cache", "release"),
    say: (line) => process.stdout.write(`${line}\n`),
  });
  for (const each of missing) process.stdout.write(`Not made: ${each}.\n`);
}
