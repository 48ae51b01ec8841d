import { describe, expect, test } from "bun:test";
import { type Environment, loadConfig, showConfig } from "../../../src/kernel/config/load.ts";
import type { Setting } from "../../../src/kernel/config/setting.ts";
import { flagOf, SETTINGS, settingNames } from "../../../src/kernel/config/settings.ts";
import { AppError } from "../../../src/kernel/errors.ts";

interface Given {
  environment?: Environment;
  flags?: Record<string, string>;
  files?: Record<string, string>;
}

function load({ environment = {}, flags = {}, files = {} }: Given = {}) {
  return loadConfig(environment, flags, (path) => {
    const content = files[path];
    if (content === undefined) throw new Error(`no file ${path}`);
    return content;
  });
}

/** Where each problem is. */
function problems(given: Given): string[] {
  try {
    load(given);
  } catch (error) {
    if (error instanceof AppError && error.code === "invalid_request")
      return error.details.map(({ path }) => path);
    throw error;
  }
  return [];
}

const settings = Object.entries<Setting>(SETTINGS);

describe("the effective settings", () => {
  test("without anything given, every setting has its default", () => {
    const { config, origins } = load();
    for (const [name, setting] of settings)
      expect<unknown>([name, config[nameOf(name)]]).toEqual([name, setting.default]);
    expect(new Set(Object.values(origins))).toEqual(new Set(["default"]));
  });

  test("every default is a value that could be given", () => {
    for (const [name, setting] of settings) {
      const text = Array.isArray(setting.default) ? setting.default.join(",") : String(setting.default ?? "");
      expect(`${name} ${load({ flags: { [name]: text } }).config[nameOf(name)]}`).toBe(
        `${name} ${setting.default}`,
      );
    }
  });

  test("more answers at once than Bun opens connections for need its own setting as well", () => {
    const flags = { model_slots: "500" };
    expect(problems({ flags })).toEqual(["model_slots"]);
    expect(problems({ flags, environment: { BUN_CONFIG_MAX_HTTP_REQUESTS: "500" } })).toEqual([
      "model_slots",
    ]);
    expect(problems({ flags, environment: { BUN_CONFIG_MAX_HTTP_REQUESTS: "556" } })).toEqual([]);
    expect(problems({ flags: { model_slots: "200" } })).toEqual([]);
    const two = { ollama_urls: "127.0.0.1:1, 127.0.0.1:2" };
    expect(problems({ flags: { ...two, model_slots: "101" } })).toEqual(["model_slots"]);
    expect(problems({ flags: { ...two, model_slots: "100" } })).toEqual([]);
  });

  test("a flag comes before the environment, the environment before the default", () => {
    const environment = { DOCENT_PORT: "1111" };
    const both = load({ environment, flags: { port: "2222" } });
    expect([both.config.port, both.origins.port]).toEqual([2222, "flag"]);
    const one = load({ environment });
    expect([one.config.port, one.origins.port]).toEqual([1111, "environment"]);
    expect([load().config.port, load().origins.port]).toEqual([4747, "default"]);
  });

  test("NAME_FILE gives a value from a file, without the line end that editors add", () => {
    const environment = { DOCENT_READER_SECRET_FILE: "/run/secret" };
    for (const content of ["s3cret", "s3cret\n", "s3cret\r\n"]) {
      const { config, origins } = load({ environment, files: { "/run/secret": content } });
      expect([config.reader_secret, origins.reader_secret]).toEqual(["s3cret", "file"]);
    }
  });

  test("NAME_FILE works for every setting", () => {
    for (const [name, setting] of settings) {
      const text = Array.isArray(setting.default) ? setting.default.join(",") : String(setting.default ?? "");
      const { origins } = load({ environment: { [`${setting.env}_FILE`]: "/f" }, files: { "/f": text } });
      expect([name, origins[nameOf(name)]]).toEqual([name, "file"]);
    }
  });

  test("a flag comes before a file that cannot be read", () => {
    const { config } = load({ environment: { DOCENT_PORT_FILE: "/gone" }, flags: { port: "2222" } });
    expect(config.port).toBe(2222);
  });

  test("Ollama's own variable names its address", () => {
    expect(load({ environment: { OLLAMA_HOST: "0.0.0.0:1234" } }).config.ollama_host).toBe("0.0.0.0:1234");
  });

  test("what Kubernetes says of a service named docent is no port", () => {
    const { config, origins } = loadConfig({ DOCENT_PORT: "tcp://10.96.0.7:80" }, {}, () => "");
    expect([config.port, origins.port]).toEqual([SETTINGS.port.default, "default"]);
  });

  test("a list is cut at commas and spaces", () => {
    const { config } = load({ flags: { trusted_proxies: " 10.0.0.0/8,  ::1\n192.0.2.7, " } });
    expect(config.trusted_proxies).toEqual(["10.0.0.0/8", "::1", "192.0.2.7"]);
    expect(load({ flags: { trusted_proxies: "" } }).config.trusted_proxies).toEqual([]);
  });

  test("nobody can change them afterwards", () => {
    const { config } = load({ flags: { trusted_proxies: "::1" } });
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.trusted_proxies)).toBe(true);
  });

  test("variables that are no setting are left alone", () => {
    expect(problems({ environment: { DOCENT_UNKNOWN: "x", PATH: "/bin", HOME: undefined } })).toEqual([]);
  });
});

