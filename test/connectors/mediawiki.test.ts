import { expect, test } from "bun:test";
import { describeConnector } from "../contract/connector.ts";
import { readConnected } from "./read-connected.ts";
import { startMediaWiki } from "./servers/mediawiki.ts";

describeConnector("mediawiki", async () => startMediaWiki());

test("a sign-in that is answered with a page of HTML ends the run in words", async () => {
  await using server = startMediaWiki();
  server.put({ title: "Install guide", words: "Words." });
  server.failNext(1, { status: 200, body: "<!doctype html><title>Maintenance</title>" });
  const { error } = await readConnected("mediawiki", server, { place: "/w/api.php" });
  expect(error).toMatchObject({ code: "unavailable", message: expect.stringContaining("cannot be read") });
});
