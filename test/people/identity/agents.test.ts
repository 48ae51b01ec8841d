import { describe, expect, test } from "bun:test";
import { readSignInFile } from "../../../src/people/identity/identity.ts";
import { vouchersOf } from "../../helpers/open-provider.ts";

const entry = (name: string, ...lines: string[]) =>
  [
    `  - name: ${name}`,
    `label: ${name}`,
    `issuer: https://${name}.example`,
    "client_id: docent",
    "readers: true",
    ...lines,
  ].join("\n    ");

async function agentsOf(...entries: string[]) {
  const readFile = () => `providers:\n${entries.join("\n")}\n`;
  return (await vouchersOf(readSignInFile("sign-in.yml", { environment: {}, readFile }))).agents;
}

const AUDIENCE = "mcp_audience: docs";

describe("agents", () => {
  test("are there where a provider gives them tokens", async () => {
    expect(await agentsOf(entry("one"))).toBeUndefined();
    expect((await agentsOf(entry("one"), entry("two", AUDIENCE)))?.issuers).toEqual(["https://two.example"]);
  });

  test("ask for what the file says for them, or else what it says for people, and for no refresh token", async () => {
    const plain = entry("one", AUDIENCE, "scopes: [openid, groups, offline_access]");
    expect((await agentsOf(plain))?.scopes).toEqual(["openid", "groups"]);
    const own = entry("two", AUDIENCE, "mcp_scopes: [groups, api://docs/read]");
    expect((await agentsOf(plain, own))?.scopes).toEqual(["openid", "groups", "api://docs/read"]);
    expect((await agentsOf(entry("one", AUDIENCE, "mcp_scopes: []")))?.scopes).toEqual([]);
  });
});
