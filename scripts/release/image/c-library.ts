import { mkdir, readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { $ } from "bun";
import { type Entry, file } from "../archive/entry.ts";
import { sha256 } from "../archive/gzip.ts";
import type { DebArchitecture } from "../packages/deb.ts";

/** What the binary loads of the C library, and what that loads to find a host by its name. */
const LIBRARIES = [
  "libc.so.6",
  "libm.so.6",
  "libpthread.so.0",
  "libdl.so.2",
  "librt.so.1",
  "libresolv.so.2",
  "libnss_dns.so.2",
  "libnss_files.so.2",
];

const LOADERS: Record<DebArchitecture, string> = {
  amd64: "lib64/ld-linux-x86-64.so.2",
  arm64: "lib/ld-linux-aarch64.so.1",
};
const TRIPLES: Record<DebArchitecture, string> = { amd64: "x86_64-linux-gnu", arm64: "aarch64-linux-gnu" };

export interface CLibrary {
  entries: Entry[];
  /** The package that it is from, with its hash, for the provenance. */
  from: { name: string; sha256: string };
}

/**
 * The C library of Debian for an architecture, from its package, which apt fetches and checks. Undefined where there is
 * no apt, or it finds none. apt keeps its lists in a folder of this release: the machine's own are left as they are.
 */
export async function cLibrary(architecture: DebArchitecture, work: string): Promise<CLibrary | undefined> {
  if (Bun.which("apt-get") === null || Bun.which("dpkg-deb") === null) return undefined;
  const place = join(work, `libc-${architecture}`);
  await rm(place, { recursive: true, force: true });
  for (const each of ["lists/partial", "cache/archives/partial", "root", "found"])
    await mkdir(join(place, each), { recursive: true });
  await Bun.write(join(place, "status"), "");
  const options = [
    `APT::Architecture=${architecture}`,
    `APT::Architectures=${architecture}`,
    `Dir::State=${place}`,
    `Dir::State::lists=${join(place, "lists")}`,
    `Dir::State::status=${join(place, "status")}`,
    `Dir::Cache=${join(place, "cache")}`,
    "APT::Sandbox::User=root",
  ].flatMap((option) => ["-o", option]);
  const updated = await $`apt-get ${options} update`.quiet().nothrow();
  const got = await $`apt-get ${options} download libc6`.cwd(join(place, "found")).quiet().nothrow();
  const [name] = await readdir(join(place, "found"));
  if (updated.exitCode !== 0 || got.exitCode !== 0 || name === undefined) return undefined;
  const packed = join(place, "found", name);
  await $`dpkg-deb -x ${packed} ${join(place, "root")}`.quiet();
  const read = async (path: string) => Bun.file(join(place, "root", path)).bytes();
  const loader = LOADERS[architecture];
  const inPackage = `lib/${TRIPLES[architecture]}`;
  return {
    entries: [
      file(loader, await read(`${inPackage}/${basename(loader)}`), 0o755),
      ...(await Promise.all(
        LIBRARIES.map(async (library) =>
          file(`${inPackage}/${library}`, await read(`${inPackage}/${library}`), 0o755),
        ),
      )),
      file("usr/share/doc/libc6/copyright", await read("usr/share/doc/libc6/copyright")),
    ],
    from: { name: decodeURIComponent(name), sha256: sha256(await Bun.file(packed).bytes()) },
  };
}
