import { expect, test } from "bun:test";
import { z } from "zod";
import { databaseOf } from "../../helpers/database-of.ts";
import { question, startDocent, textOf } from "../../helpers/docent.ts";
import { htmlPage, startFakeSite } from "../../helpers/fake-site.ts";

test("of a website below a path, links, the reader and the page that a reader is on agree", async () => {
  await using website = startFakeSite({
    "/guide/": htmlPage("Guide", ["install/linux", "install/windows"]),
    "/guide/install/linux":
      "<html><body><main><h1>Linux</h1><p>The walrus installs it. See <a href='windows'>Windows</a>.</p></main></body></html>",
    "/guide/install/windows": htmlPage("Windows"),
  });
  const docent = await startDocent({ docs: null, settings: { private_hosts: "127.0.0.1" } });
  try {
    const { people, sources, storage } = docent.app.parts;
    const site = await people.sites.set("acme", { url: `${website.url}/guide`, settings: { public: true } });
    const place = { kind: "website", location: `${website.url}/guide/`, version: "", language: "" } as const;
    const source = await sources.ofSites.add({ siteId: site.id, ...place });
    await sources.ofSites.run(site, source, { signal: new AbortController().signal });

    const reply = await docent.post(
      question("What does the walrus install?", { currentPath: "/guide/install/linux" }),
    );
    const cited = /\[\[1\]\]\((http[^)#]+)/.exec(textOf(await reply.text()))?.[1];
    expect(cited).toBe(`${website.url}/guide/install/linux`);

    const turn = z
      .object({ current_path: z.string(), retrieved_json: z.string() })
      .parse(
        databaseOf({ parts: { storage } }).query("SELECT current_path, retrieved_json FROM turns").get(),
      );
    expect(turn.current_path).toBe("install/linux");
    expect(JSON.parse(turn.retrieved_json)[0]).toMatchObject({ path: "install/linux" });

    const page = await (await fetch(`${docent.url}/sites/acme/install/linux`)).text();
    const next = /href="([^"]*windows[^"]*)"/.exec(page)?.[1] ?? "";
    expect(next).toBe("/sites/acme/install/windows");
    expect(await (await fetch(`${docent.url}${next}`)).text()).toContain("About Windows.");
  } finally {
    await docent.close();
  }
});
