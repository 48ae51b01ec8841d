import { describe, expect, test } from "bun:test";
import { createSites } from "../../../src/sites/site/sites.ts";
import { fakeClock, TEST_TIME } from "../../helpers/fake-clock.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { testIds } from "../../helpers/test-ids.ts";
import { openTestStorage } from "../../helpers/test-storage.ts";

async function opened() {
  const storage = await openTestStorage();
  const { clock } = fakeClock();
  const sites = createSites({
    store: storage.sites,
    clock,
    ids: testIds(clock),
    handOverFault: () => undefined,
  });
  const organization = await sites.addOrganization("Acme");
  return { sites, organization, [Symbol.dispose]: storage[Symbol.dispose] };
}

describe("sites", () => {
  test("a site belongs to the first organization unless another is named, by name or id", async () => {
    using it = await opened();
    const other = await it.sites.addOrganization("  Other ");
    expect(other.name).toBe("Other");
    expect((await it.sites.add({ domain: "a" })).organizationId).toBe(it.organization.id);
    expect((await it.sites.add({ domain: "b", organization: "Other" })).organizationId).toBe(other.id);
    expect((await it.sites.add({ domain: "c", organization: other.id })).organizationId).toBe(other.id);
    expect((await appErrorOf(() => it.sites.add({ domain: "d", organization: "None" }))).code).toBe(
      "not_found",
    );
  });

  test("an organization's name has 1 to 100 characters", async () => {
    using it = await opened();
    for (const name of ["", "   ", "x".repeat(101)]) {
      expect((await appErrorOf(() => it.sites.addOrganization(name))).code).toBe("invalid_request");
    }
    await it.sites.addOrganization("x".repeat(100));
  });

  test("a site without a name has its domain's", async () => {
    using it = await opened();
    expect(await it.sites.add({ domain: "docs.example.com", name: "  " })).toMatchObject({
      name: "docs.example.com",
      url: undefined,
      host: undefined,
      generation: 0,
      createdAt: TEST_TIME,
    });
  });

  const DOMAINS = ["a", "docs", "docs.example.com", "a-b.c", "0", "x".repeat(63), "-", "a..b"];
  for (const domain of DOMAINS) {
    test(`${domain} is a domain`, async () => {
      using it = await opened();
      expect((await it.sites.add({ domain })).domain).toBe(domain);
    });
  }

  const NO_DOMAINS = [
    "",
    " ",
    "Docs",
    "a b",
    "a/b",
    "..",
    ".",
    "a_b",
    "größe",
    "x".repeat(64),
    "a\n",
    "a:80",
    "%61",
    "a\u0000",
  ];
  for (const domain of NO_DOMAINS) {
    test(`${JSON.stringify(domain.slice(0, 10))} is no domain`, async () => {
      using it = await opened();
      expect((await appErrorOf(() => it.sites.add({ domain }))).code).toBe("invalid_request");
      expect(await it.sites.list()).toEqual([]);
    });
  }

  const URLS: [given: string, url: string, host: string][] = [
    ["https://docs.example.com", "https://docs.example.com", "docs.example.com"],
    [" https://Docs.Example.com/ ", "https://docs.example.com", "docs.example.com"],
    ["https://example.com/Guide//", "https://example.com/Guide", "example.com"],
    ["http://localhost:3000/docs", "http://localhost:3000/docs", "localhost:3000"],
    ["https://example.com:443", "https://example.com", "example.com"],
    ["https://bücher.example", "https://xn--bcher-kva.example", "xn--bcher-kva.example"],
    ["https://example.com/#/", "https://example.com/#", "example.com"],
    ["https://example.com/Guide#", "https://example.com/Guide/#", "example.com"],
    ["https://example.com/?id=", "https://example.com/?id=", "example.com"],
    ["https://[::1]:8080/x", "https://[::1]:8080/x", "[::1]:8080"],
  ];
  for (const [given, url, host] of URLS) {
    test(`${given} is published at ${url}`, async () => {
      using it = await opened();
      expect(await it.sites.add({ domain: "docs", url: given })).toMatchObject({ url, host });
    });
  }

  test("what is no plain web address is no site's address", async () => {
    using it = await opened();
    const wrong = [
      "docs.example.com",
      "ftp://example.com",
      "javascript:alert(1)",
      "https://example.com/?q=1",
      "https://example.com/#top",
      "https://example.com/#/guide",
      "https://example.com/?id=1",
      "https://example.com/?q=1#/",
      "https://",
      "/docs",
      "file:///etc",
    ];
    for (const url of wrong) {
      expect([url, (await appErrorOf(() => it.sites.add({ domain: "docs", url }))).code]).toEqual([
        url,
        "invalid_request",
      ]);
    }
  });

  test("a password in an address is not kept: it would stand in every citation", async () => {
    using it = await opened();
    const { url, host } = await it.sites.add({ domain: "docs", url: "https://me:hush@example.com/a" });
    expect({ url, host }).toEqual({ url: "https://example.com/a", host: "example.com" });
  });

  test("a change leaves what it does not name", async () => {
    using it = await opened();
    const before = await it.sites.add({
      domain: "docs",
      name: "Docs",
      url: "https://a.example",
      settings: { origins: ["https://a.example"], public: true },
    });
    const after = await it.sites.set("docs", { settings: { suggestions: false } });
    expect(after).toEqual({ ...before, settings: { ...before.settings, suggestions: false } });
    expect(await it.sites.set("docs", { name: " New " })).toEqual({ ...after, name: "New" });
    expect(await it.sites.set("docs", { name: "" })).toEqual({ ...after, name: "New" });
    expect(await it.sites.set("docs", { url: "" })).toEqual({
      ...after,
      name: "New",
      url: undefined,
      host: undefined,
    });
  });

  test("settings that are wrong change nothing, and every fault has its path", async () => {
    using it = await opened();
    const before = await it.sites.add({ domain: "docs" });
    const error = await appErrorOf(() =>
      it.sites.set("docs", {
        name: "New",
        settings: { origins: ["*", "https://a.example/"], language: "x" },
      }),
    );
    expect(error.code).toBe("invalid_request");
    expect(error.details.map(({ path }) => path)).toEqual(["origins[0]", "origins[1]", "language"]);
    expect(await it.sites.get("docs")).toEqual(before);
  });

  test("a site that is not there is not found, whatever is asked of it", async () => {
    using it = await opened();
    const asked = [() => it.sites.get("none"), () => it.sites.set("none", {}), () => it.sites.remove("none")];
    for (const ask of asked) expect((await appErrorOf(ask)).code).toBe("not_found");
  });

  test("a removed site's domain is free", async () => {
    using it = await opened();
    await it.sites.add({ domain: "docs", name: "Old" });
    await it.sites.remove("docs");
    expect((await it.sites.add({ domain: "docs", name: "New" })).name).toBe("New");
  });
});
