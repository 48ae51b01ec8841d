import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launchd } from "../../src/cli/commands/service/launchd.ts";
import type { Plan, ServiceManager } from "../../src/cli/commands/service/manager.ts";
import { settingsText, systemd, systemdUnit } from "../../src/cli/commands/service/systemd.ts";
import { ended } from "../helpers/ended.ts";
import { runInProcess } from "../helpers/run-in-process.ts";

const folder = mkdtempSync(join(tmpdir(), "docent-service-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PLAN: Plan = {
  scope: "system",
  program: ["/bin/true"],
  data: "/var/lib/docent",
  account: "docent",
  variables: {},
  memoryMax: "4G",
  addresses: undefined,
  home: "/home/ada",
  uid: 1000,
};

const run = async (...command: string[]) => {
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "pipe" });
  const { out, err, code } = await ended(child);
  return { code, said: out + err };
};

describe.each([systemd, launchd] as ServiceManager[])("every manager, here $name", (manager) => {
  const both = (["system", "user"] as const).map((scope) => ({
    ...PLAN,
    scope,
    data: manager.dataOf(scope, PLAN.home),
  }));

  test("keeps a person's service in the person's own folders, and the machine's elsewhere", () => {
    const [system, user] = both.map((plan) => [plan.data, ...manager.files(plan).map(({ path }) => path)]);
    expect(user?.filter((path) => !path.startsWith("/home/ada/"))).toEqual([]);
    expect(system?.filter((path) => path.startsWith("/home/ada/"))).toEqual([]);
  });

  test("lets nobody else read or write what holds settings", () => {
    const secret = { ...PLAN, variables: { DOCENT_DATABASE_URL: "postgres://docent:secret@db/docent" } };
    const holding = manager.files(secret).filter(({ text }) => text.includes("secret@db"));
    expect(holding.map(({ mode }) => mode)).toEqual([0o600]);
  });

  test("starts the program with its data directory, again when it fails, and waits for it longer than it takes to stop", () => {
    for (const plan of both) {
      const [unit] = manager.files(plan);
      expect(unit.text).toContain("/bin/true");
      expect(unit.text).toMatch(/\bserve\b/);
      expect(unit.text).toContain(plan.data.replaceAll(" ", " "));
      expect(unit.text).toMatch(/Restart=on-failure|<key>SuccessfulExit<\/key>\s*<false\/>/);
      expect(unit.text).toMatch(/TimeoutStopSec=45|<key>ExitTimeOut<\/key>\s*<integer>45</);
    }
  });

  test("says what starts it, what stops it, and reads nothing from what is no answer", () => {
    for (const plan of both) {
      expect(manager.start(plan, true).length).toBeGreaterThan(0);
      expect(manager.stop(plan).length).toBeGreaterThan(0);
      expect(manager.readState("Could not find service")).toBeUndefined();
    }
  });
});

describe("the unit of systemd", () => {
  const plans: [string, Plan][] = [
    ["of a package", PLAN],
    ["of a person", { ...PLAN, scope: "user", data: "/home/ada/.local/share/docent" }],
    ["elsewhere", { ...PLAN, data: "/mnt/100%/with space", program: ["/bin/true"] }],
    ["of a closed network", { ...PLAN, addresses: ["10.0.0.0/8", "fd00::/8"] }],
  ];
  test.skipIf(Bun.which("systemd-analyze") === null).each(plans)(
    "%s is one that systemd reads without a warning",
    async (_name, plan) => {
      const unit = join(folder, "docent.service");
      writeFileSync(unit, systemdUnit(plan));
      expect(await run("systemd-analyze", "verify", "--man=no", unit)).toEqual({ code: 0, said: "" });
    },
  );

  test.skipIf(Bun.which("systemd-analyze") === null)("exposes little, as systemd counts it", async () => {
    const unit = join(folder, "docent.service");
    const exposure = async (plan: Plan) => {
      writeFileSync(unit, systemdUnit(plan));
      const { said } = await run("systemd-analyze", "security", "--offline=true", "--no-pager", unit);
      return Number(/Overall exposure level for \S+: ([\d.]+)/.exec(said)?.[1]);
    };
    // A unit that says nothing of this has 9.6 of 10.
    expect(await exposure(PLAN)).toBeLessThan(2.5);
    expect(await exposure({ ...PLAN, addresses: ["10.0.0.0/8"] })).toBeLessThan(await exposure(PLAN));
  });

  test("talks to what was allowed and to this machine, and leaves both as a comment otherwise", () => {
    expect(systemdUnit(PLAN)).toContain("\n#IPAddressDeny=any\n");
    const closed = systemdUnit({ ...PLAN, addresses: ["10.0.0.0/8"] });
    expect(closed).toContain("\nIPAddressDeny=any\nIPAddressAllow=localhost 10.0.0.0/8\n");
  });

  test("means by a percent sign, a dollar and a space no more than that", () => {
    const unit = systemdUnit({ ...PLAN, program: ["/opt/a $HOME %h/docent"], data: '/mnt/50% "x"' });
    expect(unit).toContain('ExecStart="/opt/a $$HOME %%h/docent" serve\n');
    expect(unit).toContain('Environment="DOCENT_DATA=/mnt/50%% \\"x\\""\n');
  });

  test("has a file of settings in which every value is read as it was given", async () => {
    const value = 'a "b" \\ $HOME `c` #d';
    const file = join(folder, "docent.env");
    writeFileSync(file, settingsText({ DOCENT_MODEL: value, DOCENT_PORT: "8080", DOCENT_HOST: "" }));
    // Shells read such a line as systemd does.
    const read = `set -a; . '${file}'; printf '%s|%s|%s' "$DOCENT_MODEL" "$DOCENT_PORT" "$DOCENT_HOST"`;
    expect(await run("sh", "-c", read)).toEqual({ code: 0, said: `${value}|8080|` });
  });
});

