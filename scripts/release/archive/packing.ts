import { gzip } from "./gzip.ts";

/** A way to pack what formats name in their headers and endings. Packed bytes depend on nothing but what is in them. */
export interface Packing {
  name: "xz" | "gzip";
  ending: "xz" | "gz";
  pack(bytes: Uint8Array, options?: PackOptions): Promise<Uint8Array>;
}

interface PackOptions {
  /**
   * Whether most of it is code for x64, of which xz then makes two percent less. Readers that are not made from XZ's own
   * library, such as BusyBox, read none of that.
   */
  x64?: boolean;
}

export const GZIP: Packing = { name: "gzip", ending: "gz", pack: (bytes) => gzip(bytes) };

const XZ: Packing = { name: "xz", ending: "xz", pack: xz };

/** Packs smaller by a quarter, with the command xz, where it is here. */
export const bestPacking = (): Packing => (Bun.which("xz") === null ? GZIP : XZ);

async function xz(bytes: Uint8Array, { x64 = false }: PackOptions = {}): Promise<Uint8Array> {
  const child = Bun.spawn(
    [
      "xz",
      "--stdout",
      // Several threads would part it into blocks, by how many there are.
      "--threads=1",
      // The check that dpkg and RPM write too: the smallest readers know no other.
      "--check=crc32",
      // Code for arm64 has a filter as well, which only readers since 2022 know.
      ...(x64 ? ["--x86"] : []),
      "--lzma2=preset=6",
    ],
    {
      // What is set for the machine would change what is written.
      env: { ...process.env, XZ_DEFAULTS: "", XZ_OPT: "" },
      stdin: bytes,
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  const [packed, said, code] = await Promise.all([
    new Response(child.stdout).bytes(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`xz ended with ${code}: ${said}`);
  return packed;
}
