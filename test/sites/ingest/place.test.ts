import { describe, expect, test } from "bun:test";
import { CONNECTOR_KINDS } from "../../../src/reading/connectors/connectors.ts";
import { joinGitLocation, splitGitLocation } from "../../../src/reading/git-location.ts";
import { type LocalKind, type PlaceOptions, readSourcePlace } from "../../../src/reading/place.ts";
import type { SourceKind } from "../../../src/reading/source.ts";
import { appErrorOf } from "../../helpers/rejection.ts";

const options = (found: LocalKind, change: Partial<PlaceOptions> = {}): PlaceOptions => ({
  localKind: () => found,
  ...change,
});

describe("what a place is", () => {
  const CASES: [place: string, found: LocalKind, kind: SourceKind][] = [
    ["/docs", "folder", "folder"],
    ["/docs.git", "folder", "folder"],
    ["/page.md", "file", "folder"],
    ["/docs.zip", "file", "archive"],
    ["/wiki.xar", "file", "archive"],
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
      expect(readSourcePlace(place, options(found))).toEqual({ kind, location: place });
    });
  }

  test("a person's word counts for more than the guess", () => {
    expect(readSourcePlace("/docs", options("folder", { kind: "git" }))).toEqual({
      kind: "git",
      location: "/docs",
    });
    expect(readSourcePlace("https://acme.example/a", options("nothing", { kind: "openapi" })).kind).toBe(
      "openapi",
    );
  });

  test("what cannot be told is asked for, with the kinds there are", async () => {
    const faults = [
      ["/nowhere", options("nothing"), "not_found", "There is no folder or file /nowhere."],
      ["/docs", options("folder", { kind: "ftp" }), "invalid_request", "ftp is no kind of source."],
      ["/docs", options("folder", { kind: "demo" }), "invalid_request", "demo is no kind of source."],
      ["/docs", options("folder", { branch: "main" }), "invalid_request", "Only a git source has a branch"],
      ["/docs", options("folder", { subfolder: "a" }), "invalid_request", "Only a git source has a branch"],
    ] as const;
    for (const [place, given, code, says] of faults) {
      const error = await appErrorOf(() => readSourcePlace(place, given));
      expect([error.code, error.message]).toEqual([code, expect.stringContaining(says)]);
    }
    expect((await appErrorOf(() => readSourcePlace("/docs", options("folder", { kind: "ftp" })))).hint).toBe(
      `The kinds are folder, website, llms-txt, git, archive, openapi, ${CONNECTOR_KINDS.join(", ")}.`,
    );
  });

  test("an address with a password in it is refused: what is noted is shown, and kept in backups", async () => {
    for (const place of [
      "https://me:hunter2@acme.example/docs",
      "https://hunter2@github.com/acme/docs.git",
    ]) {
      const error = await appErrorOf(() => readSourcePlace(place, options("nothing")));
      expect([error.code, error.hint]).toEqual([
        "invalid_request",
        expect.stringContaining("--authorization"),
      ]);
      expect(error.message).not.toContain("hunter2");
    }
    expect(readSourcePlace("ssh://git@acme.example/docs", options("nothing")).kind).toBe("git");
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
      const error = await appErrorOf(() => readSourcePlace(place, options("nothing", { kind })));
      expect([error.code, error.message]).toEqual(["invalid_request", expect.stringContaining(place)]);
    });
  }
});

