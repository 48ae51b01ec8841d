import { type Environment, type LoadedConfig, loadConfig } from "@docent/kernel/config/load";
import { namedVariables, unknownVariables } from "@docent/kernel/config/unknown-variables";
import { AppError } from "@docent/kernel/errors";
import { systemClock } from "@docent/kernel/lib/clock";
import { systemRandomBytes } from "@docent/kernel/lib/ids";
import { createLog } from "@docent/kernel/lib/log";
import type { KernelSeal } from "@docent/kernel/lib/seal/landlock";
import { VERSION } from "@docent/kernel/version";
import type { App } from "@docent/running/app";
import type { Parts } from "@docent/running/app/parts";
import type { Runtime, Surroundings } from "@docent/running/app/surroundings";
import type { Context, Means, NamedCommand } from "./command.ts";
import { type CommandLine, readCommandLine, settingFlags } from "./command-line.ts";
import { LISTED, loadCommand } from "./commands/commands.ts";
import { printFailure } from "./failure.ts";
import { helpForFirstDay, helpOf, helpOverview } from "./help.ts";
import { withKnownSites } from "./known-sites.ts";
import { createProgress } from "./output.ts";
import { checkSettings } from "./read-settings.ts";
import { createOwnRuns, createShowSelf, FOR_SERVER } from "./run-self.ts";
import { createTemporaryFolders } from "./temporary-folders.ts";
import { OutputUnread, type Terminal } from "./terminal/terminal.ts";
import { yellow } from "./terminal/text.ts";

/** What the process brings. Nothing below reads it from a global. */
interface Process {
  arguments: string[];
  environment: Environment;
  /** The command that starts this program again. */
  self: readonly string[];
  terminal: Terminal;
  readFile: (path: string) => string;
  signal: AbortSignal;
  /** A server started it, for work of its own. */
  isForServer?: boolean;
}

/** The exit code when the reader of the output left: 128 plus the number of SIGPIPE, as shells report it. */
export const UNREAD = 141;
/** How long a command may take to end once nobody reads its output. */
const UNREAD_MS = 700;

/** What this program is called with by itself, to read documents for another process of it. No person calls it so. */
const READ_DOCUMENTS = "read-documents";

export async function runCli(process: Process): Promise<number> {
  const [first, ...others] = process.arguments;
  if (first === FOR_SERVER) return runCli({ ...process, arguments: others, isForServer: true });
  if (first === READ_DOCUMENTS) return readDocuments(process.terminal);
  try {
    return await dispatch(process, await readCommandLine(process.arguments, LISTED, loadCommand));
  } catch (error) {
    const { signal, terminal } = process;
    if (signal.reason instanceof OutputUnread) return UNREAD;
    if (signal.aborted && !(error instanceof AppError)) return 130;
    printFailure(terminal, error, { json: has(process, "--json"), debug: has(process, "--debug") });
    return 1;
  }
}

async function readDocuments(terminal: Terminal): Promise<number> {
  compileWhatRunsOften();
  const { readForParent } = await import("@docent/reading/read-for-parent");
  await readForParent({
    input: terminal.input(),
    async output(part) {
      terminal.data(part);
      await terminal.outRead();
    },
  });
  return 0;
}

/** Works for a line that could not be parsed, too. */
function has({ arguments: given }: Process, flag: string): boolean {
  const end = given.indexOf("--");
  return given.slice(0, end < 0 ? given.length : end).includes(flag);
}

async function dispatch(process: Process, line: CommandLine): Promise<number> {
  const { terminal } = process;
  switch (line.asks) {
    case "version":
      if (has(process, "--json")) terminal.json({ version: VERSION });
      else terminal.out(`docent ${VERSION}\n`);
      return 0;
    case "first help":
      terminal.out(helpForFirstDay(LISTED, terminal.columns));
      return 0;
    case "help": {
      const [only] = line.about.length === 1 ? line.about : [];
      const help = only
        ? helpOf(await loadCommand(only), terminal.columns)
        : helpOverview(line.about, terminal.columns);
      terminal.out(help);
      return 0;
    }
    case "run":
      return run(process, line.command, line.options, line.words);
  }
}

async function run(
  process: Process,
  command: NamedCommand,
  options: Context["options"],
  words: string[],
): Promise<number> {
  const { terminal, environment, readFile, signal } = process;
  const flags = settingFlags(options);
  // A server hands all of its own settings to the processes that it starts.
  if (process.isForServer !== true) checkSettings(command, flags);
  const loaded = loadConfig(environment, flags, readFile);
  const isServer = command.name === "serve";
  const isJson = options["json"] === true;
  // Before anything is fetched or started. What asks whether the server is ready asks its own machine, and ends.
  const kernelSeal = asksItself(command, options) ? undefined : await sealProcess(loaded);
  const surroundings = { ...surround(process, loaded, flags, { isServer, isJson }), kernelSeal };
  const means = createMeans(surroundings, terminal, { begins: command.begins === true });
  try {
    terminal.watchReader(isServer ? "err" : "out");
    for (const warning of unknownVariables(environment, namedVariables(loaded.config))) {
      if (isServer) surroundings.log.warn(warning);
      else if (isJson) terminal.errJson({ message: warning });
      else terminal.err([yellow("docent:"), ` ${warning}\n`]);
    }
    const running = command.run({
      words,
      options,
      loaded,
      surroundings,
      terminal,
      signal,
      self: process.self,
      showSelf: createShowSelf(process.self, flags, environment),
      ...means.forCommand,
    });
    // A server finishes the answers that are being written, for as long as its settings allow.
    return (await (isServer ? running : Promise.race([running, unreadFor(UNREAD_MS, signal)]))) ?? 0;
  } finally {
    await means.end();
  }
}

