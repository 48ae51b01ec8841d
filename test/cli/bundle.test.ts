import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startFakeModelStore } from "../helpers/fake-model-store.ts";
import { createWorkplace, type Workplace } from "../helpers/program.ts";
import { writeModel } from "../running/bundle/bundle-under-test.ts";

let place: Workplace;
const at = (name: string) => join(place.folder, name);
beforeAll(async () => {
  place = createWorkplace();
  for (const words of [
    ["bundle", "key", "ours"],
    ["bundle", "key", "theirs"],
    ["sites", "add", "acme"],
  ])
    expect((await place.run(...words)).code).toBe(0);
  writeModel(at("models"), "tiny");
  // A program of another platform, as far as its first bytes tell.
  writeFileSync(at("docent.exe"), Buffer.concat([Buffer.from("MZ"), Buffer.alloc(100)]));
  const made = await place.run(
    "bundle",
    "make",
    "carried",
    "--binary",
    "docent.exe",
    "--sign",
    "ours.pem",
    "--with-model",
    "tiny",
    "--models-folder",
    "models",
  );
  expect(made.code, made.err).toBe(0);
});
afterAll(() => place.dispose());

/** As `openssl pkey -pubin -outform DER | sha256sum` gives it. */
const fingerprint = (name: string) => {
  const pem = readFileSync(at(name), "utf8").replace(/-----[^-]+-----|\s/g, "");
  return createHash("sha256").update(Buffer.from(pem, "base64")).digest("hex");
};

const install = (...words: string[]) =>
  place.run("bundle", "install", "carried", "--data", "other", ...words);

describe("a bundle", () => {
  test("is shown to whoever has it, and verified with the key of whom one trusts", async () => {
    const shown = await place.run("bundle", "show", "carried", "--json");
    expect(JSON.parse(shown.out)).toMatchObject({
      signed: true,
      platform: "win32-x64",
      models: ["tiny"],
      since: null,
    });
    expect((await place.run("bundle", "verify", "carried", "--key", "ours.pub.pem")).code).toBe(0);
    const wrong = await place.run("bundle", "verify", "carried", "--key", "theirs.pub.pem");
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining("not signed with the key of")]);
  });

  test("has a signature that openssl takes", async () => {
    if (Bun.which("openssl") === null) return;
    Bun.spawnSync(["tar", "-xf", "carried", "manifest.json", "manifest.sig"], { cwd: place.folder });
    const verified = Bun.spawnSync(
      "openssl pkeyutl -verify -pubin -inkey ours.pub.pem -rawin -in manifest.json -sigfile manifest.sig".split(
        " ",
      ),
      { cwd: place.folder },
    );
    expect(verified.stdout.toString()).toContain("Verified Successfully");
  });

  test("is installed only with whose signature it has to have, or where the person takes any", async () => {
    const silent = await install("--without-binary");
    expect([silent.code, silent.err]).toEqual([1, expect.stringContaining("--unsigned")]);
    const wrong = await install("--without-binary", "--key", "theirs.pub.pem");
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining("not signed with the key of")]);
    expect(() => statSync(at("other"))).toThrow();
  });

  test("whose program is for another platform is refused, but for the rest", async () => {
    const refused = await install("--key", "ours.pub.pem", "--to", "bin/docent");
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("is for win32-x64")]);
    await using store = startFakeModelStore();
    place.setVariable("OLLAMA_HOST", store.url);
    const installed = await install("--key", "ours.pub.pem", "--without-binary");
    expect(installed.code, installed.err).toBe(0);
    expect([...store.models.keys()]).toEqual(["tiny"]);
    expect((await place.run("sites", "list", "--data", "other", "--json")).out).toContain('"acme"');
    expect(installed.out).toStartWith("Installed the bundle of 20");
  });

  test("is shown where it was installed, by bundle show and by doctor", async () => {
    const shown = await place.run("bundle", "show", "--data", "other", "--json");
    const carried = JSON.parse((await place.run("bundle", "show", "carried", "--json")).out);
    expect(JSON.parse(shown.out)).toEqual({
      ...carried,
      signed: null,
      signedBy: fingerprint("ours.pub.pem"),
      installedAt: expect.stringMatching(/^20/),
    });
    expect((await place.run("doctor", "--data", "other")).out).toMatch(
      new RegExp(`ok +bundle: installed 20.* signed with the key ${fingerprint("ours.pub.pem")}, made 20`),
    );
    const none = await place.run("bundle", "show");
    expect([none.code, none.err]).toEqual([1, expect.stringContaining("No bundle was installed into")]);
    expect((await place.run("doctor")).out).not.toContain("bundle");
  });

  test("of which an older one is refused unless it is asked for, and the old database's place is said", async () => {
    await using store = startFakeModelStore();
    place.setVariable("OLLAMA_HOST", store.url);
    const newer = await place.run("bundle", "make", "newer", "--without-binary", "--sign", "ours.pem");
    expect(newer.code, newer.err).toBe(0);
    const upgrade = ["--key", "ours.pub.pem", "--without-binary", "--data", "other"];
    const upgraded = await place.run("bundle", "install", "newer", ...upgrade);
    expect(upgraded.out).toMatch(/To go back to it: docent restore .*before-restore-.*\.db\n/);
    const refused = await install("--key", "ours.pub.pem", "--without-binary");
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("add --older")]);
    const back = await install("--key", "ours.pub.pem", "--without-binary", "--older");
    expect([back.code, back.err]).toEqual([0, expect.stringContaining("This bundle is older")]);
  });

  test("is not installed where a server runs", async () => {
    const server = await place.serve("--data", "served");
    const refused = await place.run(
      "bundle",
      "install",
      "carried",
      "--key",
      "ours.pub.pem",
      "--without-binary",
      "--data",
      "served",
    );
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("A server is using")]);
    server.child.kill("SIGTERM");
    await server.child.exited;
  });
});

test("a private key is for its owner alone, and no key is written over another", async () => {
  expect(statSync(at("ours.pem")).mode & 0o077).toBe(0);
  // The other is for everyone: whoever carries it need not be the one who made it.
  expect(statSync(at("ours.pub.pem")).mode & 0o777).toBe(0o644);
  const before = readFileSync(at("ours.pem"), "utf8");
  const named = await place.run("bundle", "key", "named", "--json");
  expect(JSON.parse(named.out).fingerprint).toBe(fingerprint("named.pub.pem"));
  expect((await place.run("bundle", "key", "ours")).code).toBe(1);
  expect(readFileSync(at("ours.pem"), "utf8")).toBe(before);
});
