import { cp, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "../archive/gzip.ts";
import { expect, must } from "./run.ts";

/** Installs with the script from folders that have one archive each: the smaller one, and that for everywhere. */
export async function checkScript(release: string, platform: string, work: string): Promise<string> {
  const place = join(work, "script");
  await rm(place, { recursive: true, force: true });
  const sums = await Bun.file(join(release, "SHA256SUMS")).text();
  const programs: string[] = [];
  for (const ending of ["tar.xz", "tar.gz"]) {
    const archive = sums.split(/\s+/).find((word) => word.endsWith(`-${platform}.${ending}`));
    expect(archive !== undefined, `the release has an archive that ends in ${ending}`);
    const [from, to] = [join(place, ending), join(place, `bin-${ending}`)];
    await mkdir(from, { recursive: true });
    for (const name of ["install.sh", "SHA256SUMS", `${archive}`])
      await cp(join(release, name), join(from, name));
    await must(["sh", join(from, "install.sh"), "--from", from, "--to", to, "--platform", platform]);
    programs.push(join(to, "docent"));
  }
  const hashes = await Promise.all(programs.map(async (each) => sha256(await Bun.file(each).bytes())));
  expect(new Set(hashes).size === 1, "both archives have the same program");
  for (const each of programs) await must([each, "doctor", "--self-test"]);
  return "installed the same program from .tar.xz and from .tar.gz with install.sh, self-tested";
}
