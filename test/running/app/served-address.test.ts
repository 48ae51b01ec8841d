import { expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "../../../src/kernel/config/load.ts";
import { publicUrlHere } from "../../../src/running/app/served-address.ts";
import { startDocent } from "../../helpers/docent.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

const configOf = (data: string, more: Record<string, string> = {}) =>
  loadConfig({}, { data, port: "4999", ...more }, () => "").config;

test("commands link to the running server, whatever port they would use, and forget it when it has ended", async () => {
  using directory = temporaryDirectory();
  const docent = await startDocent({ data: directory.path });
  expect(publicUrlHere(configOf(directory.path))).toBe(docent.url);
  await docent.close();
  expect(existsSync(join(directory.path, "server.address"))).toBe(false);
  expect(publicUrlHere(configOf(directory.path))).toBe("http://127.0.0.1:4999");
});

test("the address that is configured comes first", async () => {
  using directory = temporaryDirectory();
  const docent = await startDocent({ data: directory.path });
  const config = configOf(directory.path, { public_url: "https://docs.example.com/" });
  expect(publicUrlHere(config)).toBe("https://docs.example.com");
  await docent.close();
});

test.each(["", "not an address", "javascript:alert(1)", "http://"])(
  "%j in its file is no address",
  (text) => {
    using directory = temporaryDirectory();
    writeFileSync(join(directory.path, "server.address"), text);
    expect(publicUrlHere(configOf(directory.path))).toBe("http://127.0.0.1:4999");
  },
);
