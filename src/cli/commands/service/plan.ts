import { readFileSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import type { Setting } from "@docent/kernel/config/setting";
import { SETTINGS } from "@docent/kernel/config/settings";
import { AppError } from "@docent/kernel/errors";
import { type Context, textOption, textsOption } from "../../command.ts";
import { settingFlags } from "../../command-line.ts";
import { launchd } from "./launchd.ts";
import type { ManagerName, Plan, ServiceManager } from "./manager.ts";
import { systemd } from "./systemd.ts";

const MANAGERS: Readonly<Record<ManagerName, ServiceManager>> = { systemd, launchd };
const MEMORY_MAX = "4G";

/** The options that say which service is meant. */
export const WHICH_OPTIONS = {
  manager: { type: "string" },
  user: { type: "boolean" },
  root: { type: "string" },
} as const;

export const WHICH_OPTION_HELP = {
  manager: "systemd or launchd; the one of this machine unless named",
  user: "a service of the person who runs this, in the place of the machine's",
  root: "a folder that stands for /, such as a mounted image",
};

/** The options that say what it is made from. */
export const PLAN_OPTIONS = {
  account: { type: "string" },
  "memory-max": { type: "string" },
  allow: { type: "string", multiple: true },
} as const;

export const PLAN_OPTION_HELP = {
  account: "the account that it runs as; docent unless named, which launchd needs",
  "memory-max": `the memory at which systemd ends it; ${MEMORY_MAX} unless named`,
  allow:
    "a network that may be talked to beside this machine, as 10.0.0.0/8; may be repeated; everything else is refused",
};

/** What a command is to look after, and by whom. */
export interface Service {
  manager: ServiceManager;
  plan: Plan;
  /** Where a file of the service is: below the folder that stands for /. */
  place(path: string): string;
  hasAccount: boolean;
}

/** Reads from the options which service is meant. Raises `invalid_request` for what cannot be. */
export function readService(context: Context): Service {
  const { surroundings, options, self } = context;
  const manager = managerOf(textOption(context, "manager"));
  const scope = options["user"] === true ? "user" : "system";
  const home = surroundings.environment["HOME"] ?? "";
  const { data = manager.dataOf(scope, home), ...settings } = settingFlags(options);
  const addresses = textsOption(context, "allow");
  if (addresses !== undefined && (scope === "user" || manager.name !== "systemd"))
    throw new AppError("invalid_request", "--allow is for a service of the machine, under systemd.");
  if (scope === "user" && !isAbsolute(home))
    throw new AppError("invalid_request", "The environment variable HOME does not name a folder.");
  const root = textOption(context, "root");
  const place = (path: string) => (root === undefined ? path : join(resolve(root), path));
  const account = textOption(context, "account") ?? manager.account;
  if (account === undefined && scope === "system")
    throw new AppError("invalid_request", "A service of the machine needs an account to run as.", {
      hint: "Name it with --account, or make a service of your own with --user.",
    });
  const plan: Plan = {
    scope,
    program: self,
    data: resolve(data),
    account: checkedName(account ?? ""),
    variables: Object.fromEntries(Object.entries(settings).map(variableOf)),
    memoryMax: textOption(context, "memory-max") ?? MEMORY_MAX,
    addresses,
    home,
    uid: process.getuid?.() ?? 0,
  };
  return { manager, plan, place, hasAccount: isListed(plan.account, place("/etc/passwd")) };
}

function managerOf(name: string | undefined): ServiceManager {
  const known = Object.values(MANAGERS);
  if (name !== undefined) {
    const found = known.find((each) => each.name === name);
    if (found !== undefined) return found;
    throw new AppError("invalid_request", `--manager is ${known.map((each) => each.name).join(" or ")}.`);
  }
  if (process.platform === "linux") return MANAGERS.systemd;
  if (process.platform === "darwin") return MANAGERS.launchd;
  throw new AppError("invalid_request", "Docent makes no service of this system.", {
    hint: "On Windows, let the Task Scheduler start docent serve when the machine starts.",
  });
}

/** Names of accounts stand in commands that a person is told to run. */
function checkedName(account: string): string {
  if (account === "" || /^[a-z_][a-z0-9_.-]*$/i.test(account)) return account;
  throw new AppError("invalid_request", `${account} is no name of an account.`);
}

function isListed(account: string, file: string): boolean {
  try {
    return readFileSync(file, "utf8")
      .split("\n")
      .some((line) => line.startsWith(`${account}:`));
  } catch {
    return false;
  }
}

function variableOf([name, value]: [string, string]): [string, string] {
  const settings: Readonly<Record<string, Setting>> = SETTINGS;
  const variable = settings[name]?.env ?? name;
  if (/[\n\r\0]/.test(value))
    throw new AppError("invalid_request", `${variable} cannot be kept with a line break in it.`);
  return [variable, value];
}
