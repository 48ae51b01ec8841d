import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { $ } from "bun";
import { ROOT, readFacts } from "./release-facts.ts";

// Makes a release of the last commit in two folders, and compares the hash of every file: `make reproducible`.

/** Of different lengths: a path that got into a file would move what stands behind it. */
const FOLDERS = ["one", "another-of-the-two"];

async function releaseIn(folder: string, changedAt: number): Promise<Map<string, string>> {
  const place = join(ROOT, ".cache", "twice", folder);
  await rm(place, { recursive: true, force: true });
  await mkdir(place, { recursive: true });
  await $`git -C ${ROOT} archive HEAD | tar -x -C ${place}`.quiet();
  // Links in the place of copies: the files are the same, and there are many.
  await $`cp --archive --link ${join(ROOT, "node_modules")} ${join(place, "node_modules")}`.quiet();
  await $`${process.execPath} scripts/release/release.ts`
    .cwd(place)
    .env({
      ...process.env,
      SOURCE_DATE_EPOCH: String(changedAt),
      RELEASE_URL: "https://docs.example.com/docent",
    })
    .quiet();
  const sums = await Bun.file(join(place, "dist/release/SHA256SUMS")).text();
  return new Map(
    sums
      .trim()
      .split("\n")
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  );
}

const { changedAt } = await readFacts(process.env);
const [one = new Map(), another = new Map()] = await Array.fromAsync(FOLDERS, (each) =>
  releaseIn(each, changedAt),
);
const names = [...new Set([...one.keys(), ...another.keys()])];
const different = names.filter((name) => one.get(name) !== another.get(name));
for (const name of names)
  process.stdout.write(`${different.includes(name) ? "DIFFERENT" : "the same "}  ${name}\n`);
process.stdout.write(
  `${names.length} files in each of two folders, ${different.length} of them different.\n`,
);
await rm(join(ROOT, ".cache", "twice"), { recursive: true, force: true });
process.exit(different.length === 0 && names.length > 0 ? 0 : 1);
