import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startDocent } from "../../helpers/docent.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

/** A server with one page, one of whose headings has another anchor for each program. */
async function opened() {
  const folder = temporaryDirectory();
  writeFileSync(join(folder.path, "a.md"), "# Sizes\n\n## Größe: 3.1 & more\n\nThe zebra is large.\n");
  const docent = await startDocent({ docs: folder.path });
  const { people, sources, content } = docent.app.parts;
  return {
    sites: people.sites,
    /** Reads the site's source again. */
    async run() {
      const site = await people.sites.get("acme");
      const [source] = await sources.ofSites.list(site.id);
      if (!source) throw new Error("the site has no source");
      return sources.ofSites.run(site, source, { signal: new AbortController().signal });
    },
    async found() {
      const { id: siteId } = await people.sites.get("acme");
      return (await content.search.find({ audience: "everything", siteId, text: "zebra", pageSize: 1 }))
        .hits[0]?.anchor;
    },
    read: async () => (await fetch(`${docent.url}/sites/acme/a`)).text(),
    async [Symbol.asyncDispose]() {
      await docent.close();
      folder[Symbol.dispose]();
    },
  };
}

describe("a site's anchors", () => {
  test("are those of the program that it names: in citations after the next run, and in the reader", async () => {
    await using it = await opened();
    expect(await it.found()).toBe("größe-31--more");
    await it.sites.set("acme", { settings: { anchors: "mkdocs", public: true } });
    expect(await it.run()).toMatchObject({ changed: 1, generation: 2 });
    expect(await it.found()).toBe("groe-31-more");
    expect(await it.read()).toContain('<h2 id="groe-31-more">');
  });

  test("are of a program that is known", async () => {
    await using it = await opened();
    expect(await appErrorOf(() => it.sites.set("acme", { settings: { anchors: "mine" } }))).toMatchObject({
      code: "invalid_request",
      message: "anchors: must be one of github, docusaurus, mintlify, vitepress, mkdocs, sphinx",
    });
    expect((await it.sites.get("acme")).settings.anchors).toBe("github");
  });
});