/** What a command may open, each loaded when it is asked for, and what closes it all. */
function createMeans(surroundings: Surroundings, terminal: Terminal, { begins }: { begins: boolean }) {
  const temporary = createTemporaryFolders();
  let parts: Parts | undefined;
  let app: App | undefined;
  async function openParts(): Promise<Parts> {
    if (parts !== undefined) return parts;
    const { config } = surroundings;
    const { requireData } = await import("@docent/running/app/data-directory");
    if (!begins) requireData(config);
    const opening = await import("@docent/running/app");
    parts = withKnownSites(await opening.openParts(surroundings, showUpgrade(terminal)), config);
    compileWhatRunsOften();
    return parts;
  }
  const forCommand: Means = {
    temporaryFolder: temporary.make,
    openParts,
    async record(event) {
      await (await openParts()).people.audit.record({ kind: surroundings.runsAs }, event);
    },
    async startApp() {
      const { startApp } = await import("@docent/running/app");
      app ??= await startApp(surroundings);
      return app;
    },
    async restoreBackup(file, name) {
      const { restoreBackup } = await import("@docent/running/app/data-directory");
      return restoreBackup(surroundings, file, name);
    },
    async verifyBackup(file, name) {
      const { verifyBackup } = await import("@docent/running/app/data-directory");
      return verifyBackup(file, name);
    },
    async moveEverything(to, options) {
      const { moveEverything } = await import("@docent/running/app/move");
      return moveEverything(surroundings, to, options);
    },
  };
  async function end(): Promise<void> {
    temporary.end();
    await parts?.close();
  }
  return { forCommand, end };
}

/** Whether a command dials nothing but a server on this machine: one that runs, or one that it starts itself. */
const asksItself = ({ name }: NamedCommand, options: Context["options"]): boolean =>
  name === "health" || (name === "doctor" && options["self-test"] === true);

/** Has the kernel hold this process back, where the settings seal it. */
async function sealProcess({ config }: LoadedConfig): Promise<KernelSeal | undefined> {
  if (config.sealed === "off") return undefined;
  const seal = await import("@docent/running/app/seal");
  return seal.sealProcess(config, process.platform);
}

/** Shows how far an upgrade of the database is, which the first command of a new version may have to wait for. */
function showUpgrade(terminal: Terminal) {
  const progress = createProgress(terminal, systemClock);
  return {
    onUpgrade(passages: number, all: number): void {
      if (passages < all) progress.show(`upgrading the database: ${passages} of ${all} passages are indexed`);
      else progress.clear();
    },
  };
}

/** Resolves so long after the last reader of the output left. */
function unreadFor(ms: number, signal: AbortSignal): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const begin = () => {
    if (signal.reason instanceof OutputUnread) setTimeout(resolve, ms, UNREAD);
  };
  if (signal.aborted) begin();
  signal.addEventListener("abort", begin, { once: true });
  return promise;
}

/** Only the server logs what happens; other commands print what matters. */
function surround(
  { environment, terminal, self, signal, isForServer = false }: Process,
  { config }: LoadedConfig,
  flags: ReturnType<typeof settingFlags>,
  { isServer, isJson }: { isServer: boolean; isJson: boolean },
): Surroundings {
  const serverFormat =
    config.log_format === "auto" ? (terminal.isInteractive ? "text" : "json") : config.log_format;
  const format = isServer ? serverFormat : "text";
  const level = isServer || config.log_level === "debug" ? config.log_level : "warn";
  return {
    config,
    clock: systemClock,
    randomBytes: systemRandomBytes,
    log: createLog({ level, format: isJson ? "json" : format, clock: systemClock, write: terminal.err }),
    environment,
    runsAs: isServer || isForServer ? "server" : "command-line",
    ...createOwnRuns(self, flags, environment),
    documentReader: [...self, READ_DOCUMENTS],
    stops: signal,
    runtime: isServer ? ownRuntime : undefined,
  };
}

/**
 * Lets the runtime compile what runs often, as it does by itself where no build said otherwise. The program is built to
 * begin in the interpreter: most of what a start runs is run once, and to compile it costs half of the start.
 */
const compileWhatRunsOften = (): void => Bun.unsafe.setJITPolicy(1);

const ownRuntime: Runtime = {
  compileWhatRunsOften,
  residentBytes: () => process.memoryUsage.rss(),
  collect({ code }) {
    Bun.gc(true);
    // The runtime keeps compiled code where a collection is under way, so it is asked for in a turn of its own.
    if (code) setTimeout(() => Bun.shrink(), 0);
  },
};
