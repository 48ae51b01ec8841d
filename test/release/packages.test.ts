import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { file } from "../../scripts/release/archive/entry.ts";
import { bestPacking, GZIP } from "../../scripts/release/archive/packing.ts";
import { zip } from "../../scripts/release/archive/zip.ts";
import { makeCompanions } from "../../scripts/release/companions.ts";
import { ociImage } from "../../scripts/release/image/oci.ts";
import { deb } from "../../scripts/release/packages/deb.ts";
import { rpm } from "../../scripts/release/packages/rpm.ts";
import type { ReleaseFacts } from "../../scripts/release/release-facts.ts";
import { ended } from "../helpers/ended.ts";

const facts: ReleaseFacts = {
  version: "1.2.3",
  description: "Answers from docs.",
  license: "MIT",
  commit: "0123456789abcdef0123456789abcdef01234567",
  changedAt: 1_700_000_001,
  url: undefined,
  image: "docent:1.2.3",
  maintainer: "Ada <ada@example.com>",
  keyFile: undefined,
  builder: "urn:docent:builder:test",
};
/** Stands for the binary; an odd length, so that what has to be filled up is. */
const BINARY = Buffer.from("#!/bin/sh\necho docent 1.2.3\n ");

const folder = mkdtempSync(join(tmpdir(), "docent-packages-"));
const at = (name: string) => join(folder, name);
const isHere = (program: string) => Bun.which(program) !== null;
const companions = await makeCompanions("1.2.3");
const hasXz = isHere("xz");
const packing = bestPacking();
const packages = {
  deb: () => deb(BINARY, companions, { facts, architecture: "amd64", packing }),
  rpm: () => rpm(BINARY, companions, { facts, architecture: "x86_64", packing }),
  "gzip.deb": () => deb(BINARY, companions, { facts, architecture: "amd64", packing: GZIP }),
  "gzip.rpm": () => rpm(BINARY, companions, { facts, architecture: "x86_64", packing: GZIP }),
  "arm64.deb": () => deb(BINARY, companions, { facts, architecture: "arm64", packing }),
  "arm64.rpm": () => rpm(BINARY, companions, { facts, architecture: "aarch64", packing }),
  image: () => ociImage(BINARY, [file("lib64/loader", "loader", 0o755)], { facts, architecture: "amd64" }),
  zip: async () => zip([{ path: "docent/docent.exe", bytes: BINARY, mode: 0o755 }]),
};

