import { describe, expect, test } from "bun:test";
import {
  joinGitLocation,
  type LocalKind,
  type PlaceOptions,
  readPlace,
  splitGitLocation,
} from "../../src/ingest/place.ts";
import type { SourceKind } from "../../src/ingest/source-store.ts";
import { appErrorOf } from "../helpers/rejection.ts";

const options = (found: LocalKind, change: Partial<PlaceOptions> = {}): PlaceOptions => ({
  localKind: () => found,
  ...change,
});

describe("what a place is", () => {
  const CASES: [place: string, found: LocalKind, kind: SourceKind][] = [
    ["/docs", "folder", "folder"],
    ["/docs.git", "folder", "folder"],
    ["/docs.zip", "file", "archive"],
    ["/docs.tar.gz", "file", "archive"],
    ["/docs.TGZ", "file", "archive"],
    ["/api.yaml", "file", "openapi"],
    ["/api.json", "file", "openapi"],
    ["/site/llms.txt", "file", "llms-txt"],
    ["/site/llms-full.txt", "file", "llms-txt"],
    ["https://docs.acme.example", "nothing", "website"],
    ["https://docs.acme.example/guide/", "nothing", "website"],
    ["https://docs.acme.example/sitemap.xml", "nothing", "website"],
    ["http://docs.acme.example:8080/a?b=c", "nothing", "website"],
    ["https://docs.acme.example/llms.txt", "nothing", "llms-txt"],
    ["https://docs.acme.example/llms-full.txt?v=2", "nothing", "llms-txt"],
    ["https://acme.example/openapi.json", "nothing", "openapi"],
    ["https://acme.example/v2/swagger.yaml?raw=1", "nothing", "openapi"],
    ["https://acme.example/data.json", "nothing", "website"],
    ["https://github.com/acme/docs.git", "nothing", "git"],
    ["ssh://git@acme.example/docs", "nothing", "git"],
    ["git@acme.example:docs", "nothing", "git"],
    ["HTTPS://docs.acme.example", "nothing", "website"],
  ];
  for (const [place, found, kind] of CASES) {
    test(`${place} is ${kind}`, () => {
      expect(readPlace(place, options(found))).toEqual({ kind, location: place });
    });
  }

  test("a person's word counts for more than the guess", () => {
    expect(readPlace("/docs", options("folder", { kind: "git" }))).toEqual({
      kind: "git",
      location: "/docs",
    });
    expect(readPlace("https://acme.example/a", options("nothing", { kind: "openapi" })).kind).toBe("openapi");
  });

  test("what cannot be told is asked for, with the kinds there are", async () => {
    const faults = [
      ["/nowhere", options("nothing"), "not_found", "There is no folder or file /nowhere."],
      ["/page.md", options("file"), "invalid_request", "What kind of source is /page.md?"],
      ["/docs", options("folder", { kind: "ftp" }), "invalid_request", "ftp is no kind of source."],
      ["/docs", options("folder", { kind: "demo" }), "invalid_request", "demo is no kind of source."],
      ["/docs", options("folder", { branch: "main" }), "invalid_request", "Only a git source has a branch"],
      ["/docs", options("folder", { subfolder: "a" }), "invalid_request", "Only a git source has a branch"],
    ] as const;
    for (const [place, given, code, says] of faults) {
      const error = await appErrorOf(() => readPlace(place, given));
      expect([error.code, error.message]).toEqual([code, expect.stringContaining(says)]);
    }
    expect((await appErrorOf(() => readPlace("/docs", options("folder", { kind: "ftp" })))).hint).toBe(
      "The kinds are folder, website, llms-txt, git, archive, openapi.",
    );
  });

  test("an address with a password in it is refused: what is noted is shown, and kept in backups", async () => {
    for (const place of [
      "https://me:hunter2@acme.example/docs",
      "https://hunter2@github.com/acme/docs.git",
    ]) {
      const error = await appErrorOf(() => readPlace(place, options("nothing")));
      expect([error.code, error.hint]).toEqual([
        "invalid_request",
        expect.stringContaining("--authorization"),
      ]);
      expect(error.message).not.toContain("hunter2");
    }
    expect(readPlace("ssh://git@acme.example/docs", options("nothing")).kind).toBe("git");
  });
});

describe("a place that no run could read is refused before it is noted", () => {
  const CASES: [place: string, kind?: SourceKind][] = [
    ["file:///etc/passwd"],
    ["file:///srv/docs/llms.txt"],
    ["file:///srv/openapi.json", "openapi"],
    ["ftp://acme.example/docs/"],
    ["FTP://acme.example/docs/", "website"],
    ["/srv/docs", "website"],
    ["data://text/plain,zebra"],
    ["https://", "website"],
    ["git://acme.example/docs"],
    ["file:///srv/docs.git"],
    ["http://acme.example/docs.git"],
    ["ext::sh -c id", "git"],
    ["https://acme.example/docs", "folder"],
    ["https://acme.example/docs.zip", "archive"],
  ];
  for (const [place, kind] of CASES) {
    test(`${place}${kind === undefined ? "" : `, as ${kind}`}`, async () => {
      const error = await appErrorOf(() => readPlace(place, options("nothing", { kind })));
      expect([error.code, error.message]).toEqual(["invalid_request", expect.stringContaining(place)]);
    });
  }
});

describe("the parts of a repository", () => {
  test("are one text, and come apart again", () => {
    const repository = "https://github.com/acme/docs.git";
    const cases = [
      [{}, repository],
      [{ branch: "main" }, `${repository}#main`],
      [{ branch: "feature/a-b" }, `${repository}#feature/a-b`],
      [{ subfolder: "docs" }, `${repository}#:docs`],
      [{ branch: "v1.2", subfolder: "docs/en" }, `${repository}#v1.2:docs/en`],
      [{ branch: "main", subfolder: "a:b" }, `${repository}#main:a:b`],
    ] as const;
    for (const [part, text] of cases) {
      expect(joinGitLocation({ repository, ...part })).toBe(text);
      expect(splitGitLocation(text)).toEqual({
        repository,
        branch: undefined,
        subfolder: undefined,
        ...part,
      });
    }
  });

  test("of an ssh address with a colon come apart too", () => {
    expect(splitGitLocation("git@acme.example:docs#main")).toMatchObject({
      repository: "git@acme.example:docs",
      branch: "main",
    });
  });
});
