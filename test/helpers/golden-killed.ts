import { openParts } from "../../src/running/app.ts";
import { testSurroundings } from "./docent.ts";

// A program for golden-killed.test.ts: reads the one source of a data directory, and is killed once golden questions have
// been asked of what it staged.
const [data = ""] = process.argv.slice(2);
const parts = await openParts(testSurroundings(data));
const site = await parts.people.sites.get("acme");
const [source] = await parts.sources.ofSites.list(site.id);
if (source === undefined) throw new Error("there is no source");
await parts.sources.ofSites.run(site, source, {
  signal: new AbortController().signal,
  onGolden: () => process.kill(process.pid, "SIGKILL"),
});
