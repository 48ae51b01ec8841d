import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { SECOND_MS } from "../../src/kernel/lib/clock.ts";
import { cycloneDx, spdx } from "../../src/running/bundle/bill/bill.ts";
import { buildFor, TARGETS, type Target } from "../build.ts";
import { file, withFolders } from "./archive/entry.ts";
import { sha256 } from "./archive/gzip.ts";
import { bestPacking, GZIP, type Packing } from "./archive/packing.ts";
import { tar } from "./archive/tar.ts";
import { zip } from "./archive/zip.ts";
import { archiveTree, makeCompanions } from "./companions.ts";
import { cLibrary } from "./image/c-library.ts";
import { ociImage } from "./image/oci.ts";
import { composeFile, kubernetesManifests } from "./manifests/deploy.ts";
import {
  findArchive,
  homebrewFormula,
  nixFlake,
  scoopManifest,
  wingetManifests,
} from "./manifests/managers.ts";
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

/** So many platforms at once: each needs about a gigabyte of memory, and xz a minute of a processor for every file. */
const PACKED_AT_ONCE = 2;

/** What a release is gathered in while it is made. */
interface Release {
  facts: ReleaseFacts;
  companions: Companions;
  /** How the packages are packed. */
  packing: Packing;
  build: typeof buildFor;
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
  /** The best that this machine has, unless named. */
  packing?: Packing;
  /** What writes the binary of a platform to a file. */
  build?: typeof buildFor;
  say: (line: string) => void;
}

/** Makes a release. Returns what could not be made, with why. */
export async function makeRelease({
  facts,
  out,
  work,
  only,
  packing = bestPacking(),
  build = buildFor,
  say,
}: ReleaseOptions): Promise<string[]> {
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const released: Released[] = [];
  const release: Release = {
    facts,
    companions: await makeCompanions(facts.version),
    packing,
    build,
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
  const targets = TARGETS.filter(({ name }) => only === undefined || only.includes(name));
  if (packing.name !== "xz" && targets.some(({ platform }) => platform !== "win32"))
    release.missing.push(
      "archives that end in .tar.xz: the command xz is not here, and the packages are packed with gzip",
    );
  for (let from = 0; from < targets.length; from += PACKED_AT_ONCE)
    await addTargets(release, targets.slice(from, from + PACKED_AT_ONCE));
  await addManifests(release);
  await addProofs(release);
  return release.missing;
}

interface Built {
  target: Target;
  binary: Uint8Array;
}

interface Made {
  name: string;
  bytes: Uint8Array;
}

/** Builds platforms one after the other, and packs them side by side. */
async function addTargets(release: Release, targets: readonly Target[]): Promise<void> {
  const built = await Array.fromAsync(targets, async (target) => ({
    target,
    binary: await binaryOf(target, release),
  }));
  const packed = await Promise.all(
    built.map(async (each) => ({ ...each, made: await packedOf(release, each) })),
  );
  for (const { target, binary, made } of packed) {
    for (const { name, bytes } of made) await release.add(name, bytes);
    const packaged = PACKAGED[target.name];
    if (packaged !== undefined) await addImage(release, binary, packaged.debian);
  }
}

async function packedOf(release: Release, { target, binary }: Built): Promise<Made[]> {
  const { facts, companions } = release;
  const name = `docent-${facts.version}-${target.name}`;
  const others = archiveTree(name, companions);
  if (target.platform === "win32") {
    const inside = filesOf([file(`${name}/docent.exe`, binary, 0o755), ...others]);
    return [{ name: `${name}.zip`, bytes: zip(inside) }];
  }
  const archive = tar(withFolders([file(`${name}/docent`, binary, 0o755), ...others]), facts);
  return Promise.all([...archivesOf(release, target, archive), ...packagesOf(release, { target, binary })]);
}

/** One packed with gzip, which every machine unpacks, and one in the best way that there is. */
function archivesOf({ facts, packing }: Release, target: Target, archive: Uint8Array): Promise<Made>[] {
  // Where the C library is musl, xz is often BusyBox's.
  const x64 = target.arch === "x64" && !target.name.endsWith("-musl");
  return [...new Set([GZIP, packing])].map(async ({ ending, pack }) => ({
    name: `docent-${facts.version}-${target.name}.tar.${ending}`,
    bytes: await pack(archive, { x64 }),
  }));
}

function packagesOf({ facts, companions, packing }: Release, { target, binary }: Built): Promise<Made>[] {
  const packaged = PACKAGED[target.name];
  if (packaged === undefined) return [];
  const made = async (name: string, bytes: Promise<Uint8Array>) => ({ name, bytes: await bytes });
  return [
    made(
      `docent_${facts.version}_${packaged.debian}.deb`,
      deb(binary, companions, { facts, architecture: packaged.debian, packing }),
    ),
    made(
      `docent-${facts.version}-1.${packaged.rpm}.rpm`,
      rpm(binary, companions, { facts, architecture: packaged.rpm, packing }),
    ),
  ];
}

async function binaryOf(target: Target, { work, build }: Release): Promise<Uint8Array> {
  const outfile = join(work, target.name, target.platform === "win32" ? "docent.exe" : "docent");
  await mkdir(dirname(outfile), { recursive: true });
  await build(target, outfile);
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
  const find = findArchive(released, { version: facts.version, url });
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