test.skipIf(Bun.which("python3") === null)("the property list is one, with every setting in it", async () => {
  const variables = { DOCENT_MODEL: 'a<b & "c"', DOCENT_PORT: "8080" };
  const [list] = launchd.files({ ...PLAN, account: "_docent", variables });
  const file = join(folder, "docent.plist");
  writeFileSync(file, list.text);
  const read = "import plistlib, json, sys; print(json.dumps(plistlib.load(open(sys.argv[1], 'rb'))))";
  const { code, said } = await run("python3", "-c", read, file);
  expect(code, said).toBe(0);
  expect(JSON.parse(said)).toMatchObject({
    Label: "docent",
    ProgramArguments: ["/bin/true", "serve"],
    EnvironmentVariables: { DOCENT_DATA: "/var/lib/docent", ...variables },
    UserName: "_docent",
    RunAtLoad: true,
    KeepAlive: { SuccessfulExit: false },
    Umask: 0o077,
  });
});

describe("docent service", () => {
  const machine = join(folder, "machine");
  const unit = join(machine, "etc/systemd/system/docent.service");
  const settings = join(machine, "etc/docent/docent.env");
  const service = (...words: string[]) =>
    runInProcess(["service", ...words, "--root", machine, "--manager", "systemd"]);
  beforeAll(() => mkdirSync(machine));

  test("--dry-run prints the files, and writes nothing", async () => {
    const { code, out } = await service("install", "--dry-run", "--port", "8080");
    expect(code).toBe(0);
    expect(out).toContain("ExecStart=");
    expect(out).toContain("DOCENT_PORT=8080");
    expect(() => statSync(unit)).toThrow();
  });

  test("install writes the unit and the settings, and says that nothing was started and what to run", async () => {
    const { code, out } = await service("install", "--port", "8080");
    expect(code).toBe(0);
    expect(readFileSync(settings, "utf8")).toContain("\nDOCENT_PORT=8080\n");
    expect(statSync(settings).mode & 0o777).toBe(0o600);
    expect(statSync(unit).mode & 0o777).toBe(0o644);
    expect(statSync(join(machine, "etc")).mode & 0o777).toBe(0o755);
    expect(out).toContain("Nothing was started.");
    expect(out).toContain("useradd --system");
    expect(out).toContain("systemctl enable --now docent");
  });

  test("no account is asked for where there is one", async () => {
    writeFileSync(join(machine, "etc/passwd"), "docent:x:999:999::/var/lib/docent:/usr/sbin/nologin\n");
    expect((await service("install", "--dry-run")).out).not.toContain("useradd");
  });

  test("a second install keeps the operator's settings, and says what is not in them", async () => {
    const { code, out } = await service("install", "--port", "9090");
    expect(code).toBe(0);
    expect(readFileSync(settings, "utf8")).toContain("DOCENT_PORT=8080");
    expect(out).toContain("DOCENT_PORT");
  });

  test("a unit that is different is written over only when asked to", async () => {
    writeFileSync(unit, "[Service]\nExecStart=/bin/false\n");
    const refused = await service("install");
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("is there, and is different")]);
    expect(readFileSync(unit, "utf8")).toContain("/bin/false");
    expect((await service("install", "--replace")).code).toBe(0);
    expect(readFileSync(unit, "utf8")).not.toContain("/bin/false");
  });

  test("status says that it is installed, and uninstall removes the unit alone", async () => {
    const { out } = await service("status", "--json");
    expect(JSON.parse(out)).toEqual({
      manager: "systemd",
      file: unit,
      isInstalled: true,
      active: null,
      enabled: null,
    });
    const removed = await service("uninstall");
    expect(removed.out).toContain(`Kept    ${settings}`);
    expect(() => statSync(unit)).toThrow();
    expect(readFileSync(settings, "utf8")).toContain("DOCENT_PORT=8080");
    expect((await service("uninstall")).code).toBe(1);
  });

  test("what cannot be is refused before anything is written", async () => {
    const cases: [words: string[], says: string][] = [
      [["install", "--account", "a;reboot"], "no name of an account"],
      [["install", "--model", "a\nDOCENT_HOST=0.0.0.0"], "line break"],
      [["install", "--user", "--allow", "10.0.0.0/8"], "--allow is for a service of the machine"],
    ];
    for (const [words, says] of cases) {
      const { code, err } = await service(...words);
      expect([code, err]).toEqual([1, expect.stringContaining(says)]);
    }
    expect(() => statSync(unit)).toThrow();
  });

  test("a running service is not removed below itself", async () => {
    // A systemctl that says so, since none runs here that may be asked to start something.
    const home = join(folder, "home");
    const programs = join(folder, "programs");
    for (const each of [home, programs]) mkdirSync(each, { recursive: true });
    const says = "LoadState=loaded\\nActiveState=active\\nUnitFileState=enabled\\n";
    writeFileSync(join(programs, "systemctl"), `#!/bin/sh\nprintf '${says}'\n`, { mode: 0o755 });
    const environment = { HOME: home, PATH: `${programs}:${process.env["PATH"]}` };
    const own = (...words: string[]) =>
      runInProcess(["service", ...words, "--user", "--manager", "systemd"], { environment });
    expect((await own("install")).code).toBe(0);
    expect(JSON.parse((await own("status", "--json")).out)).toMatchObject({
      isInstalled: true,
      active: "active",
      enabled: "enabled",
    });
    const refused = await own("uninstall");
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining("systemctl --user disable --now"),
    ]);
    expect(statSync(join(home, ".config/systemd/user/docent.service")).isFile()).toBe(true);
  });
});