describe("settings that are wrong", () => {
  test("every problem is reported at once, under the name that was used", () => {
    const given = {
      environment: {
        DOCENT_PORT: "many",
        DOCENT_FALLBACK: "none",
        DOCENT_BACKUPS_FILE: "/gone",
        DOCENT_LOG_LEVEL_FILE: "/f",
      },
      flags: { relevance_min: "2", context_tokens: "1" },
      files: { "/f": "loud" },
    };
    expect(problems(given).sort()).toEqual([
      "--context-tokens",
      "--relevance-min",
      "DOCENT_BACKUPS_FILE",
      "DOCENT_FALLBACK",
      "DOCENT_LOG_LEVEL_FILE",
      "DOCENT_PORT",
    ]);
  });

  test("the message says what would be right", () => {
    expect(() => load({ flags: { port: "99999" } })).toThrow(
      'A setting is wrong: --port must be a whole number from 0 to 65535, not "99999"',
    );
    expect(() => load({ flags: { fallback: "none" } })).toThrow(
      'must be one of extractive, error, not "none"',
    );
  });

  test("a value and a file for one setting is a problem: nobody could say which one is meant", () => {
    const environment = { DOCENT_PORT: "1111", DOCENT_PORT_FILE: "/f" };
    expect(problems({ environment, files: { "/f": "2222" } })).toEqual(["DOCENT_PORT"]);
  });

  const NO_PORT = [
    "",
    " ",
    "x",
    "1e3",
    "0x10",
    "-1",
    "65536",
    "1.5",
    "NaN",
    "Infinity",
    "9".repeat(400),
    "١٢",
    "1 2",
    "+1",
  ];
  for (const text of NO_PORT) {
    test(`${JSON.stringify(text.slice(0, 12))} is no port`, () => {
      expect(problems({ flags: { port: text } })).toEqual(["--port"]);
    });
  }

  test("the value of a secret is never in a message", () => {
    const secrets = settings.filter(([, setting]) => setting.secret);
    expect(secrets.length).toBeGreaterThan(0);
    for (const [, setting] of secrets) {
      const environment = { [setting.env]: "hush", [`${setting.env}_FILE`]: "/f" };
      expect(() => load({ environment, files: { "/f": "hush" } })).not.toThrow("hush");
    }
  });
});

describe("the settings that are shown", () => {
  test("every setting is shown once, with where its value comes from", () => {
    const shown = showConfig(load({ flags: { port: "1" } }));
    expect(shown.map(({ name }) => name)).toEqual(settingNames());
    expect(shown.find(({ name }) => name === "port")).toMatchObject({
      value: 1,
      origin: "flag",
      env: "DOCENT_PORT",
      flag: "--port",
    });
  });

  test("a secret is hidden, and one that is not set is shown as such", () => {
    const secretOf = (text: string) =>
      showConfig(load({ flags: { reader_secret: text } })).find(({ name }) => name === "reader_secret")
        ?.value;
    expect(secretOf("hush")).toBe("********");
    expect(secretOf("")).toBe("");
    expect(JSON.stringify(showConfig(load({ flags: { reader_secret: "hush" } })))).not.toContain("hush");
  });

  test("every setting that names a secret is marked as one", () => {
    for (const [name, setting] of settings) {
      // `passwords` says whether there are any.
      if (/secret|password(?!s$)|token$|credential/.test(name))
        expect([name, setting.secret]).toEqual([name, true]);
    }
  });
});

describe("the table of settings", () => {
  for (const [name, setting] of settings) {
    test(`${name} has help, a variable, a flag, and a name that ends in its unit`, () => {
      expect(setting.help).toMatch(/^(?:[A-Z0-9-]|json, ).{10,}\.$/s);
      expect(setting.env).toMatch(/^(DOCENT_[A-Z_]+|OLLAMA_HOST)$/);
      expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(flagOf(name)).toBe(`--${name.replaceAll("_", "-")}`);
      if (setting.unit) expect(name).toMatch(new RegExp(`(^|_)${setting.unit}(_per_[a-z]+)?$`));
      if ("min" in setting) expect(setting.min).toBeLessThan(setting.max);
    });
  }

  test("a setting that ends in a unit says so", () => {
    const units = /_(seconds|bytes|tokens|characters|turns|messages|pages)$/;
    for (const [name, setting] of settings) {
      const unit = units.exec(name)?.[1];
      if (unit !== undefined) expect([name, setting.unit]).toEqual([name, unit]);
    }
  });

  test("no two settings share a variable, and none is another's file", () => {
    const variables = settings.flatMap(([, { env }]) => [env, `${env}_FILE`]);
    expect(new Set(variables).size).toBe(variables.length);
  });

  test("0 is no limit where the help says so, and can be given there", () => {
    for (const [name, setting] of settings) {
      if (/0 is no limit/.test(setting.help))
        expect([name, "min" in setting && setting.min]).toEqual([name, 0]);
    }
  });
});

function nameOf(name: string) {
  const found = settingNames().find((each) => each === name);
  if (found === undefined) throw new Error(`${name} is no setting`);
  return found;
}
