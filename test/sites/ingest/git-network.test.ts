import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createGitReader, type GitOptions } from "../../../src/reading/sources/git/git.ts";
import { writeAuthorities } from "../../../src/reading/sources/git/network.ts";
import { type FakeSite, startFakeSite } from "../../helpers/fake-site.ts";
import { hasGit, sshToHere } from "../../helpers/git-repository.ts";
import { listContext } from "../../helpers/list-context.ts";
import { ownAuthority } from "../../helpers/own-authority.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

const NOTHING_NAMED = { privateHosts: [], certificateAuthorities: [] };

/** What a run ends in: there is no repository anywhere here. */
async function faultOf(options: Partial<GitOptions> & { location: string }) {
  using folder = temporaryDirectory();
  const cacheFolder = join(folder.path, "cache");
  const reader = createGitReader({
    cacheFolder,
    fileBytesMax: 1000,
    environment: process.env,
    allowsLocal: true,
    ...NOTHING_NAMED,
    resolve: async () => ["127.0.0.1"],
    ...options,
  });
  const error = await appErrorOf(() => Array.fromAsync(reader.list(listContext())));
  return { ...error, message: error.message, files: existsSync(cacheFolder) ? readdirSync(cacheFolder) : [] };
}

describe.skipIf(!hasGit)("a repository at a private address", () => {
  test.each(["https://docs.test/a.git", "ssh://git@docs.test/a.git", "git@docs.test:a.git"])(
    "is refused before git is run, unless it was named: %s",
    async (location) => {
      using folder = temporaryDirectory();
      const mark = join(folder.path, "was-run");
      const environment = sshToHere(folder.path, `touch ${mark}; exit 255`);
      const resolve = async () => ["10.0.0.7"];
      const { code, message, hint } = await faultOf({ location, environment, resolve });
      expect([code, message]).toEqual([
        "forbidden",
        `${location.replace("//git@", "//…@")} could not be read: docs.test is at an address that is not public: name the host or its address in private_hosts to allow it.`,
      ]);
      expect(hint).toContain("configuration");
      expect(existsSync(mark)).toBe(false);
    },
  );

  test("is refused where one of several is, and where the address itself stands in the location", async () => {
    const location = "https://docs.test/a.git";
    expect((await faultOf({ location, resolve: async () => ["192.0.3.1", "127.0.0.1"] })).code).toBe(
      "forbidden",
    );
    expect((await faultOf({ location: "https://[::1]/a.git" })).code).toBe("forbidden");
    expect((await faultOf({ location: "git@169.254.169.254:a", privateHosts: ["10.0.0.0/8"] })).code).toBe(
      "forbidden",
    );
  });

  test("is asked for where the operator has named it", async () => {
    using folder = temporaryDirectory();
    const environment = sshToHere(folder.path, "echo 'ERROR: Repository not found.' >&2; exit 1");
    for (const privateHosts of [["docs.test"], ["127.0.0.0/8"]])
      expect((await faultOf({ location: "git@docs.test:a", environment, privateHosts })).code).toBe(
        "not_found",
      );
  });

  test("is left to git where this machine does not know the name: ssh may", async () => {
    using folder = temporaryDirectory();
    const environment = sshToHere(folder.path, "echo 'ERROR: Repository not found.' >&2; exit 1");
    const resolve = async () => Promise.reject(new Error("ENOTFOUND"));
    expect((await faultOf({ location: "git@alias:a", environment, resolve })).code).toBe("not_found");
  });
});

describe.skipIf(!hasGit)("a repository over https", () => {
  let own: Awaited<ReturnType<typeof ownAuthority>>;
  let site: FakeSite;
  beforeAll(async () => {
    own = await ownAuthority("docs.test");
    site = startFakeSite({}, { tls: own.tls });
  });
  afterAll(() => site.stop());

  const fault = (options: Partial<GitOptions> = {}) =>
    faultOf({
      location: `https://docs.test:${new URL(site.url).port}/a.git`,
      privateHosts: ["docs.test"],
      ...options,
    });

  test("is fetched from the address that was checked, and an authority of one's own is trusted", async () => {
    const { code, files } = await fault({ certificateAuthorities: [own.authority] });
    expect([code, site.asked()]).toEqual(["not_found", [expect.stringContaining("/a.git/info/refs")]]);
    expect(files).toContain("authorities.pem");
  });

  test("is not read where its authority is not known", async () => {
    const { code, message } = await fault();
    expect([code, message]).toEqual(["unavailable", expect.stringMatching(/certificate/i)]);
    expect(site.asked()).toEqual([]);
  });

  test("is trusted by what git's own variable names, beside the authority of one's own", async () => {
    using folder = temporaryDirectory();
    const file = join(folder.path, "own.pem");
    await Bun.write(file, own.authority);
    const environment = { ...process.env, GIT_SSL_CAINFO: file };
    const other = (await ownAuthority("other.test")).authority;
    expect((await fault({ environment, certificateAuthorities: [other] })).code).toBe("not_found");
    expect((await fault({ environment })).code).toBe("not_found");
    expect(readFileSync(file, "utf8")).toBe(own.authority);
  });

  test("has the machine's own authorities beside one's own", async () => {
    using folder = temporaryDirectory();
    const { GIT_SSL_CAINFO: _, ...environment } = process.env;
    const network = { privateHosts: [], certificateAuthorities: [own.authority] };
    const file = await writeAuthorities(folder.path, network, environment);
    const text = readFileSync(file ?? "", "utf8");
    expect(text.split("BEGIN CERTIFICATE").length).toBeGreaterThan(100);
    expect(text).toContain(own.authority.trim());
    expect(await writeAuthorities(folder.path, { ...network, certificateAuthorities: [] }, environment)).toBe(
      undefined,
    );
  });
});
