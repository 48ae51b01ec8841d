import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FIXTURE_DOCS, question } from "./helpers/docent.ts";
import { type FakeOllama, startFakeOllama } from "./helpers/fake-ollama.ts";
import { createWorkplace, type Workplace } from "./helpers/program.ts";

const SRC = join(import.meta.dir, "../src");

describe("nothing dials out except to Ollama and to the sources that were named", () => {
  let place: Workplace;
  let ollama: FakeOllama;
  let proxy: Bun.Server<undefined>;
  const strayed: string[] = [];
  let environment: Record<string, string>;
  beforeAll(() => {
    ollama = startFakeOllama();
    // The runtime sends what it is not told otherwise of through this proxy, wherever it was meant to go.
    proxy = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch(request) {
        strayed.push(`${request.method} ${request.url}`);
        return new Response("stopped here", { status: 502 });
      },
    });
    const through = proxy.url.origin;
    environment = { HTTP_PROXY: through, HTTPS_PROXY: through, http_proxy: through, https_proxy: through };
    place = createWorkplace({ OLLAMA_HOST: ollama.url, ...environment });
    cpSync(FIXTURE_DOCS, join(place.folder, "docs"), { recursive: true });
  });
  afterAll(async () => {
    await place.dispose();
    await ollama.stop();
    await proxy.stop(true);
  });

  test("in a day's work of the program", async () => {
    for (const words of [
      ["sites", "add", "acme"],
      ["ingest", "acme", "docs"],
      ["keys", "create", "k"],
      ["ask", "acme", "How do I install Acme on Linux?"],
      ["doctor"],
      ["backup", "copy.db"],
    ]) {
      const ran = await place.run(...words);
      expect(ran.code, ran.err).toBe(0);
    }
    const keys = JSON.parse((await place.run("keys", "list", "--json")).out);
    const server = await place.serve("--demo");
    const reply = await fetch(`${server.url}/v1/assistant/acme/message`, {
      method: "POST",
      headers: { authorization: `Bearer ${keys[0].key}`, "content-type": "application/json" },
      body: JSON.stringify(question("How do I install Acme on Linux?")),
    });
    expect(await reply.text()).toContain('"responder":"ollama"');
    expect((await place.run("health", "--port", new URL(server.url).port)).code).toBe(0);
    server.child.kill("SIGTERM");
    await server.child.exited;
    expect(strayed).toEqual([]);
  });

  test("which this test would notice", async () => {
    const script = 'await fetch("http://elsewhere.invalid/telemetry").catch(() => {})';
    const child = Bun.spawn([process.execPath, "-e", script], {
      env: { ...process.env, ...environment },
      cwd: place.folder,
    });
    await child.exited;
    expect(strayed.splice(0)).toEqual(["GET http://elsewhere.invalid/telemetry"]);
  });

  test("because no other code can: only these files reach for the network", () => {
    // Browser code asks the server that it came from; that it asks no other, the tests in a real browser see.
    const own = sources(SRC).filter(({ name }) => !name.startsWith("faces"));
    const reaching = own.filter(({ text }) =>
      /\bfetch\(|Bun\.(connect|udpSocket|dns)|WebSocket\(|node:(http|https|http2|dgram|dns)\b|\b(net|tls)\.connect|\bconnect\b[^\n]*"node:(net|tls)"/.test(
        text,
      ),
    );
    expect(reaching.map(({ name }) => name).sort()).toEqual([
      "cli/commands/doctor/self-test.ts",
      "cli/commands/health/health.ts",
      "kernel/lib/guarded-fetch/connect.ts",
      "kernel/lib/guarded-fetch/host-addresses.ts",
      "kernel/lib/seal/prove.ts",
      "models/ollama/client/request.ts",
      "models/ollama/push.ts",
      "running/delivery/post.ts",
      "storage/postgres/way.ts",
    ]);
  });
});

function sources(folder: string): { name: string; text: string }[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
}
