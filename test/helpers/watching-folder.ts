import { watchFolder } from "../../src/sites/ingest/watch.ts";

// A program for watch.test.ts: watches the folder that it is given, and prints how many files had changed for each run.
await watchFolder(process.argv[2] ?? "", async (files) => void process.stdout.write(`${files}\n`), {
  debounceMs: 40,
  retryMs: 40,
  atOnce: true,
  signal: new AbortController().signal,
  onError: (error) => process.stdout.write(`${error}\n`),
});
