import { describe, expect, test } from "bun:test";
import { AppError } from "../../../src/kernel/errors.ts";
import {
  checkBranch,
  checkSubfolder,
  maskCredentials,
  parseGitLocation,
} from "../../../src/reading/git-location.ts";
import { gitEnvironment } from "../../../src/reading/sources/git/environment.ts";
import { createGitReader } from "../../../src/reading/sources/git/git.ts";

const NO_NETWORK = { privateHosts: [], certificateAuthorities: [] };

function refusalOf(work: () => unknown): AppError {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error("an AppError was expected");
}

describe("where a repository is", () => {
  test.each([
    ["https://docs.test/a/b.git", "https", "docs.test"],
    ["ssh://git@docs.test:2222/a", "ssh", "docs.test"],
    ["git@docs.test:a/b.git", "ssh", "docs.test"],
    ["docs.test:a", "ssh", "docs.test"],
  ])("%s is on a server", (location, protocol, host) => {
    expect(parseGitLocation(location) as object).toEqual({ kind: "remote", protocol, host, url: location });
  });

  test.each(["/srv/docs", "./docs", "docs", "./a:b", "C:\\docs", "a/b:c"])("%s is a folder", (location) => {
    expect(parseGitLocation(location) as object).toEqual({ kind: "local", folder: location });
  });

  test.each([
    "http://docs.test/a",
    "git://docs.test/a",
    "file:///srv/docs",
    "ext::sh -c id",
    "ftp://docs.test/a",
    "fd::17",
    "--upload-pack=touch x",
    "-oProxyCommand=id",
    "ssh://-oProxyCommand=id/a",
    "ssh://-lroot@docs.test/a",
    "",
    "https://docs.test/a\nb",
  ])("%s is refused", (location) => {
    expect(refusalOf(() => parseGitLocation(location)).code).toBe("invalid_request");
  });

  test("a secret in an address is refused, and not repeated", () => {
    for (const location of [
      "https://me:s3cret@docs.test/a",
      "https://s3cret@docs.test/a",
      "ssh://me:s3cret@docs.test/a",
    ]) {
      const error = refusalOf(() => parseGitLocation(location));
      expect(error.message).not.toContain("s3cret");
      expect(error.hint).toContain("credential");
    }
    const other = refusalOf(() => parseGitLocation("http://me:s3cret@docs.test/a"));
    expect(other.message).not.toContain("s3cret");
    expect(maskCredentials("fatal: 'https://me:s3cret@docs.test/a' and ssh://x@y")).toBe(
      "fatal: 'https://…@docs.test/a' and ssh://…@y",
    );
  });

  test("a folder is refused where the operator has not allowed it", () => {
    const options = {
      cacheFolder: "/c",
      fileBytesMax: 1,
      environment: {},
      allowsLocal: false,
      ...NO_NETWORK,
    };
    expect(refusalOf(() => createGitReader({ location: "/srv/docs", ...options })).code).toBe("forbidden");
  });
});

describe("what may stand in a command", () => {
  test.each(["main", "feature/a-b", "v1.2", "ünï", "a@b"])("%s is a branch", (branch) => {
    expect(checkBranch(branch)).toBe(branch);
  });
  test.each([
    "",
    "-x",
    "--upload-pack=x",
    "a b",
    "a..b",
    "a:b",
    "a^",
    "a~1",
    "a@{1}",
    "*",
    "a\nb",
    "a/",
    "/a",
    "@",
    ".a",
    "a.lock",
    "a//b",
    "a.",
  ])("%p is no branch", (branch) => {
    expect(refusalOf(() => checkBranch(branch)).code).toBe("invalid_request");
  });
  test("a subfolder is below the root", () => {
    expect(["", "/", ".", "./docs/", "/a/b/", "a\\b"].map(checkSubfolder)).toEqual([
      "",
      "",
      "",
      "docs",
      "a/b",
      "a/b",
    ]);
    for (const subfolder of ["..", "a/../../b", "a/./b", "a\nb"])
      expect(refusalOf(() => checkSubfolder(subfolder)).code).toBe("invalid_request");
  });
});

describe("the environment of git", () => {
  const remote = parseGitLocation("https://docs.test:8443/a/b");

  test("only https and ssh are open to it; for a repository on this machine nothing is", () => {
    expect(gitEnvironment({}, remote)["GIT_ALLOW_PROTOCOL"]).toBe("https:ssh");
    expect(gitEnvironment({}, parseGitLocation("/srv/docs"))["GIT_ALLOW_PROTOCOL"]).toBe("none");
  });

  test("what was not meant for git is not passed on", () => {
    const given = {
      PATH: "/bin",
      HTTPS_PROXY: "p",
      DOCENT_SECRET: "s",
      GIT_DIR: "/x",
      GIT_ASKPASS: "a",
      LD_PRELOAD: "l",
    };
    const environment = gitEnvironment(given, remote);
    expect(environment).toMatchObject({ PATH: "/bin", HTTPS_PROXY: "p", GIT_TERMINAL_PROMPT: "0" });
    for (const name of ["DOCENT_SECRET", "GIT_DIR", "GIT_ASKPASS", "LD_PRELOAD"])
      expect(environment).not.toHaveProperty(name);
  });

  test("a credential is sent to its own host alone, over https alone", () => {
    const credential = { username: "me", secret: "s3cret" };
    expect(gitEnvironment({}, remote, { credential })).toMatchObject({
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "http.https://docs.test:8443/.extraHeader",
      GIT_CONFIG_VALUE_0: `Authorization: Basic ${btoa("me:s3cret")}`,
    });
    const overSsh = parseGitLocation("git@docs.test:a");
    expect(refusalOf(() => gitEnvironment({}, overSsh, { credential })).code).toBe("invalid_request");
  });
});
