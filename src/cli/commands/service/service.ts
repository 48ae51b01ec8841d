import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { AppError } from "@docent/kernel/errors";
import { z } from "zod";
import type { Command, Context } from "../../command.ts";
import { printJson } from "../../output.ts";
import { bold, type Text } from "../../terminal/text.ts";
import type { ServiceFile, ServiceState } from "./manager.ts";
import {
  PLAN_OPTION_HELP,
  PLAN_OPTIONS,
  readService,
  type Service,
  WHICH_OPTION_HELP,
  WHICH_OPTIONS,
} from "./plan.ts";

/** How long a manager may take to say how a service is. */
const ASK_MS = 5000;

const FILE_SHAPE = z.object({ path: z.string(), did: z.enum(["wrote", "kept", "removed", "would write"]) });
type Done = z.infer<typeof FILE_SHAPE>;

export const serviceInstall: Command = {
  words: [0, 0],
  json: { shape: z.object({ manager: z.string(), files: z.array(FILE_SHAPE), run: z.array(z.string()) }) },
  options: {
    ...WHICH_OPTIONS,
    ...PLAN_OPTIONS,
    replace: { type: "boolean" },
    "dry-run": { type: "boolean" },
  },
  optionHelp: {
    ...WHICH_OPTION_HELP,
    ...PLAN_OPTION_HELP,
    replace: "write over what is there, where it is different",
    "dry-run": "print the files, and write nothing",
  },
  async run(context) {
    const service = readService(context);
    const { manager, plan, place } = service;
    const isDry = context.options["dry-run"] === true;
    const files = manager.files(plan);
    if (!isDry) {
      checkProgram(service);
      checkDifferent(service, context.options["replace"] === true);
    }
    const done = files.map((file): Done => {
      if (isDry) return { path: place(file.path), did: "would write" };
      return { path: place(file.path), did: writeFile(file, place) };
    });
    const run = manager.start(plan, service.hasAccount);
    if (context.options["json"] === true)
      return printJson(context, { manager: manager.name, files: done, run });
    if (isDry)
      context.terminal.out(files.map(({ path, text }): Text => [bold(`# ${place(path)}`), `\n${text}\n`]));
    context.terminal.out([
      ...said(done),
      ...unsaid(service, done),
      ...toRun("Nothing was started. To start it:", run),
    ]);
    return undefined;
  },
};

export const serviceUninstall: Command = {
  words: [0, 0],
  json: { shape: z.object({ manager: z.string(), files: z.array(FILE_SHAPE), run: z.array(z.string()) }) },
  options: { ...WHICH_OPTIONS },
  optionHelp: { ...WHICH_OPTION_HELP },
  async run(context) {
    const service = readService(context);
    const { manager, plan, place } = service;
    const [unit, ...others] = manager.files(plan);
    const path = place(unit.path);
    if (textOf(path) === undefined) throw notInstalled(path);
    const run = manager.stop(plan);
    const state = isElsewhere(context) ? undefined : await askState(context, service);
    if (state !== undefined && isRunning(state))
      throw new AppError("conflict", "The service is running, and would go on without its file.", {
        hint: `Stop it first: ${run.join("; ")}`,
      });
    rmSync(path);
    const kept = others.map((file) => place(file.path)).filter((each) => textOf(each) !== undefined);
    const done: Done[] = [
      { path, did: "removed" },
      ...kept.map((each): Done => ({ path: each, did: "kept" })),
    ];
    if (context.options["json"] === true)
      return printJson(context, { manager: manager.name, files: done, run: [] });
    context.terminal.out([...said(done), `Kept    ${plan.data}, if it was used.\n`]);
    return undefined;
  },
};

