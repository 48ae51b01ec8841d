// A day of Docent in a network that has nothing but itself. Run by ../sealed.slow.ts inside of a network namespace, with
// the folder to work in as its word: every program is started under strace, and what that saw is printed as JSON.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { question } from "../../helpers/docent.ts";
import { ended } from "../../helpers/ended.ts";
import { startFakeModelStore } from "../../helpers/fake-model-store.ts";
import { startFakeOllama } from "../../helpers/fake-ollama.ts";
import { PROGRAM } from "../../helpers/program.ts";
import { writeModel } from "../../running/bundle/bundle-under-test.ts";
import { type Destination, destinationsIn } from "./destinations.ts";

const [folder = ""] = process.argv.slice(2);
const traces: string[] = [];
const ollama = startFakeOllama();
/** What the settings of one program or another name. */
const ollamas = [new URL(ollama.url)];
const environment = {
  PATH: process.env["PATH"] ?? "",
  HOME: folder,
  OLLAMA_HOST: ollama.url,
  DOCENT_SEALED: "on",
  DOCENT_DATA: join(folder, "data"),
};

function start(words: string[], more: Record<string, string> = {}) {
  const file = join(folder, `trace-${traces.length}`);
  traces.push(file);
  const strace = ["strace", "-f", "-qq", "-e", "trace=connect,sendto,sendmsg,sendmmsg", "-o", file];
  return Bun.spawn([...strace, ...PROGRAM, ...words], {
    cwd: folder,
    env: { ...environment, ...more },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
}

/** Runs a command to its end, which must be a good one unless it is said to fail. */
async function run(words: string[], { fails = false, more = {} } = {}): Promise<string> {
  const child = start(words, more);
  const { out, err, code } = await ended(child);
  if ((code !== 0) !== fails) throw new Error(`docent ${words.join(" ")}: ${code}\n${out}${err}`);
  return out;
}

async function firstLine(stream: ReadableStream<Uint8Array>, pattern: RegExp): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const piece of stream) {
    text += decoder.decode(piece, { stream: true });
    const found = pattern.exec(text)?.[1];
    if (found !== undefined) return found;
  }
  throw new Error(text);
}

async function expectText(url: string, pattern: RegExp, init?: RequestInit): Promise<void> {
  const text = await (await fetch(url, init)).text();
  if (!pattern.test(text)) throw new Error(`${url}: ${text.slice(0, 500)}`);
}

/** A browser would fetch what the page names as well: all of it is on this server. */
async function openPages(url: string): Promise<void> {
  await expectText(`${url}/sign-in`, /<html/i);
  const page = await (await fetch(`${url}/dashboard`)).text();
  const assets = [...page.matchAll(/(?:src|href)="((?!data:)[^"#]+)"/g)].map(
    ([, each = ""]) => new URL(each, url).href,
  );
  if (assets.some((each) => !each.startsWith(url))) throw new Error(`a page names another host: ${assets}`);
  for (const each of assets) await (await fetch(each)).arrayBuffer();
  await expectText(`${url}/widget.js`, /docent/i);
}

async function serveOneDay(): Promise<void> {
  const server = start(["serve", "--demo", "--port", "0", "--json"]);
  const url = await firstLine(server.stdout, /"url":\s*"([^"]+)"/);
  const keys = JSON.parse(await run(["keys", "list", "--json"]));
  await openPages(url);
  await expectText(`${url}/v1/assistant/acme/message`, /"responder":"ollama"/, {
    method: "POST",
    headers: { authorization: `Bearer ${keys[0].key}`, "content-type": "application/json" },
    body: JSON.stringify(question("How do I install Acme on Linux?")),
  });
  await expectText(`${url}/sites/docent`, /<html/i);
  // strace itself takes no signals while it writes to a file.
  const traced = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, "utf8").trim();
  process.kill(Number(traced), "SIGTERM");
  await server.exited;
}

/** A bundle is made, checked and installed, with a model that is pushed to Ollama. */
async function carry(): Promise<void> {
  await using store = startFakeModelStore();
  const models = join(folder, "models");
  writeModel(models, "tiny");
  const isProgram = PROGRAM.length === 1;
  await run(["bundle", "key", "ours"]);
  const made = ["bundle", "make", "carried", "--with-model", "tiny", "--models-folder", models];
  await run([...made, "--sign", "ours.pem", ...(isProgram ? [] : ["--without-binary"])]);
  await run(["bundle", "verify", "carried", "--key", "ours.pub.pem"]);
  const installed = [
    "bundle",
    "install",
    "carried",
    "--key",
    "ours.pub.pem",
    "--data",
    join(folder, "other"),
  ];
  await run([...installed, ...(isProgram ? ["--to", join(folder, "bin", "docent")] : [])], {
    more: { OLLAMA_HOST: store.url },
  });
  if (!store.models.has("tiny")) throw new Error("the model did not arrive");
  ollamas.push(new URL(store.url));
}

mkdirSync(join(folder, "docs"));
writeFileSync(
  join(folder, "docs", "install.md"),
  "# Install Acme\n\nTo install Acme on Linux, run the installer.\n",
);
writeFileSync(join(folder, "docs", "llms.txt"), "# Acme\n\n- [Guide](https://docs.example.com/guide.md)\n");
await run(["sites", "add", "acme"]);
await run(["ingest", "acme", "docs"]);
await run(["keys", "create", "k", "--site", "acme"]);
await run(["ask", "acme", "How do I install Acme on Linux?"]);
await run(["sources", "add", "acme", "https://docs.example.com"], { fails: true });
await run(["sources", "add", "acme", "https://git.example.com/docs.git"], { fails: true });
await run(["sources", "add", "acme", "docs/llms.txt"], { fails: true });
await run(["doctor"]);
await serveOneDay();
await run(["backup", "copy.db"]);
await carry();
const sealed = [...traces];
// The same program where it is not sealed: what it dials is seen, so that seeing nothing means something.
await run(["sources", "add", "acme", "http://192.0.2.7/docs", "--private-hosts", "192.0.2.7"], {
  fails: true,
  more: { DOCENT_SEALED: "off" },
});
const seen = (files: string[]): Destination[] =>
  files.flatMap((file) => destinationsIn(readFileSync(file, "utf8")));
process.stdout.write(
  JSON.stringify({
    ollamas: ollamas.map(({ hostname: host, port }) => ({ host, port: Number(port) })),
    programs: sealed.length,
    sealed: seen(sealed),
    open: seen(traces.slice(sealed.length)),
    asked: ollama.chats.length,
  }),
);
await ollama.stop();
process.exit(0);
