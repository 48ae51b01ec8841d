import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { buildFor, TARGETS } from "../../build.ts";
import { GZIP } from "../archive/packing.ts";
import { makeCompanions } from "../companions.ts";
import { deb } from "../packages/deb.ts";
import { rpm } from "../packages/rpm.ts";
import { makeRelease } from "../release.ts";
import { type ReleaseFacts, ROOT, readFacts } from "../release-facts.ts";
import { checkArm64 } from "./arm64.ts";
import { checkBooted } from "./booted.ts";
import { checkDeb } from "./debian.ts";
import { checkRpm } from "./fedora.ts";
import { checkImage } from "./image.ts";
import { isHere, LeftOut } from "./run.ts";
import { checkScript } from "./script.ts";

// Makes the archives, packages and images for Linux, and uses them as people do: `make packages`. It says what it leaves
// out because something is missing here, and fails only where something that was tried is not as it should be.

const OLDER = "0.1.0";
const X64 = "linux-x64-baseline";
const ARM64 = "linux-arm64";

interface Place {
  work: string;
  out: string;
  older: ReleaseFacts;
  newer: ReleaseFacts;
}

interface Check {
  name: string;
  needs: readonly string[];
  run(place: Place): Promise<string>;
}

const CHECKS: readonly Check[] = [
  {
    name: "script",
    needs: ["xz"],
    run: async (place) => checkScript(place.out, X64, place.work),
  },
  {
    name: "deb",
    needs: ["dpkg-deb", "debootstrap", "unshare", "setpriv"],
    async run(place) {
      const newer = join(place.out, `docent_${place.newer.version}_amd64.deb`);
      return checkDeb({ older: await olderPackage(place, "deb"), newer }, place.work);
    },
  },
  {
    name: "rpm",
    needs: ["rpm", "debootstrap", "unshare", "setpriv"],
    async run(place) {
      const newer = join(place.out, `docent-${place.newer.version}-1.x86_64.rpm`);
      return checkRpm({ older: await olderPackage(place, "rpm"), newer }, place.work);
    },
  },
  {
    name: "systemd",
    needs: ["dpkg-deb", "debootstrap", "unshare", "systemd-nspawn"],
    async run(place) {
      const newer = join(place.out, `docent_${place.newer.version}_amd64.deb`);
      return checkBooted({ older: await olderPackage(place, "deb"), newer }, place.work);
    },
  },
  {
    name: "image",
    needs: ["apt-get", "dpkg-deb", isHere("runc") ? "runc" : "bwrap"],
    run: async (place) => checkImage(await imageOf(place, "amd64"), place.work),
  },
  {
    name: "arm64",
    needs: ["apt-get", "dpkg-deb", "qemu-aarch64-static"],
    run: async (place) => checkArm64(await imageOf(place, "arm64"), place.work),
  },
];

async function imageOf({ out, newer }: Place, architecture: string): Promise<string> {
  const image = join(out, `docent-${newer.version}-oci-${architecture}.tar`);
  if (await Bun.file(image).exists()) return image;
  throw new LeftOut("the C library of Debian could not be fetched");
}

/** The same files under the older version, packed as everywhere: there is no older program to package yet. */
async function olderPackage({ older, work }: Place, kind: "deb" | "rpm"): Promise<string> {
  const target = TARGETS.find(({ name }) => name === X64);
  if (target === undefined) throw new Error(`${X64} is not built`);
  const binary = join(work, "build", X64, "docent");
  if (!(await Bun.file(binary).exists())) await buildFor(target, binary);
  const bytes = await Bun.file(binary).bytes();
  const companions = await makeCompanions(OLDER);
  const written = join(work, `older.${kind}`);
  const content =
    kind === "deb"
      ? await deb(bytes, companions, { facts: older, architecture: "amd64", packing: GZIP })
      : await rpm(bytes, companions, { facts: older, architecture: "x86_64", packing: GZIP });
  await Bun.write(written, content);
  return written;
}

async function preparePlace(): Promise<Place> {
  const older = await readFacts(process.env, OLDER);
  const said = await readFacts(process.env);
  // Until there is another version, the newer one is called after the older.
  const version = said.version === OLDER ? `${OLDER}+check` : said.version;
  const newer = { ...said, version, image: "docent:check", keyFile: undefined, url: undefined };
  const work = join(ROOT, ".cache", "packages");
  await mkdir(work, { recursive: true });
  return { work, out: join(work, "release"), older, newer };
}

const say = (line: string) => process.stdout.write(`${line}\n`);

async function main(): Promise<number> {
  // What the bundler writes depends on where it stands.
  process.chdir(ROOT);
  if (process.platform !== "linux" || process.arch !== "x64" || process.getuid?.() !== 0) {
    say("The packages are left out: they are used on Linux for x64, as root.");
    return 0;
  }
  const place = await preparePlace();
  const { newer: facts, out, work } = place;
  await makeRelease({ facts, out, work: join(work, "build"), only: [X64, ARM64], say: () => {} });
  let failed = 0;
  for (const { name, needs, run } of CHECKS) {
    const missing = needs.filter((each) => !isHere(each));
    if (missing.length > 0) {
      say(`left out  ${name}: ${missing.join(", ")} is not here`);
      continue;
    }
    const startedAt = performance.now();
    try {
      say(`ok        ${name}: ${await run(place)} (${Math.round((performance.now() - startedAt) / 1000)} s)`);
    } catch (error) {
      if (error instanceof LeftOut) {
        say(`left out  ${name}: ${error.message}`);
        continue;
      }
      failed++;
      say(
        `FAIL      ${name}: ${error instanceof Error ? [error.message, error.cause].join(" ") : String(error)}`,
      );
    }
  }
  return failed === 0 ? 0 : 1;
}

process.exit(await main());