export const serviceStatus: Command = {
  words: [0, 0],
  json: {
    shape: z.object({
      manager: z.string(),
      file: z.string(),
      isInstalled: z.boolean(),
      active: z.string().nullable(),
      enabled: z.string().nullable(),
    }),
  },
  options: { ...WHICH_OPTIONS },
  optionHelp: { ...WHICH_OPTION_HELP },
  async run(context) {
    const service = readService(context);
    const { manager, plan, place } = service;
    const file = place(manager.files(plan)[0].path);
    const isInstalled = textOf(file) !== undefined;
    const state = isElsewhere(context) ? undefined : await askState(context, service);
    const [active, enabled] = [state?.active ?? null, state?.enabled ?? null];
    if (context.options["json"] === true)
      return printJson(context, { manager: manager.name, file, isInstalled, active, enabled });
    context.terminal.out([
      isInstalled ? `The service is in ${file}.\n` : `There is no ${file}.\n`,
      active === null
        ? `${manager.name} says nothing of it.\n`
        : `${manager.name} says: ${[active, enabled].filter((each) => each !== null).join(", ")}.\n`,
      ...(isInstalled && active === null
        ? toRun("To start it:", manager.start(plan, service.hasAccount))
        : []),
    ]);
    return undefined;
  },
};

/** A manager knows nothing of a service in a folder that stands for another machine's. */
const isElsewhere = (context: Context) => context.options["root"] !== undefined;

const isRunning = ({ active }: ServiceState) => /^(?:active|activating|reloading|running)$/.test(active);

async function askState(context: Context, { manager, plan }: Service): Promise<ServiceState | undefined> {
  const command = manager.ask(plan);
  const [program = ""] = command;
  if (Bun.which(program, { PATH: context.surroundings.environment["PATH"] ?? "" }) === null) return undefined;
  const child = Bun.spawn(command, {
    env: { ...context.surroundings.environment },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
    timeout: ASK_MS,
  });
  const said = await new Response(child.stdout).text();
  return (await child.exited) === 0 ? manager.readState(said) : undefined;
}

/** The service could not start what its own sandbox hides from it. */
function checkProgram({ manager, plan, place }: Service): void {
  const [program = ""] = plan.program;
  const isHidden = manager.name === "systemd" && /^\/(?:home|root|run\/user|tmp|var\/tmp)\//.test(program);
  if (plan.scope === "user" || !isHidden || place("/") !== "/") return;
  throw new AppError(
    "invalid_request",
    `A service of the machine cannot start ${program}: that folder is hidden from it.`,
    {
      hint: "Copy the program to /usr/local/bin, and run it from there.",
    },
  );
}

function checkDifferent({ manager, plan, place }: Service, mayReplace: boolean): void {
  if (mayReplace) return;
  for (const file of manager.files(plan).filter((each) => each.isOperators !== true)) {
    const there = textOf(place(file.path));
    if (there === undefined || there === file.text) continue;
    throw new AppError("conflict", `${place(file.path)} is there, and is different.`, {
      hint: "Look at it, and at what --dry-run prints. --replace writes over it.",
    });
  }
}

function writeFile(file: ServiceFile, place: (path: string) => string): Done["did"] {
  const path = place(file.path);
  if (file.isOperators === true && textOf(path) !== undefined) return "kept";
  // Others may look at what services there are, whatever the program's own files are for.
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
  writeFileSync(path, file.text, { mode: file.mode });
  chmodSync(path, file.mode);
  return "wrote";
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
    throw new AppError("unavailable", `${path} cannot be read.`, { cause });
  }
}

const notInstalled = (path: string) =>
  new AppError("not_found", `There is no ${path}.`, {
    hint: "Did --user stand there when it was installed? A package's service goes with the package.",
  });

const VERBS: Record<Done["did"], string> = {
  wrote: "Wrote",
  kept: "Kept",
  removed: "Removed",
  "would write": "Would write",
};

const said = (done: readonly Done[]) => done.map(({ path, did }) => `${VERBS[did].padEnd(7)} ${path}\n`);

/** Settings that were named, and are not in the file, because it is the operator's. */
function unsaid({ plan }: Service, done: readonly Done[]): string[] {
  const names = Object.keys(plan.variables);
  if (names.length === 0 || !done.some(({ did }) => did === "kept")) return [];
  return [`What was named here is not in it. Write it there yourself: ${names.join(", ")}\n`];
}

const toRun = (why: string, lines: readonly string[]) => [`${why}\n`, ...lines.map((each) => `  ${each}\n`)];