beforeAll(async () => {
  for (const [name, make] of Object.entries(packages)) writeFileSync(at(`docent.${name}`), await make());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(...command: string[]): Promise<string> {
  const child = Bun.spawn(command, {
    cwd: folder,
    stdout: "pipe",
    stderr: "pipe",
    env: { ...process.env, TZ: "UTC" },
  });
  const { out, err, code } = await ended(child);
  expect({ command, code, err: code === 0 ? "" : err }).toEqual({ command, code: 0, err: "" });
  return out;
}

const INSIDE = [
  "/usr/bin/docent",
  "/usr/lib/systemd/system/docent.service",
  "/usr/share/man/man1/docent.1.gz",
  "/usr/share/bash-completion/completions/docent",
  "/usr/share/fish/vendor_completions.d/docent.fish",
  "/etc/docent/docent.env",
];

test.each(Object.entries(packages))("two of %s are the same to the bit", async (name, make) => {
  expect(Buffer.from(await make()).equals(readFileSync(at(`docent.${name}`)))).toBe(true);
});

/** The members of an archive of `ar`, by their names. */
function membersOf(archive: Buffer): Map<string, Buffer> {
  const members = new Map<string, Buffer>();
  for (let from = 8; from < archive.length; ) {
    const name = archive.toString("latin1", from, from + 16).trim();
    const length = Number(archive.toString("latin1", from + 48, from + 58));
    members.set(name, archive.subarray(from + 60, from + 60 + length));
    from += 60 + length + (length % 2);
  }
  return members;
}

/** The kinds of package, with what is in the file that xz packed. */
const PACKED: [kind: string, find: (content: Buffer) => Buffer | undefined][] = [
  ["deb", (content) => membersOf(content).get("data.tar.xz")],
  ["rpm", (content) => content.subarray(content.indexOf("\xfd7zXZ\0", 0, "latin1"))],
];

describe.skipIf(!hasXz)("what xz packs", () => {
  const listed = async (name: string, bytes: Uint8Array | undefined) => {
    writeFileSync(at(name), bytes ?? "");
    return run("xz", "--list", "--verbose", "--verbose", at(name));
  };

  test.each(PACKED)(
    "in a %s is for readers of all ages, and as code for x64 where it is that",
    async (kind, find) => {
      const x64 = await listed(`${kind}.xz`, find(readFileSync(at(`docent.${kind}`))));
      const arm64 = await listed(`${kind}.arm64.xz`, find(readFileSync(at(`docent.arm64.${kind}`))));
      expect(x64).toMatch(/--x86 --lzma2=dict=8MiB/);
      expect(arm64).not.toMatch(/--x86|--arm/);
      for (const said of [x64, arm64]) {
        expect(said).toMatch(/Check:\s+CRC32/);
        expect(said).toMatch(/Blocks:\s+1\n/);
      }
    },
  );

  test("does not depend on what is set for the machine", async () => {
    const plain = new Uint8Array(100_000);
    const before = await packing.pack(plain);
    const { XZ_DEFAULTS, XZ_OPT } = process.env;
    Object.assign(process.env, { XZ_DEFAULTS: "--block-size=1000", XZ_OPT: "--block-size=2000" });
    try {
      expect(Buffer.from(await packing.pack(plain)).equals(before)).toBe(true);
    } finally {
      for (const [name, value] of Object.entries({ XZ_DEFAULTS, XZ_OPT }))
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
    }
  });
});

describe.skipIf(!isHere("dpkg-deb"))("the package for Debian", () => {
  test("unpacks to the same files, by xz and by gzip", async () => {
    for (const [name, ending] of [
      ["docent", packing.ending],
      ["docent.gzip", "gz"],
    ]) {
      const members = [...membersOf(readFileSync(at(`${name}.deb`))).keys()];
      expect(members).toEqual(["debian-binary", "control.tar.gz", `data.tar.${ending}`]);
      await run("dpkg-deb", "--extract", `${name}.deb`, at(`${name}.unpacked`));
    }
    await run("diff", "--recursive", at("docent.unpacked"), at("docent.gzip.unpacked"));
    for (const path of INSIDE) expect(existsSync(at(`docent.unpacked${path}`))).toBe(true);
  });

  test("is one that dpkg reads, with everything in it, of root", async () => {
    const listed = await run("dpkg-deb", "--contents", "docent.deb");
    for (const path of INSIDE) expect(listed).toContain(` .${path}\n`);
    expect(listed).toMatch(/-rw------- root\/root .* \.\/etc\/docent\/docent\.env\n/);
    expect(listed).toMatch(/-rwxr-xr-x root\/root .* 2023-11-14 22:13 \.\/usr\/bin\/docent\n/);
    expect(await run("dpkg-deb", "--field", "docent.deb", "Package", "Version", "Architecture")).toBe(
      "Package: docent\nVersion: 1.2.3\nArchitecture: amd64\n",
    );
  });

  test("has files whose sums are right, and scripts that a shell reads", async () => {
    mkdirSync(at("root"));
    await run("dpkg-deb", "--extract", "docent.deb", at("root"));
    await run("dpkg-deb", "--control", "docent.deb", at("control"));
    await run("sh", "-c", "cd root && md5sum --check --quiet ../control/md5sums");
    for (const script of ["postinst", "prerm", "postrm"]) await run("sh", "-n", at(`control/${script}`));
    expect(readFileSync(at("control/conffiles"), "utf8")).toBe("/etc/docent/docent.env\n");
    expect(readFileSync(at("root/usr/bin/docent"))).toEqual(BINARY);
  });
});

describe.skipIf(!isHere("rpm"))("the package for RPM", () => {
  test("is one whose digests RPM finds right", async () => {
    const said = await run("rpm", "--checksig", "--verbose", "docent.rpm");
    expect(said.match(/digest: OK/g)?.length).toBe(4);
  });

  test("says how its files are packed, and that RPM has to know it", async () => {
    const ask = (name: string) =>
      run("rpm", "-qp", "--queryformat", "%{PAYLOADCOMPRESSOR} %{PAYLOADFLAGS}", `${name}.rpm`);
    const needs = (name: string) => run("rpm", "-qp", "--requires", `${name}.rpm`);
    expect(await ask("docent")).toBe(`${packing.name} 6`);
    expect((await needs("docent")).includes("rpmlib(PayloadIsXz) <= 5.2-1\n")).toBe(hasXz);
    expect(await ask("docent.gzip")).toBe("gzip 6");
    expect(await needs("docent.gzip")).not.toContain("PayloadIsXz");
  });

  test.skipIf(!isHere("rpm2cpio"))("unpacks to the same files, by xz and by gzip", async () => {
    for (const name of ["docent", "docent.gzip"])
      await run("sh", "-c", `rpm2cpio ${name}.rpm > ${name}.cpio`);
    const archive = readFileSync(at("docent.cpio"));
    expect(archive.equals(readFileSync(at("docent.gzip.cpio")))).toBe(true);
    for (const path of INSIDE) expect(archive.includes(`.${path}\0`)).toBe(true);
    expect(archive.includes(BINARY)).toBe(true);
  });

  test("has everything in it, with settings that an upgrade leaves alone", async () => {
    const listed = await run("rpm", "-qp", "--list", "docent.rpm");
    for (const path of INSIDE) expect(listed).toContain(`${path}\n`);
    expect(await run("rpm", "-qp", "--configfiles", "docent.rpm")).toBe("/etc/docent/docent.env\n");
    const facts = await run(
      "rpm",
      "-qp",
      "--queryformat",
      "%{NAME} %{VERSION}-%{RELEASE} %{ARCH} %{LICENSE} %{BUILDTIME}",
      "docent.rpm",
    );
    expect(facts).toBe("docent 1.2.3-1 x86_64 MIT 1700000001");
    const flags = await run(
      "rpm",
      "-qp",
      "--queryformat",
      "[%{FILENAMES} %{FILEFLAGS:fflags}\n]",
      "docent.rpm",
    );
    expect(flags).toContain("/etc/docent/docent.env cn\n");
  });
});

describe("the image", () => {
  test("is for an account that is not root, says how its health is asked, and keeps its data on a volume", async () => {
    await run("tar", "-xf", "docent.image");
    const [image] = JSON.parse(readFileSync(at("manifest.json"), "utf8"));
    const { config, rootfs } = JSON.parse(readFileSync(at(image.Config), "utf8"));
    expect(config).toMatchObject({
      User: "10001:10001",
      Entrypoint: ["/usr/bin/docent"],
      Cmd: ["serve"],
      Volumes: { "/data": {} },
      Healthcheck: { Test: ["CMD", "/usr/bin/docent", "health"] },
    });
    expect(rootfs.diff_ids).toHaveLength(2);
    for (const [index, layer] of image.Layers.entries()) {
      const plain = Bun.gunzipSync(readFileSync(at(layer)));
      const hash = new Bun.CryptoHasher("sha256").update(plain).digest("hex");
      expect(rootfs.diff_ids[index]).toBe(`sha256:${hash}`);
      writeFileSync(at(`layer-${index}.tar`), plain);
    }
    expect(await run("tar", "-tvf", "layer-0.tar")).toMatch(/drwx------ 10001\/10001 .* data\/\n/);
    expect(await run("tar", "-tvf", "layer-1.tar")).toMatch(/-rwxr-xr-x root\/root .* usr\/bin\/docent\n/);
  });

  test.skipIf(!isHere("skopeo"))("is read as OCI's and as Docker's", async () => {
    for (const kind of ["oci-archive", "docker-archive"]) {
      const said = JSON.parse(await run("skopeo", "inspect", `${kind}:${at("docent.image")}`));
      expect(said).toMatchObject({ Architecture: "amd64", Os: "linux" });
    }
  });
});

test.skipIf(!isHere("python3"))("the archive for Windows is one that others unpack", async () => {
  const read =
    "import zipfile; z = zipfile.ZipFile('docent.zip'); assert z.testzip() is None; print(z.namelist(), z.read('docent/docent.exe'))";
  expect(await run("python3", "-c", read)).toContain("echo docent 1.2.3");
});
