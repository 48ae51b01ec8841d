import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { settingsChangeSchema, siteSettingsSchema } from "../../src/sites/site/settings.ts";
import { siteJson } from "../../src/sites/site/sites.ts";
import { type AdminDoorUnderTest, startAdminDoor } from "../helpers/admin-door.ts";
import { call, connect, textOf } from "../helpers/mcp-client.ts";

let door: AdminDoorUnderTest;
beforeAll(async () => {
  door = await startAdminDoor();
});
afterAll(() => door.close());

const domains = async (as: "own" | "other" | "server") =>
  JSON.parse((await door.ask("GET", "/sites", { as })).text).map(({ domain }: { domain: string }) => domain);

describe("organizations", () => {
  test("a key of one sees its own; a key of the server sees and adds all", async () => {
    const names = async (as: "own" | "server") =>
      JSON.parse((await door.ask("GET", "/organizations", { as })).text).map(
        (each: { name: string }) => each.name,
      );
    await door.expectStatus(201, "POST", "/organizations", { as: "server", body: { name: "third" } });
    await door.expectStatus(409, "POST", "/organizations", { as: "server", body: { name: "third" } });
    expect(await names("own")).toEqual(["default"]);
    expect(await names("server")).toEqual(["default", "other", "third"]);
  });
});

describe("another organization's site that is called as the host of one's own", () => {
  const HOST = "docs.acme.example";
  const origin = `https://${HOST}`;
  const closed = { origins: ["https://elsewhere.example"], public: true };
  const asOther = { as: "other" } as const;

  test.each([
    ["by its domain", { method: "POST", path: "/sites", body: { domain: HOST, settings: closed } }],
    ["by its URL", { method: "PATCH", path: "/sites/rival", body: { url: origin, settings: closed } }],
  ])("%s, does not close it to its pages, and does not speak in its place", async (_, sent) => {
    const own = await startAdminDoor();
    const { status } = await own.ask(sent.method, sent.path, { ...asOther, body: sent.body });
    expect(status).toBeLessThan(300);
    const preflight = await fetch(`${own.url}/v1/assistant/${HOST}/message`, {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "POST" },
    });
    expect(preflight.headers.get("access-control-allow-origin")).toBe(origin);
    const client = await connect(own.url, HOST, { authorization: `Bearer ${own.key}` });
    expect(textOf(await call(client, "list_pages"))).toContain("guide/install");
    await client.close();
    await own.close();
  });
});

