import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openParts } from "../../../src/running/app.ts";
import { createEmbeddedReader } from "../../../src/sites/ingest/embedded-reader.ts";
import { NO_OLLAMA, testSurroundings } from "../../helpers/docent.ts";
import { ended } from "../../helpers/ended.ts";
import { call, GENERATIONS, textOf } from "../../helpers/mcp-client.ts";
import { createWorkplace, PROGRAM, type Workplace } from "../../helpers/program.ts";

// `docent mcp` as an agent's program starts it: the official clients, and plain pipes.

let place: Workplace;
beforeAll(async () => {
  place = createWorkplace();
  const parts = await openParts(testSurroundings(join(place.folder, "docent-data")));
  const site = await parts.people.sites.add({ domain: "acme", url: "https://docs.acme.example" });
  await parts.sources.ingest.run({
    source: { siteId: site.id, kind: "demo", location: "docs", version: "", language: "" },
    reader: createEmbeddedReader({
      "page.md": "# Valves\n\n## Opening\n\nTurn the red handle to the left.\n",
      "hidden.md": "---\nhidden: true\n---\n\n# Hidden\n\nThe xyzzy word.\n",
    }),
    generation: 0,
    signal: new AbortController().signal,
  });
  parts.close();
});
afterAll(() => place.dispose());

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};

/** Writes lines to the program, closes its input, and reads what it says until it ends. */
async function pipe(lines: string[], ...words: string[]) {
  const child = Bun.spawn([...PROGRAM, "mcp", ...words], {
    cwd: place.folder,
    env: { PATH: process.env["PATH"] ?? "", HOME: place.folder, OLLAMA_HOST: NO_OLLAMA },
    stdin: new Blob([lines.map((line) => `${line}\n`).join("")]),
    stdout: "pipe",
    stderr: "pipe",
  });
  return ended(child);
}

describe("docent mcp", () => {
  test.each(GENERATIONS)("serves $name the same tools, without a key", async ({ overStdio }) => {
    const [command = "", ...words] = PROGRAM;
    const client = await overStdio({
      command,
      args: [...words, "mcp", "acme"],
      cwd: place.folder,
      env: { HOME: place.folder, OLLAMA_HOST: NO_OLLAMA },
    });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["search_docs", "read_page", "fetch", "list_pages"]);
    const found = await call(client, "search_docs", { query: "red handle" });
    expect(textOf(found)).toContain("https://docs.acme.example/page#opening");
    expect(textOf(await call(client, "search_docs", { query: "xyzzy" }))).not.toContain("xyzzy word");
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(["docent://acme/page"]);
    await client.close();
  });

  test("answers what was asked before its input ended, writes nothing but the protocol, and ends well", async () => {
    const asked = {
      jsonrpc: "2.0",
      id: 2,
      method: "tools/call",
      params: { name: "list_pages", arguments: {} },
    };
    const initialized = { jsonrpc: "2.0", method: "notifications/initialized" };
    const lines = [INITIALIZE, initialized, asked].map((each) => JSON.stringify(each));
    const { code, out, err } = await pipe(["this is no JSON", ...lines], "acme");
    expect([code, err]).toEqual([0, ""]);
    const said = out.trimEnd().split("\n");
    expect(said.map((line) => JSON.parse(line).id)).toEqual([1, 2]);
    expect(JSON.parse(said[1] ?? "").result.structuredContent.pages).toHaveLength(1);
  });

  test("answers a batch of revision 2025-03-26 together, and refuses one of a later revision", async () => {
    const list = (id: number) => ({ jsonrpc: "2.0", id, method: "tools/list" });
    const takenBack = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 4 } };
    const batch = [
      list(2),
      { jsonrpc: "2.0", method: "notifications/initialized" },
      list(3),
      list(4),
      takenBack,
      { id: 6, method: 7 },
    ];
    const handshake = (protocolVersion: string) => ({
      ...INITIALIZE,
      params: { ...INITIALIZE.params, protocolVersion },
    });
    const said = async (revision: string) => {
      const lines = [handshake(revision), batch, list(5)].map((each) => JSON.stringify(each));
      const { code, out } = await pipe(lines, "acme");
      expect(code).toBe(0);
      return out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
    };
    const together = await said("2025-03-26");
    expect(together.filter((each) => !Array.isArray(each)).map(({ id }) => id)).toEqual([1, 5]);
    const answers: { id: number | null; result?: { tools: unknown[] } }[] =
      together.find(Array.isArray) ?? [];
    expect(answers.map(({ id, result }) => [id, result?.tools.length])).toEqual([
      [null, undefined],
      [2, 4],
      [3, 4],
    ]);
    const alone = await said("2025-06-18");
    expect(alone.map(({ id, error }) => [id, error?.code])).toEqual([
      [null, -32600],
      [1, undefined],
      [5, undefined],
    ]);
  });

  test("a client of revision 2026-07-28 asks without a handshake, and what it listens to ends with it", async () => {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const ask = (id: number, method: string, params = {}) =>
      JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta: meta } });
    const lines = [
      ask(1, "server/discover"),
      ask(2, "subscriptions/listen", { notifications: { toolsListChanged: true } }),
      ask(3, "tools/list"),
    ];
    const { code, out } = await pipe(lines, "acme");
    expect(code).toBe(0);
    const said = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const answer = (id: number) => said.find((each) => each.id === id)?.result;
    expect(answer(1).supportedVersions).toContain("2026-07-28");
    expect(answer(3).tools).toHaveLength(4);
    const acknowledged = said.find(({ method }) => method === "notifications/subscriptions/acknowledged");
    expect(acknowledged.params.notifications).toEqual({});
  });

  test("says on the other stream that there is no such site", async () => {
    const { code, out, err } = await pipe([JSON.stringify(INITIALIZE)], "nowhere");
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("There is no site nowhere in");
  });

  test("ends when it is told to", async () => {
    const child = Bun.spawn([...PROGRAM, "mcp", "acme"], {
      cwd: place.folder,
      env: { PATH: process.env["PATH"] ?? "", HOME: place.folder, OLLAMA_HOST: NO_OLLAMA },
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    });
    child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
    await child.stdin.flush();
    const reader = child.stdout.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toContain('"serverInfo"');
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  });
});
