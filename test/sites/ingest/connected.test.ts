import { expect, test } from "bun:test";
import { AppError } from "../../../src/kernel/errors.ts";
import { createGuardedFetch } from "../../../src/kernel/lib/guarded-fetch/guarded-fetch.ts";
import { UNSEALED } from "../../../src/kernel/lib/seal/seal.ts";
import { isSkipped, type SourceReader } from "../../../src/reading/source-reader.ts";
import { createConnectedReader } from "../../../src/reading/sources/connected/connected.ts";
import { openIngestSite } from "../../helpers/ingest-site.ts";
import { startMediaWiki } from "../../reading/connectors/servers/mediawiki.ts";

const readerOf = ({ address, secret }: ReturnType<typeof startMediaWiki>) =>
  createConnectedReader({
    kind: "mediawiki",
    location: address,
    get: createGuardedFetch({ seal: UNSEALED, hosts: [new URL(address).host], privateHosts: ["127.0.0.1"] }),
    secret,
    pageBytesMax: 1_000_000,
    pagesMax: 1000,
    concurrency: 4,
    sleep: async () => {},
  });

test("a run that finds nothing changed asks for no list and no image, and what readers see stays, the menu too", async () => {
  await using wiki = startMediaWiki();
  wiki.put({ title: "Server", words: "Words.", showsImage: true });
  wiki.put({ title: "Server/Disks", words: "More words." });
  using it = await openIngestSite();
  expect(await it.run(readerOf(wiki))).toMatchObject({ added: 2 });
  const menu = async () => it.storage.ingest.menu(await it.sourceOf());
  const [before, content] = [await menu(), it.content()];
  expect(before).toMatchObject([{ label: "Server", children: [{ label: "Disks" }] }]);
  const asked = wiki.requests.length;
  expect(await it.run(readerOf(wiki))).toMatchObject({ unchanged: 2, generation: 1 });
  const paths = wiki.requests.slice(asked).map(({ path }) => path);
  expect(paths.filter((path) => /allpages|picture/.test(path))).toEqual([]);
  expect([await menu(), it.content()]).toEqual([before, content]);
});

test("a page that could not be read is asked for again, though nothing has changed since", async () => {
  await using wiki = startMediaWiki();
  wiki.put({ title: "Disks", words: "Words." });
  // The latest change that was read is behind that one.
  wiki.put({ title: "Server", words: "More words." });
  using it = await openIngestSite();
  const broken: SourceReader = {
    async *list(context) {
      const away = () => Promise.reject(new AppError("unavailable", "The wiki is away."));
      for await (const item of readerOf(wiki).list(context))
        yield item.location.endsWith("Disks") && !isSkipped(item) ? { ...item, read: away } : item;
    },
  };
  expect(await it.run(broken)).toMatchObject({ added: 1 });
  expect(await it.run(readerOf(wiki))).toMatchObject({ added: 1, unchanged: 1 });
});