describe("sites", () => {
  test("one is added, read, changed and removed", async () => {
    const body = {
      domain: "new.example",
      name: "New",
      url: "https://new.example/",
      settings: { public: true },
    };
    const added = await door.ask("POST", "/sites", { body });
    expect([added.status, added.headers.get("location")]).toEqual([201, "/v1/admin/sites/new.example"]);
    expect(added.body).toMatchObject({ ...body, url: "https://new.example", pages: 0, generation: 0 });
    await door.expectStatus(200, "PATCH", "/sites/new.example", { body: { name: "Newer", url: "" } });
    expect(await door.expectStatus(200, "GET", "/sites/new.example")).toMatchObject({
      name: "Newer",
      url: null,
    });
    await door.expectStatus(400, "DELETE", "/sites/new.example", { body: { confirm: "acme" } });
    await door.expectStatus(400, "DELETE", "/sites/new.example", { body: {} });
    expect(await domains("own")).toContain("new.example");
    await door.expectStatus(204, "DELETE", "/sites/new.example", { body: { confirm: "new.example" } });
    await door.expectStatus(404, "GET", "/sites/new.example");
  });

  test("it is shown as the CLI shows it", async () => {
    const { parts } = door.app;
    const site = await parts.people.sites.get("acme");
    expect(await door.expectStatus(200, "GET", "/sites/acme")).toEqual({
      ...JSON.parse(JSON.stringify(siteJson(site))),
      ...(await parts.content.pages.countPages(site.id)),
    });
  });

  test("a change of settings leaves those alone that it does not name", async () => {
    const settings = async (change: object) =>
      (await door.expectStatus(200, "PATCH", "/sites/acme", { body: { settings: change } }))["settings"];
    await settings({
      contact: "help@acme.example",
      starterQuestions: ["How?"],
      phrases: { nearest: "Near:" },
    });
    const after = await settings({ suggestions: false });
    expect(after).toMatchObject({
      contact: "help@acme.example",
      starterQuestions: ["How?"],
      suggestions: false,
      phrases: { nearest: "Near:" },
    });
    expect(await settings({ phrases: {}, contact: "" })).toMatchObject({ phrases: {}, contact: "" });
  });

  test("every setting of a site can be changed, but those that the operator gives", () => {
    const all = Object.keys(siteSettingsSchema.shape).filter((name) => !["hosts", "jwksUrl"].includes(name));
    expect(Object.keys(settingsChangeSchema.shape).sort()).toEqual(all.sort());
    expect(settingsChangeSchema.parse({})).toEqual({});
  });

  test.each([
    [{ settings: { origins: ["docs.example.com"] } }, "settings.origins[0]"],
    [{ settings: { anchors: "word" } }, "settings.anchors"],
    [{ settings: { phrases: { nope: "x" } } }, "settings.phrases.nope"],
    [{ settings: { hosts: ["docs.example.com"] } }, "settings.hosts"],
    [{ settings: { jwksUrl: "https://docs.example.com/jwks.json" } }, "settings.jwksUrl"],
    [{ settings: { readers: "some" } }, "settings.readers"],
    [{ settings: null }, "settings"],
    [{ domain: "another" }, "domain"],
    [{ organization: "other" }, "organization"],
    [{ name: " " }, "name"],
  ])("a change %j is refused, and it is said where the fault is", async (body, path) => {
    const { details } = await door.expectStatus(400, "PATCH", "/sites/acme", { body });
    expect(details).toMatchObject([{ path }]);
  });

  test.each(["..", "Upper", "a/b", "", "x".repeat(64)])("%j is no domain", async (domain) => {
    await door.expectStatus(400, "POST", "/sites", { body: { domain } });
  });

  test("an organization's key adds sites to its own alone", async () => {
    await door.expectStatus(404, "POST", "/sites", { body: { domain: "mine", organization: "other" } });
    await door.expectStatus(201, "POST", "/sites", { body: { domain: "mine" } });
    await door.expectStatus(409, "POST", "/sites", { as: "other", body: { domain: "mine" } });
    await door.expectStatus(201, "POST", "/sites", { as: "other", body: { domain: "theirs" } });
    await door.expectStatus(201, "POST", "/sites", {
      as: "server",
      body: { domain: "given", organization: "other" },
    });
    expect(await domains("own")).toEqual(["acme", "mine"]);
    expect(await domains("other")).toEqual(["given", "rival", "theirs"]);
    expect(await domains("server")).toEqual(["acme", "given", "mine", "rival", "theirs"]);
  });

  test("where the keys of a site are is said by a key of the server alone, and is an address of https", async () => {
    const body = { jwksUrl: "https://docs.acme.example/jwks.json" };
    await door.expectStatus(403, "PATCH", "/sites/acme", { body });
    await door.expectStatus(403, "POST", "/sites", { body: { domain: "keyed", ...body } });
    await door.expectStatus(200, "PATCH", "/sites/acme", { as: "server", body });
    await door.expectStatus(200, "PATCH", "/sites/acme", { body: { settings: { readers: "public" } } });
    expect((await door.app.parts.people.sites.get("acme")).settings.jwksUrl).toBe(body.jwksUrl);
    for (const jwksUrl of [
      "http://docs.acme.example/k",
      "file:///etc/passwd",
      "https://",
      "docs.acme.example",
    ]) {
      const refused = await door.expectStatus(400, "PATCH", "/sites/acme", {
        as: "server",
        body: { jwksUrl },
      });
      expect(refused["details"]).toMatchObject([{ path: "jwksUrl" }]);
    }
    await door.expectStatus(200, "PATCH", "/sites/acme", { as: "server", body: { jwksUrl: "" } });
  });

  test("host names are given by a key of the server alone", async () => {
    const body = { hostNames: ["docs.acme.example"] };
    await door.expectStatus(403, "PATCH", "/sites/acme", { body });
    await door.expectStatus(403, "POST", "/sites", { body: { domain: "hosted", ...body } });
    await door.expectStatus(200, "PATCH", "/sites/acme", { as: "server", body });
    await door.expectStatus(200, "PATCH", "/sites/acme", { body: { name: "Acme" } });
    expect((await door.app.parts.people.sites.get("acme")).settings.hosts).toEqual(["docs.acme.example"]);
  });
});
