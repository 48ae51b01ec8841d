import { expect, test } from "bun:test";
import type { Setting } from "../../../src/kernel/config/setting.ts";
import { SETTINGS } from "../../../src/kernel/config/settings.ts";
import { unknownVariables } from "../../../src/kernel/config/unknown-variables.ts";
import { runInProcess } from "../../helpers/run-in-process.ts";

test.each([
  ["DOCENT_PROT", "DOCENT_PROT is not a setting; did you mean DOCENT_PORT?"],
  ["DOCENT_DATE", "DOCENT_DATE is not a setting; did you mean DOCENT_DATA?"],
  ["DOCENT_TRUSTED_PROXYS", "DOCENT_TRUSTED_PROXYS is not a setting; did you mean DOCENT_TRUSTED_PROXIES?"],
  [
    "DOCENT_READER_SECRETFILE",
    "DOCENT_READER_SECRETFILE is not a setting; did you mean DOCENT_READER_SECRET_FILE?",
  ],
  ["DOCENT_port", "DOCENT_port is not a setting; did you mean DOCENT_PORT?"],
  ["DOCENT_SOMETHING_ELSE", "DOCENT_SOMETHING_ELSE is not a setting."],
])("%s is named, with what was meant", (name, says) => {
  expect(unknownVariables({ [name]: "hunter2" }, [])).toEqual([says]);
});

test("a setting, others' variables, what a source signs in with, and Kubernetes' own are not named", () => {
  const names = [
    ...Object.values<Setting>(SETTINGS).flatMap(({ env }) => [env, `${env}_FILE`]),
    "PATH",
    "DOCENTS",
    "DOCENT_GIT_TOKEN",
    "DOCENT_SERVICE_HOST",
    "DOCENT_SERVICE_PORT_HTTP",
    "DOCENT_PORT_4747_TCP",
    "DOCENT_PORT_4747_TCP_ADDR",
    "DOCENT_WEB_SERVICE_PORT",
  ];
  const environment = Object.fromEntries(names.map((name) => [name, "x"]));
  expect(unknownVariables(environment, ["DOCENT_GIT_TOKEN"])).toEqual([]);
});

test("of very many only a few are named", () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`DOCENT_X${index}`, ""]));
  expect(unknownVariables(many, [])).toHaveLength(10);
});

test("a command names it and goes on, and never tells its value", async () => {
  const environment = { DOCENT_READER_SECERT: "hunter2", DOCENT_PROT: "1" };
  const { code, out, err } = await runInProcess(["config"], { environment });
  expect(code).toBe(0);
  expect(err).toBe(
    "docent: DOCENT_PROT is not a setting; did you mean DOCENT_PORT?\n" +
      "docent: DOCENT_READER_SECERT is not a setting; did you mean DOCENT_READER_SECRET?\n",
  );
  expect(`${out}${err}`).not.toContain("hunter2");
  const told = await runInProcess(["config", "--json"], { environment: { DOCENT_PROT: "1" } });
  expect(JSON.parse(told.err)).toEqual({
    message: "DOCENT_PROT is not a setting; did you mean DOCENT_PORT?",
  });
});
