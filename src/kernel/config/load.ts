import { AppError, type FaultDetail } from "../errors.ts";
import type { Setting } from "./setting.ts";
import { type Config, flagOf, SETTINGS, type SettingName, settingNames } from "./settings.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where a setting's value came from. */
type Origin = "default" | "environment" | "file" | "flag";

export interface LoadedConfig {
  config: Config;
  origins: Record<SettingName, Origin>;
}

interface Given {
  text: string;
  origin: Origin;
}

/**
 * The effective settings: flag, then environment variable, then the file it names, then the default.
 * Throws `invalid_request` with every problem at once.
 */
export function loadConfig(
  environment: Environment,
  flags: Readonly<Record<string, string>>,
  readFile: (path: string) => string,
): LoadedConfig {
  const problems: FaultDetail[] = [];
  const values: Record<string, unknown> = {};
  const origins: Record<string, Origin> = {};
  for (const [name, setting] of Object.entries<Setting>(SETTINGS)) {
    const given = find(name, setting, environment, flags, readFile, problems);
    const parsed = given === undefined ? { value: setting.default } : parse(setting, given.text);
    if ("problem" in parsed) problems.push({ path: nameFor(name, setting, given), message: parsed.problem });
    else values[name] = parsed.value;
    origins[name] = given?.origin ?? "default";
  }
  const urls = values["ollama_urls"];
  const servers = Math.max(1, Array.isArray(urls) ? new Set(urls).size : 0);
  const slots = tooManySlots(Number(values["model_slots"] ?? 0), servers, environment);
  if (slots !== undefined) problems.push(slots);
  if (problems.length > 0) {
    throw new AppError("invalid_request", describe(problems), {
      details: problems,
      hint: "docent serve --help lists every setting with its default.",
    });
  }
  // Both were filled for every name in SETTINGS by the loop above, by the parser that belongs to each kind.
  return { config: Object.freeze(values) as Config, origins: origins as Record<SettingName, Origin> };
}

/** What Kubernetes says of a service that is called docent, in a variable that is a setting of ours: DOCENT_PORT. */
const OF_KUBERNETES = /^(?:tcp|udp|sctp):\/\/[^/]+:\d+$/;

function find(
  name: string,
  setting: Setting,
  environment: Environment,
  flags: Readonly<Record<string, string>>,
  readFile: (path: string) => string,
  problems: FaultDetail[],
): Given | undefined {
  const flag = flags[name];
  if (flag !== undefined) return { text: flag, origin: "flag" };
  // Compose files and units set what they leave out to nothing.
  const given = environment[setting.env] || undefined;
  const value = name === "port" && given !== undefined && OF_KUBERNETES.test(given) ? undefined : given;
  const path = environment[`${setting.env}_FILE`];
  if (value !== undefined && path !== undefined) {
    problems.push({
      path: setting.env,
      message: `set either ${setting.env} or ${setting.env}_FILE, not both`,
    });
  }
  if (value !== undefined) return { text: value, origin: "environment" };
  if (path === undefined) return undefined;
  try {
    return { text: readFile(path).replace(/\r?\n$/, ""), origin: "file" };
  } catch {
    problems.push({ path: `${setting.env}_FILE`, message: `the file ${path} cannot be read` });
    return undefined;
  }
}

function parse(setting: Setting, given: string): { value: unknown } | { problem: string } {
  const text = given.trim();
  if (text === "" && setting.default === null) return { value: null };
  switch (setting.kind) {
    case "text":
      return { value: text };
    case "list":
      return { value: Object.freeze(text.split(/[\s,]+/).filter((item) => item !== "")) };
    case "choice":
      if (setting.choices.includes(text)) return { value: text };
      return { problem: `must be one of ${setting.choices.join(", ")}, not ${JSON.stringify(text)}` };
    case "integer":
    case "measure":
    case "number": {
      const value = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
      const whole = setting.kind !== "integer" || Number.isSafeInteger(value);
      if (whole && value >= setting.min && value <= setting.max) return { value };
      const what = setting.kind === "integer" ? "a whole number" : "a number";
      return {
        problem: `must be ${what} from ${setting.min} to ${setting.max}, not ${JSON.stringify(text)}`,
      };
    }
  }
}

function nameFor(name: string, setting: Setting, given: Given | undefined): string {
  if (given?.origin === "flag") return flagOf(name);
  return given?.origin === "file" ? `${setting.env}_FILE` : setting.env;
}

function describe(problems: FaultDetail[]): string {
  const lines = problems.map((problem) => `${problem.path} ${problem.message}`);
  return lines.length === 1
    ? `A setting is wrong: ${lines[0]}`
    : `Settings are wrong:\n  ${lines.join("\n  ")}`;
}

/** One row of `docent config`. */
interface ShownSetting {
  name: SettingName;
  value: unknown;
  origin: string;
  env: string;
  flag: string;
  help: string;
}

/** Every setting with its effective value, secrets hidden. */
export function showConfig({ config, origins }: LoadedConfig): ShownSetting[] {
  return settingNames().map((name) => {
    const setting: Setting = SETTINGS[name];
    const value = config[name];
    return {
      name,
      value: setting.secret && value !== "" ? "********" : value,
      origin: origins[name],
      env: setting.env,
      flag: flagOf(name),
      help: setting.help,
    };
  });
}

/** Read by Bun itself when the process starts, so that it can't be set from inside. */
const VARIABLE = "BUN_CONFIG_MAX_HTTP_REQUESTS";
const BUN_DEFAULT = 256;
/** For asking Ollama how it is while every slot is taken: without an answer it would be thought to be away. */
const SPARE = 56;

/** The problem of more answers at the same time than Bun opens connections for: the others would only wait. */
function tooManySlots(
  slots: number,
  servers: number,
  environment: Readonly<Record<string, string | undefined>>,
): FaultDetail | undefined {
  const needed = slots * servers + SPARE;
  const connections = Number(environment[VARIABLE] || BUN_DEFAULT);
  if (needed <= connections) return undefined;
  return {
    path: "model_slots",
    message: `needs ${VARIABLE} in the environment, at least ${needed}, to be ${slots}${servers > 1 ? ` on ${servers} servers` : ""}`,
  };
}
