import { describe, expect, test } from "bun:test";
import { analyze } from "../../../src/finding/search/analyze.ts";
import { ownNameTerms } from "../../../src/finding/search/asking/own-names.ts";
import { TEST_TIME } from "../../helpers/fake-clock.ts";
import { openSearch } from "../../helpers/open-search.ts";
import { publishPages, sourceSpec, stagedPage } from "../../helpers/page-data.ts";
import { addSite } from "../../helpers/site-data.ts";
import { openTestStorage } from "../../helpers/test-storage.ts";

const own = (question: string) => [...ownNameTerms(question)].toSorted();

describe("a name of the reader's own", () => {
  test.each([
    ["files dropped in it on my Synology only get picked up after a restart", "Synology"],
    ["on our old Synology DS920 the worker stops", "Synology DS920"],
    ["Why does it not work on my Synology?", "Synology"],
    ["How do I stop it from eating all the memory on my Synology?", "Synology"],
    ["since my Synology was updated, no messages arrive", "Synology"],
    ["Auf meinem Synology werden die Dateien nicht erkannt", "Synology"],
    ["Sur notre Synology, les fichiers ne sont pas importés", "Synology"],
    ["en mi Synology no aparecen los archivos", "Synology"],
    ["На моём Synology файлы не появляются", "Synology"],
  ])("tells where they are: %p", (question, name) => {
    expect(own(question)).toEqual([...new Set(analyze(name))].toSorted());
  });

  test.each([
    "Does it work with LDAP?",
    "How do I add Alexa?",
    "How do I let it talk with my Alexa?",
    "Can I send messages to my Alexa?",
    "Does it read from our LDAP, and is there a package for my Synology?",
    "Can I install it on my Synology?",
    "Does the app work on my iPhone?",
    "Wie installiere ich es auf meinem Synology?",
    "Does it support Synology? On my Synology nothing is listed.",
    "my Alexa should play music",
  ])("is asked about where something is to be done with it: %p", (question) => {
    expect(own(question)).toEqual([]);
  });
});

test("where readers are need not be covered, and what it is to work with has to be", async () => {
  using storage = await openTestStorage();
  const site = await addSite(storage.sites, "docs");
  const source = await storage.sources.open(sourceSpec(site.id), TEST_TIME);
  const pages = [
    "New files in the consume folder are picked up without a restart where polling is enabled.",
    "Install the server.",
    "Change the theme.",
  ];
  await publishPages(
    storage.ingest,
    source,
    pages.map((text, at) => stagedPage(`p${at}`, text)),
  );
  const search = openSearch(storage);
  const relevanceOf = async (text: string) => {
    const { hits } = await search.find({ audience: "everything", siteId: site.id, text, pageSize: 3 });
    return hits[0]?.relevance ?? 0;
  };
  const question = "files in the consume folder are not picked up without a restart";
  const plain = await relevanceOf(question);
  expect(plain).toBeGreaterThan(0.5);
  expect(await relevanceOf(`${question} on my Synology`)).toBeCloseTo(plain, 1);
  expect(await relevanceOf(`${question} on my synology`)).toBeCloseTo(plain, 1);
  expect(await relevanceOf(`${question} with my Alexa`)).toBeLessThan(0.3);
});
