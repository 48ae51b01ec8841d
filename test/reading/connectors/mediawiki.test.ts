import { expect, test } from "bun:test";
import { describeConnector } from "../../contract/connector.ts";
import { readConnected } from "./read-connected.ts";
import { startMediaWiki } from "./servers/mediawiki.ts";

describeConnector("mediawiki", async () => startMediaWiki());

test("a template that was changed may have changed any page: all are asked for", async () => {
  await using server = startMediaWiki();
  server.put({ title: "Server", words: "Words." });
  const first = await readConnected("mediawiki", server);
  server.put({ title: "Template:Note", words: "A note." });
  const asked = server.requests.length;
  expect((await readConnected("mediawiki", server, { before: first })).paths).toEqual(first.paths);
  expect(server.requests.slice(asked).some(({ path }) => path.includes("generator=allpages"))).toBe(true);
});

test("a sign-in that is answered with a page of HTML ends the run in words", async () => {
  await using server = startMediaWiki();
  server.put({ title: "Install guide", words: "Words." });
  server.failNext(1, { status: 200, body: "<!doctype html><title>Maintenance</title>" });
  const { error } = await readConnected("mediawiki", server, { place: "/w/api.php" });
  expect(error).toMatchObject({ code: "unavailable", message: expect.stringContaining("cannot be read") });
});
