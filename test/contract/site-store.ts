import { describe, expect, test } from "bun:test";
import { appErrorOf } from "../helpers/rejection.ts";
import { addSite, newSite, ORGANIZATION } from "../helpers/site-data.ts";
import type { OpenStores } from "./stores.ts";

/** What every SiteStore guarantees. */
export function describeSiteStore(name: string, open: OpenStores<"sites">): void {
  describe(`site store: ${name}`, () => {
    test("organizations are listed in the order in which they were added, also within a millisecond", async () => {
      using stores = await open();
      const second = { ...ORGANIZATION, id: "org-0", name: "A second one" };
      await stores.sites.addOrganization(ORGANIZATION);
      await stores.sites.addOrganization(second);
      expect(await stores.sites.listOrganizations()).toEqual([ORGANIZATION, second]);
    });

    test("an organization's name is taken once", async () => {
      using stores = await open();
      await stores.sites.addOrganization(ORGANIZATION);
      const error = await appErrorOf(() => stores.sites.addOrganization({ ...ORGANIZATION, id: "org-2" }));
      expect(error.code).toBe("conflict");
      expect(error.message).toContain(ORGANIZATION.name);
      expect(await stores.sites.listOrganizations()).toHaveLength(1);
    });

    test("a site is found as it was added", async () => {
      using stores = await open();
      await stores.sites.addOrganization(ORGANIZATION);
      const given = newSite("docs.example.com", {
        name: "Näme \u{1F600}",
        url: "https://docs.example.com/guide",
        host: "docs.example.com",
        settings: {
          ...newSite("x").settings,
          origins: ["https://a.example"],
          phrases: { quoting: "'; DROP TABLE sites" },
        },
      });
      const added = await stores.sites.addSite(given);
      expect(added).toEqual({ ...given, id: added.id, generation: 0 });
      expect(await stores.sites.findSite("docs.example.com")).toEqual(added);
    });

    test("a site without an address has none", async () => {
      using stores = await open();
      const { url, host } = await addSite(stores.sites);
      expect({ url, host }).toEqual({ url: undefined, host: undefined });
    });

    test("a domain is taken once on the whole server", async () => {
      using stores = await open();
      await addSite(stores.sites, "docs");
      await stores.sites.addOrganization({ ...ORGANIZATION, id: "org-2", name: "Other" });
      const error = await appErrorOf(() =>
        stores.sites.addSite(newSite("docs", { organizationId: "org-2" })),
      );
      expect(error.code).toBe("conflict");
      expect(await stores.sites.listSites()).toHaveLength(1);
    });

    test("a site of an organization that is not there is refused", async () => {
      using stores = await open();
      await expect(stores.sites.addSite(newSite("docs"))).rejects.toThrow();
      expect(await stores.sites.listSites()).toEqual([]);
    });

    test("sites are listed by domain", async () => {
      using stores = await open();
      for (const domain of ["b", "a", "c"]) await addSite(stores.sites, domain);
      expect((await stores.sites.listSites()).map(({ domain }) => domain)).toEqual(["a", "b", "c"]);
    });

    test("an unknown domain finds nothing", async () => {
      using stores = await open();
      await addSite(stores.sites, "docs");
      expect(await stores.sites.findSite("Docs")).toBeUndefined();
      expect(await stores.sites.findSite("doc%")).toBeUndefined();
    });

    test("a change leaves what it does not name", async () => {
      using stores = await open();
      const site = await addSite(stores.sites, "docs", { url: "https://a.example", host: "a.example" });
      await stores.sites.updateSite(site.id, { name: "New" });
      expect(await stores.sites.findSite("docs")).toEqual({ ...site, name: "New" });
      const settings = { ...site.settings, public: true };
      await stores.sites.updateSite(site.id, { settings });
      expect(await stores.sites.findSite("docs")).toEqual({ ...site, name: "New", settings });
    });

    test("a change of nothing changes nothing", async () => {
      using stores = await open();
      const site = await addSite(stores.sites);
      await stores.sites.updateSite(site.id, {});
      expect(await stores.sites.findSite("docs")).toEqual(site);
    });

    test("an address can be taken away", async () => {
      using stores = await open();
      const site = await addSite(stores.sites, "docs", { url: "https://a.example", host: "a.example" });
      await stores.sites.updateSite(site.id, { url: undefined, host: undefined });
      expect(await stores.sites.findSite("docs")).toEqual({ ...site, url: undefined, host: undefined });
    });

    test("a change reaches the named site alone", async () => {
      using stores = await open();
      const first = await addSite(stores.sites, "first");
      const second = await addSite(stores.sites, "second");
      await stores.sites.updateSite(first.id, { name: "New" });
      await stores.sites.removeSite(first.id);
      expect(await stores.sites.listSites()).toEqual([second]);
    });

    test("the id of a removed site is never given again", async () => {
      using stores = await open();
      const removed = await addSite(stores.sites, "docs");
      await stores.sites.removeSite(removed.id);
      const added = await addSite(stores.sites, "docs");
      expect(added.id).not.toBe(removed.id);
    });

    test("the revision moves with every change of a site and stays otherwise", async () => {
      using stores = await open();
      const revisions = [await stores.sites.revision()];
      const site = await addSite(stores.sites);
      revisions.push(await stores.sites.revision());
      await stores.sites.updateSite(site.id, { name: "New" });
      revisions.push(await stores.sites.revision());
      await stores.sites.removeSite(site.id);
      revisions.push(await stores.sites.revision());
      expect(new Set(revisions).size).toBe(4);
      await stores.sites.listSites();
      expect(await stores.sites.revision()).toBe(revisions[3] ?? "");
    });
  });
}
