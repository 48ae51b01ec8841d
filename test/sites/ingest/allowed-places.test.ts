import { describe, expect, test } from "bun:test";
import { createSourcePermissions } from "../../../src/reading/allowed-places.ts";

const ACME = { id: "01ACME", name: "acme" };
const RIVAL = { id: "01RIVAL", name: "The Rival, Ltd = good" };

const permissionsOf = (sourceRoots: string[], organizations: { id: string; name: string }[]) =>
  createSourcePermissions({
    settings: { source_roots: sourceRoots, private_hosts: [] },
    listOrganizations: async () => organizations,
  });

describe("the folders of an organization", () => {
  test("are those that name it, by its name or its id, and no other's", async () => {
    const roots = ["acme=/srv/acme", "01RIVAL=/srv/rival", "acme=/srv/a=b", "*=/srv/shared"];
    const permissions = permissionsOf(roots, [ACME, RIVAL]);
    expect((await permissions.of(ACME.id)).folders).toEqual(["/srv/acme", "/srv/a=b", "/srv/shared"]);
    expect((await permissions.of(RIVAL.id)).folders).toEqual(["/srv/rival", "/srv/shared"]);
    expect((await permissions.of("01GONE")).folders).toEqual([]);
    expect(await permissions.ownerless()).toEqual([]);
  });

  test("that name none are the only organization's, and nobody's where there are several", async () => {
    const roots = ["/srv/docs", "/srv/a=b", "C:\\docs"];
    expect((await permissionsOf(roots, [ACME]).of(ACME.id)).folders).toEqual(roots);
    const several = permissionsOf(roots, [ACME, RIVAL]);
    expect((await several.of(ACME.id)).folders).toEqual([]);
    expect((await several.of(RIVAL.id)).folders).toEqual([]);
    expect(await several.ownerless()).toEqual(roots.map((entry) => ({ setting: "source_roots", entry })));
  });

  test("of one that is not there are nobody's", async () => {
    const permissions = permissionsOf(["acne=/srv/acme", "ACME=/srv/acme"], [ACME]);
    expect((await permissions.of(ACME.id)).folders).toEqual([]);
    expect(await permissions.ownerless()).toHaveLength(2);
  });

  test("go by the id, whatever another organization is called", async () => {
    const thief = { id: "01THIEF", name: ACME.id };
    const permissions = permissionsOf(["01ACME=/srv/acme"], [ACME, thief]);
    expect((await permissions.of(ACME.id)).folders).toEqual(["/srv/acme"]);
    expect((await permissions.of(thief.id)).folders).toEqual([]);
  });

  test("follow who is there: a second organization takes away what named none", async () => {
    const organizations = [ACME];
    const permissions = permissionsOf(["/srv/docs"], organizations);
    expect((await permissions.of(ACME.id)).folders).toEqual(["/srv/docs"]);
    organizations.push(RIVAL);
    expect((await permissions.of(ACME.id)).folders).toEqual([]);
  });
});

test("private hosts may be one organization's, and are for all where they name none", async () => {
  const permissions = createSourcePermissions({
    settings: { source_roots: [], private_hosts: ["acme=docs.internal", "10.0.0.0/8", "nobody=10.1.1.1"] },
    listOrganizations: async () => [ACME, RIVAL],
  });
  expect((await permissions.of(ACME.id)).privateHosts).toEqual(["docs.internal", "10.0.0.0/8"]);
  expect((await permissions.of(RIVAL.id)).privateHosts).toEqual(["10.0.0.0/8"]);
  expect(await permissions.ownerless()).toEqual([{ setting: "private_hosts", entry: "nobody=10.1.1.1" }]);
});
