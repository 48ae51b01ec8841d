import { readFileSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import { runCli } from "../../src/cli/cli.ts";
import { createTerminal } from "../../src/cli/terminal/terminal.ts";
import { NO_OLLAMA } from "./docent.ts";
import { PROGRAM } from "./program.ts";
import { databaseSettings } from "./shared-database.ts";

interface InProcess {
  environment?: Record<string, string>;
  /** What is typed, or comes through a pipe. */
  input?: string;
  /** Both outputs are a terminal, and so wide. Otherwise they are pipes. */
  columns?: number;
  /** Stops the command, as Ctrl+C does, when this has been printed. */
  until?: RegExp;
  /** What is done then, in the place of stopping it. */
  onUntil?: () => void;
}

/** Runs a command line as the process does, with streams of the test's own. */
export async function runInProcess(words: string[], options: InProcess = {}) {
  const { environment = {}, input = "", columns, until } = options;
  const abort = new AbortController();
  let { onUntil = () => abort.abort() } = options;
  const printed = { out: "", err: "" };
  const stream = (name: "out" | "err") =>
    pretendStream(columns, (text) => {
      printed[name] += text;
      if (!until?.test(printed[name])) return;
      onUntil();
      onUntil = () => {};
    });
  const env = { OLLAMA_HOST: NO_OLLAMA, ...(await databaseVariable(words, environment)), ...environment };
  const { terminal, ended } = createTerminal({
    stdout: stream("out"),
    stderr: stream("err"),
    stdin: () => Readable.from([Buffer.from(input)]),
    environment: env,
    onGone: (reason) => abort.abort(reason),
  });
  const code = await runCli({
    arguments: words,
    environment: env,
    self: PROGRAM,
    terminal: { ...terminal, watchReader() {} },
    readFile: (path) => readFileSync(path, "utf8"),
    signal: abort.signal,
  });
  await ended();
  return { code, ...printed };
}

/** Names the database that goes with the data directory of a command, where tests run on PostgreSQL. */
async function databaseVariable(
  words: readonly string[],
  environment: Record<string, string>,
): Promise<Record<string, string>> {
  const given = words[words.indexOf("--data") + 1];
  const data = words.includes("--data") ? given : environment["DOCENT_DATA"];
  const { database_url: url } = data === undefined ? {} : await databaseSettings(data);
  return url === undefined ? {} : { DOCENT_DATABASE_URL: url };
}

/** A stream of a process, as far as the program looks at one. */
export function pretendStream(
  columns: number | undefined,
  onText: (text: string) => void,
): NodeJS.WriteStream {
  const decoder = new TextDecoder();
  const stream = new Writable({
    decodeStrings: false,
    write(content: string | Uint8Array, _encoding, done) {
      onText(typeof content === "string" ? content : decoder.decode(content));
      done();
    },
  });
  // What a terminal has besides, as far as it is looked at.
  return Object.assign(stream, { isTTY: columns !== undefined, columns }) as unknown as NodeJS.WriteStream;
}