describe("a part of a repository that no run could fetch is refused before it is noted", () => {
  const repository = "https://acme.example/docs.git";
  const refusal = (change: Partial<PlaceOptions>, place = repository) =>
    appErrorOf(() => readSourcePlace(place, options("nothing", change)));

  test.each([
    "-x",
    "--upload-pack=touch /tmp/x",
    "-",
    "a b",
    "a..b",
    "a:b",
    "a^",
    "a~1",
    "a?",
    "a*",
    "a[b",
    "a\\b",
    "a@{1}",
    "@",
    "/a",
    "a/",
    "a//b",
    ".a",
    "a/.b",
    "a.",
    "a.lock",
    "a.lock/b",
    "a\u007f",
    "a\u0000",
    "",
    "a".repeat(251),
    "a\ud800",
  ])("%j is no branch", async (branch) => {
    const { code, message } = await refusal({ branch });
    expect([code, message]).toEqual([
      "invalid_request",
      `${JSON.stringify(branch)} is no name of a branch or tag.`,
    ]);
    if (!branch.includes(":") && branch !== "")
      expect((await refusal({}, `${repository}#${branch}`)).code).toBe("invalid_request");
  });

  test.each([
    "..",
    "../docs",
    "docs/../..",
    "docs/./en",
    "/docs",
    "//docs",
    "\\docs",
    "docs\\en",
    "C:/docs",
    "docs//en",
    "docs\n",
    "docs\u0000",
    "docs\ud800",
  ])("%j is no subfolder", async (subfolder) => {
    const { code, message } = await refusal({ subfolder });
    expect([code, message]).toEqual([
      "invalid_request",
      `${JSON.stringify(subfolder)} is no folder below the repository's root.`,
    ]);
  });

  test("a branch that is named twice is asked about", async () => {
    expect((await refusal({ branch: "main" }, `${repository}#next`)).message).toContain("already");
    expect((await refusal({}, `${repository}#fix/#12`)).message).toContain("already");
  });

  test("what can be fetched is noted once, however it is written", () => {
    const noted = (change: Partial<PlaceOptions>, place = repository) =>
      readSourcePlace(place, options("nothing", change)).location;
    for (const subfolder of ["docs", "docs/", "./docs"])
      expect(noted({ subfolder })).toBe(`${repository}#:docs`);
    for (const subfolder of [".", "./"]) expect(noted({ subfolder })).toBe(repository);
    expect(noted({}, `${repository}#main:docs/en`)).toBe(`${repository}#main:docs/en`);
    expect(noted({ branch: "release/2.x" })).toBe(`${repository}#release/2.x`);
  });
});

describe("what is on this machine is what it is said to be", () => {
  const CASES: [kind: SourceKind, found: LocalKind, code: string][] = [
    ["folder", "nothing", "not_found"],
    ["git", "nothing", "not_found"],
    ["git", "file", "invalid_request"],
    ["archive", "nothing", "not_found"],
    ["archive", "folder", "invalid_request"],
    ["openapi", "folder", "invalid_request"],
    ["llms-txt", "nothing", "not_found"],
  ];
  test.each(CASES)("%s, where there is %s", async (kind, found, code) => {
    const error = await appErrorOf(() => readSourcePlace("/docs", options(found, { kind })));
    expect([error.code, error.message]).toEqual([code, expect.stringContaining("/docs")]);
  });

  test("a repository may be in a folder whose name has a #", () => {
    const { kind, location } = readSourcePlace("/srv/c#/docs", options("folder", { kind: "git" }));
    expect([kind, splitGitLocation(location)]).toEqual([
      "git",
      { repository: "/srv/c#/docs", branch: undefined, subfolder: undefined },
    ]);
    const named = readSourcePlace("/srv/c#/docs", options("folder", { kind: "git", branch: "a" }));
    expect(splitGitLocation(named.location)).toMatchObject({ repository: "/srv/c#/docs", branch: "a" });
  });
});

describe("the parts of a repository", () => {
  test("come apart again whatever is in them", () => {
    const names = ["fix/#12", "#", "a%23b", "%2523", "%25", "%", "100%", "a#b#c"];
    for (const repository of ["https://github.com/acme/docs.git", "/srv/c#/docs"])
      for (const branch of [undefined, ...names])
        for (const subfolder of [undefined, ...names])
          expect(splitGitLocation(joinGitLocation({ repository, branch, subfolder }))).toEqual({
            repository,
            branch,
            subfolder,
          });
  });

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
