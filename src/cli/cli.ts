import { parseArgs } from "node:util";
import { restoreBackup } from "../app/restore.ts";
import { type App, openParts, type Parts, type Surroundings, startApp } from "../app.ts";
import { type Environment, type LoadedConfig, loadConfig } from "../config/load.ts";
import { settingNames } from "../config/print.ts";
import { AppError, toAppError } from "../errors.ts";
import { systemClock } from "../lib/clock.ts";
import { systemRandomBytes } from "../lib/ids.ts";
import { createLog } from "../lib/log.ts";
import { adminKeysCreate, adminKeysList, adminKeysRevoke } from "./admin-keys.ts";
import { answersAdd, answersList, answersRemove, answersShow } from "./answers.ts";
import { ask } from "./ask.ts";
import { backup, restore } from "./backup.ts";
import type { Command } from "./command.ts";
import { config } from "./config.ts";
import { doctor } from "./doctor.ts";
import { evaluation } from "./eval.ts";
import { exportConversations } from "./export.ts";
import { gapsList, gapsSet } from "./gaps.ts";
import { generationsList, generationsRollback } from "./generations.ts";
import { health } from "./health.ts";
import { helpOf, helpOverview } from "./help.ts";
import { ingest } from "./ingest.ts";
import { keysCreate, keysList, keysRevoke } from "./keys.ts";
import { licenses } from "./licenses.ts";
import { mcp } from "./mcp.ts";
import { membersInvite, membersLink, membersList, membersRemove } from "./members.ts";
import { orgsAdd, orgsList } from "./orgs.ts";
import { createRunSelf } from "./run-self.ts";
import { search } from "./search.ts";
import { serve } from "./serve.ts";
import { sitesAdd, sitesList, sitesRemove, sitesSet } from "./sites.ts";
import { sourcesAdd, sourcesLedger, sourcesList, sourcesRemove, sourcesRun } from "./sources.ts";
import { OutputUnread, type Terminal } from "./terminal/terminal.ts";
import { red } from "./terminal/text.ts";
import { threadsDelete } from "./threads.ts";
import { VERSION } from "./version.ts";

/** Every command, in the order in which help and documentation show them. */
export const COMMANDS: readonly Command[] = [
  serve,
  ...[sitesAdd, sitesList, sitesSet, sitesRemove],
  ...[orgsAdd, orgsList],
  ...[keysCreate, keysList, keysRevoke],
  ...[adminKeysCreate, adminKeysList, adminKeysRevoke],
  ...[membersList, membersInvite, membersLink, membersRemove],
  ...[sourcesAdd, sourcesList, sourcesRun, sourcesRemove, sourcesLedger],
  ingest,
  ...[generationsList, generationsRollback],
  ...[answersList, answersShow, answersAdd, answersRemove],
  ...[gapsList, gapsSet],
  ...[exportConversations, threadsDelete],
  search,
  ask,
  mcp,
  evaluation,
  ...[backup, restore],
  ...[doctor, config, health, licenses],
];

/** What the process is: nothing below reads it from a global. */
export interface Process {
  arguments: string[];
  environment: Environment;
  /** What starts this program again. */
  self: readonly string[];
  terminal: Terminal;
  readFile: (path: string) => string;
  signal: AbortSignal;
}

/** What shells see of a program whose reader left: 128 and the number of SIGPIPE. */
export const UNREAD = 141;
/** How long a command may take to end when nobody reads it any more. */
const UNREAD_MS = 700;

/** Runs a command line. Returns the exit code. */
export async function runCli(process: Process): Promise<number> {
  const { terminal } = process;
  try {
    return await dispatch(process);
  } catch (error) {
    if (process.signal.reason instanceof OutputUnread) return UNREAD;
    if (process.signal.aborted && !(error instanceof AppError)) return 130;
    const known = toAppError(error);
    const details = known.code === "internal" ? `${String(known.cause)}` : known.message;
    terminal.err([
      red("docent:"),
      ` ${known.code === "internal" ? `Internal error: ${details}` : details}\n`,
    ]);
    if (known.hint !== undefined) terminal.err(`  → ${known.hint}\n`);
    if (process.arguments.includes("--debug")) terminal.err(`${stackOf(known)}\n`);
    return 1;
  }
}

