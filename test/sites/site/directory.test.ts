import { describe, expect, test } from "bun:test";
import { createSiteDirectory } from "../../../src/sites/site/directory.ts";
import { addSite, newSite } from "../../helpers/site-data.ts";
import { openStorageAt, openTestStorage } from "../../helpers/test-storage.ts";

describe("site directory", () => {
  test("it knows nothing before it was read, and every site after", async () => {
    using storage = await openTestStorage();
    const site = await addSite(storage.sites, "docs", { url: "https://a.example", host: "a.example" });
    const directory = createSiteDirectory(storage.sites);
    expect(directory.byDomain("docs")).toBeUndefined();
    await directory.refresh();
    expect(directory.byDomain("docs")).toEqual(site);
    expect(directory.byHost("a.example")).toEqual([site]);
  });

  test("names that every object has are no sites", async () => {
    using storage = await openTestStorage();
    await addSite(storage.sites, "docs");
    const directory = createSiteDirectory(storage.sites);
    await directory.refresh();
    for (const name of ["constructor", "__proto__", "", "undefined"]) {
      expect([directory.byDomain(name), directory.byHost(name)]).toEqual([undefined, []]);
    }
  });

  test("several sites may share a host", async () => {
    using storage = await openTestStorage();
    for (const domain of ["a", "b"])
      await addSite(storage.sites, domain, { url: "https://x.example", host: "x.example" });
    const directory = createSiteDirectory(storage.sites);
    await directory.refresh();
    expect(directory.byHost("x.example").map(({ domain }) => domain)).toEqual(["a", "b"]);
  });

  test("it follows changes of its own process", async () => {
    using storage = await openTestStorage();
    const site = await addSite(storage.sites, "docs");
    const directory = createSiteDirectory(storage.sites);
    await directory.refresh();
    await storage.sites.updateSite(site.id, { name: "New" });
    await directory.refresh();
    expect(directory.byDomain("docs")?.name).toBe("New");
    await storage.sites.removeSite(site.id);
    await directory.refresh();
    expect(directory.byDomain("docs")).toBeUndefined();
  });

  test("of two readings at once, the later one is shown, whichever ends first", async () => {
    using storage = await openTestStorage();
    const before = await addSite(storage.sites, "docs");
    const gates: (() => void)[] = [];
    let revisions = 0;
    const directory = createSiteDirectory({
      revision: async () => `${revisions++}`,
      async listSites() {
        const name = `reading ${gates.length + 1}`;
        await new Promise<void>((resolve) => gates.push(resolve));
        return [{ ...before, name }];
      },
    });
    const [older, newer] = [directory.refresh(), directory.refresh()];
    while (gates.length < 2) await Bun.sleep(0);
    gates[1]?.();
    await newer;
    gates[0]?.();
    await older;
    expect(directory.byDomain("docs")?.name).toBe("reading 2");
  });

  test("it follows changes that another process makes", async () => {
    using storage = await openTestStorage();
    const site = await addSite(storage.sites, "docs");
    const directory = createSiteDirectory(storage.sites);
    await directory.refresh();
    const other = await openStorageAt(storage.directory);
    await other.sites.addSite(newSite("later"));
    await directory.refresh();
    expect(directory.byDomain("later")?.domain).toBe("later");
    await other.sites.updateSite(site.id, { url: "https://b.example", host: "b.example" });
    await directory.refresh();
    expect(directory.byHost("b.example")).toHaveLength(1);
    await other.sites.removeSite(site.id);
    await directory.refresh();
    expect([directory.byDomain("docs"), directory.byHost("b.example")]).toEqual([undefined, []]);
    other.close();
  });

  test("it reads the sites only when they may have changed", async () => {
    using storage = await openTestStorage();
    await addSite(storage.sites, "docs");
    let reads = 0;
    const directory = createSiteDirectory({
      revision: storage.sites.revision,
      listSites() {
        reads++;
        return storage.sites.listSites();
      },
    });
    for (let index = 0; index < 5; index++) await directory.refresh();
    expect(reads).toBe(1);
  });
});
