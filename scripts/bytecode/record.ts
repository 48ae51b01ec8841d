import { join } from "node:path";
import { inTemporaryDirectory, NO_OLLAMA, openProgram, startModel, using } from "../bench/processes.ts";
import { ask, prepareSite } from "../bench/site.ts";
import { type Order, readOrder } from "./order.ts";

// Records which functions a server uses at its start, at rest and for its first readers: `make build`, then
// `bun scripts/bytecode/record.ts`, then `make build` again. The build puts their bytecode together, at the front of the
// file: of the rest, which is most of it, the system then reads nothing into memory.

const BINARY = join(import.meta.dir, "../../dist/docent");
const ORDER = join(import.meta.dir, "order.txt");
/** By then, what a server does unasked has begun. */
const REST_MS = 4000;
const PAGES = ["/sign-in", "/sites/bench", "/sites/bench/quickstart", "/widget.js", "/openapi.json"];

await inTemporaryDirectory(async (directory) => {
  const data = join(directory, "data");
  const key = await prepareSite(openProgram(BINARY, directory), data);

  async function recordWith(ollama: string, name: string): Promise<Order> {
    const file = join(directory, name);
    const watched = openProgram(BINARY, directory, { environment: { BUN_BYTECODE_ORDER_OUT: file } });
    await using(watched.serve(data, {}, ollama), async ({ url }) => {
      await Bun.sleep(REST_MS);
      for (const page of PAGES) await (await fetch(`${url}${page}`)).arrayBuffer();
      const { url: address, ...init } = ask(url, key);
      await (await fetch(address, init)).arrayBuffer();
    });
    return readOrder(await Bun.file(file).text());
  }

  const quoting = await recordWith(NO_OLLAMA, "quoting.txt");
  const writing = await using(startModel(100, 0), ({ url }) => recordWith(url, "writing.txt"));
  const functions = new Set([...quoting.functions, ...writing.functions]);
  const modules = new Set([...quoting.modules, ...writing.modules]);
  await Bun.write(ORDER, `${["v2", ...functions, ...modules].join("\n")}\n`);
  process.stdout.write(`${ORDER}  ${functions.size} functions\n`);
});
