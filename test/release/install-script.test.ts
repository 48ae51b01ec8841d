import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { file, withFolders } from "../../scripts/release/archive/entry.ts";
import { gzip, sha256 } from "../../scripts/release/archive/gzip.ts";
import { bestPacking } from "../../scripts/release/archive/packing.ts";
import { tar } from "../../scripts/release/archive/tar.ts";
import { signed, sumsOf } from "../../scripts/release/proofs.ts";
import { ended } from "../helpers/ended.ts";

const SCRIPT = join(import.meta.dir, "../../scripts/release/install.sh");
const NAME = "docent-1.2.3-linux-x64";
const folder = mkdtempSync(join(tmpdir(), "docent-install-"));
const mirror = join(folder, "a mirror");
const program = join(folder, "bin", "docent");
const pem = () =>
  generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const key = pem();

function programSaying(word: string): Uint8Array {
  const entries = withFolders([file(`${NAME}/docent`, `#!/bin/sh\necho ${word}\n`, 0o755)]);
  return tar(entries, { changedAt: 0 });
}

/** Adds the smaller archive to the folder, with another program in it, so that it shows which one was taken. */
async function publishSmaller(): Promise<void> {
  const archive = await bestPacking().pack(programSaying("smaller"), { x64: true });
  writeFileSync(join(mirror, `${NAME}.tar.xz`), archive);
  appendFileSync(join(mirror, "SHA256SUMS"), sumsOf([{ name: `${NAME}.tar.xz`, sha256: sha256(archive) }]));
}

/** A folder for PATH in which everything of the system is, but another xz, or none. */
function pathWith(xz: string | undefined): string {
  const path = mkdtempSync(join(folder, "path-"));
  for (const each of ["/usr/bin", "/bin"])
    for (const name of readdirSync(each))
      if (name !== "xz" && !existsSync(join(path, name))) symlinkSync(join(each, name), join(path, name));
  if (xz !== undefined) writeFileSync(join(path, "xz"), xz, { mode: 0o755 });
  return path;
}

/** A folder as `make release` leaves it without xz, with a program that is a script. */
async function publish(): Promise<void> {
  rmSync(mirror, { recursive: true, force: true });
  rmSync(join(folder, "bin"), { recursive: true, force: true });
  mkdirSync(mirror);
  const archive = await gzip(programSaying("installed"));
  const sums = sumsOf([{ name: `${NAME}.tar.gz`, sha256: sha256(archive) }]);
  const { signature, publicKey } = signed(sums, key);
  const script = readFileSync(SCRIPT, "utf8").replace("@VERSION@", "1.2.3").replace("@URL@", "");
  writeFileSync(join(mirror, `${NAME}.tar.gz`), archive);
  writeFileSync(join(mirror, "SHA256SUMS"), sums);
  writeFileSync(join(mirror, "SHA256SUMS.sig"), signature);
  writeFileSync(join(folder, "docent.pub"), publicKey);
  writeFileSync(join(folder, "another.pub"), signed("", pem()).publicKey);
  writeFileSync(join(folder, "install.sh"), script);
}

const install = (...words: string[]) => installWith({}, ...words);

async function installWith(environment: Record<string, string>, ...words: string[]) {
  const child = Bun.spawn(
    ["sh", join(folder, "install.sh"), "--to", join(folder, "bin"), "--platform", "linux-x64", ...words],
    { cwd: folder, stdout: "pipe", stderr: "pipe", env: { ...process.env, ...environment } },
  );
  return ended(child);
}

const said = () => new Response(Bun.spawn([program], { stdout: "pipe" }).stdout).text();

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("install.sh", () => {
  beforeAll(publish);

  test("installs from a folder what its checksum and its signature say", async () => {
    const { code, out, err } = await install("--from", mirror, "--key", "docent.pub");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("The signature is good.");
    expect(await said()).toBe("installed\n");
  });

  test("installs from a mirror's address, over a program that is there", async () => {
    await publish();
    using server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: (request) => new Response(Bun.file(join(mirror, new URL(request.url).pathname))),
    });
    for (const _time of ["first", "second"]) {
      const { code, out, err } = await install("--from", server.url.origin);
      expect({ code, err }).toEqual({ code: 0, err: "" });
      expect(out).toContain("The signature was not checked");
    }
    expect(existsSync(program)).toBe(true);
  });

  const TAMPERED: [what: string, words: string[], tamper: () => void, says: string][] = [
    [
      "an archive that is another",
      [],
      () => appendFileSync(join(mirror, `${NAME}.tar.gz`), "x"),
      "is not what SHA256SUMS says",
    ],
    [
      "sums that nobody signed",
      ["--key", "docent.pub"],
      () => appendFileSync(join(mirror, "SHA256SUMS"), "\n"),
      "is not signed with the key",
    ],
    ["a signature by another key", ["--key", "another.pub"], () => {}, "is not signed with the key"],
    [
      "a missing signature, where one is asked for",
      ["--key", "docent.pub"],
      () => rmSync(join(mirror, "SHA256SUMS.sig")),
      "cannot be had",
    ],
    [
      "sums without the archive",
      [],
      () => writeFileSync(join(mirror, "SHA256SUMS"), ""),
      "has no docent-1.2.3",
    ],
    ["an option that it does not know", ["--fore", "x"], () => {}, "is not known"],
  ];
  test.each(TAMPERED)("refuses %s, and installs nothing", async (_what, words, tamper, says) => {
    await publish();
    tamper();
    const { code, err } = await install("--from", mirror, ...words);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(says) });
    expect(existsSync(program)).toBe(false);
  });
});

describe.skipIf(Bun.which("xz") === null)("install.sh, where there is a smaller archive", () => {
  const BUSYBOX = "#!/bin/sh\necho 'xz: unrecognized option' >&2\nexit 1\n";
  const TAKEN: [which: string, where: string, prepare: () => Record<string, string>, says: string][] = [
    ["it", "xz is installed", () => ({}), "smaller\n"],
    ["the other", "xz is not", () => ({ PATH: pathWith(undefined) }), "installed\n"],
    ["the other", "xz is BusyBox's", () => ({ PATH: pathWith(BUSYBOX) }), "installed\n"],
    [
      "the other",
      "it was not carried along",
      () => {
        rmSync(join(mirror, `${NAME}.tar.xz`));
        return {};
      },
      "installed\n",
    ],
  ];
  test.each(TAKEN)("takes %s where %s", async (_which, _where, prepare, says) => {
    await publish();
    await publishSmaller();
    const { code, err } = await installWith(prepare(), "--from", mirror);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(await said()).toBe(says);
  });

  test("refuses it where it is another, and unpacks nothing of it", async () => {
    await publish();
    await publishSmaller();
    appendFileSync(join(mirror, `${NAME}.tar.xz`), "x");
    const { code, err } = await install("--from", mirror);
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining(".tar.xz is not what SHA256SUMS says"),
    });
    expect(existsSync(program)).toBe(false);
  });
});