async function dispatch(process: Process): Promise<number> {
  const { arguments: given, terminal } = process;
  const [first = "", second = ""] = given;
  if (["", "help", "--help", "-h"].includes(first)) {
    const asked = COMMANDS.filter(
      ({ name }) => name === [second, given[2]].join(" ").trim() || name === second,
    );
    terminal.out(asked[0] ? helpOf(asked[0]) : helpOverview(COMMANDS));
    return 0;
  }
  if (first === "--version" || first === "-v") {
    terminal.out(`docent ${VERSION}\n`);
    return 0;
  }
  const command = COMMANDS.find(({ name }) => name === first || name === `${first} ${second}`);
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${first} `));
  if (!command && group.length > 0 && ["--help", "-h"].includes(second)) {
    terminal.out(helpOverview(group));
    return 0;
  }
  if (!command) throw unknownCommand(first, second, group);
  const rest = given.slice(command.name.split(" ").length);
  const { values, positionals } = parse(command, rest);
  if (values["help"] === true) {
    terminal.out(helpOf(command));
    return 0;
  }
  checkWords(command, positionals);
  return run(process, command, values, positionals);
}

async function run(
  process: Process,
  command: Command,
  options: Record<string, string | boolean | (string | boolean)[] | undefined>,
  words: string[],
): Promise<number> {
  const { terminal, environment, readFile, signal } = process;
  const flags = settingFlags(options);
  const loaded = loadConfig(environment, flags, readFile);
  const isServer = command.name === "serve";
  const surroundings = {
    ...surround(loaded, environment, terminal, isServer),
    runSelf: createRunSelf(process.self, flags, environment),
  };
  let parts: Parts | undefined;
  let app: App | undefined;
  try {
    terminal.watchReader(isServer ? "err" : "out");
    const running = command.run({
      words,
      options,
      loaded,
      surroundings,
      terminal,
      signal,
      async openParts() {
        parts ??= await openParts(surroundings);
        return parts;
      },
      async startApp() {
        app ??= await startApp(surroundings);
        return app;
      },
      restoreBackup: (file) => restoreBackup(surroundings, file),
    });
    // A server lets answers finish that are being written, and takes the time that its settings give it.
    return (await (isServer ? running : Promise.race([running, unreadFor(UNREAD_MS, signal)]))) ?? 0;
  } finally {
    parts?.close();
  }
}

/** Comes true that long after the last reader left. */
function unreadFor(ms: number, signal: AbortSignal): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const begin = () => {
    if (signal.reason instanceof OutputUnread) setTimeout(resolve, ms, UNREAD);
  };
  if (signal.aborted) begin();
  signal.addEventListener("abort", begin, { once: true });
  return promise;
}

/** Only the server logs what happens; a command says what matters itself. */
function surround(
  { config }: LoadedConfig,
  environment: Environment,
  terminal: Terminal,
  isServer: boolean,
): Surroundings {
  const format =
    config.log_format === "auto" ? (terminal.isInteractive ? "text" : "json") : config.log_format;
  const level = isServer || config.log_level === "debug" ? config.log_level : "warn";
  const log = createLog({
    level,
    format: isServer ? format : "text",
    clock: systemClock,
    write: terminal.err,
  });
  return { config, clock: systemClock, randomBytes: systemRandomBytes, log, environment };
}

function parse(command: Command, given: string[]) {
  const settings = Object.fromEntries(
    settingNames().map((name) => [name.replaceAll("_", "-"), { type: "string" } as const]),
  );
  try {
    return parseArgs({
      args: given,
      allowPositionals: true,
      strict: true,
      options: {
        ...settings,
        ...command.options,
        json: { type: "boolean" },
        debug: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split(". ")[0] : String(cause);
    throw new AppError("invalid_request", `${reason}.`, { hint: `docent ${command.name} --help`, cause });
  }
}

function settingFlags(options: Record<string, unknown>): Record<string, string> {
  const flags: Record<string, string> = {};
  for (const name of settingNames()) {
    const value = options[name.replaceAll("_", "-")];
    if (typeof value === "string") flags[name] = value;
  }
  return flags;
}

function checkWords({ name, usage, words: [least, most] }: Command, given: string[]): void {
  if (given.length >= least && given.length <= most) return;
  const problem =
    given.length < least ? "Something is missing" : `There is too much: ${given.slice(most).join(" ")}`;
  throw new AppError("invalid_request", `${problem}.`, { hint: `docent ${name} ${usage}` });
}

function unknownCommand(first: string, second: string, group: readonly Command[]): AppError {
  const asked = group.length > 0 ? `${first} ${second}`.trim() : first;
  const names = group.map(({ name }) => name).join(", ");
  const hint = group.length > 0 ? `Did you mean ${names}?` : "docent --help lists the commands.";
  return new AppError("invalid_request", `There is no command ${asked}.`, { hint });
}

function stackOf(error: Error): string {
  const own = error.stack ?? String(error);
  return error.cause instanceof Error ? `${own}\ncaused by: ${stackOf(error.cause)}` : own;
}
