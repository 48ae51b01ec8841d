import { describe, expect, test } from "bun:test";
import { readSignInFile } from "../../../src/people/identity/identity.ts";
import { appErrorOf } from "../../helpers/rejection.ts";

const PROVIDER = `
providers:
  - name: company
    label: Company account
    issuer: https://id.example.com/realms/main
    client_id: docent
    readers: true
`;

function read(yaml: string, files: Record<string, string> = {}, environment: Record<string, string> = {}) {
  const all: Record<string, string> = { "/etc/sign-in.yml": yaml, ...files };
  const readFile = (path: string) => {
    const text = all[path];
    if (text === undefined) throw new Error("ENOENT");
    return text;
  };
  return readSignInFile("/etc/sign-in.yml", { environment, readFile });
}

const faultOf = async (...given: Parameters<typeof read>) =>
  (await appErrorOf(async () => read(...given))).message;

describe("the sign-in file", () => {
  test("without a path nobody is named, and an empty file names nobody", () => {
    const nothing = { providers: [], proxy: undefined };
    expect(readSignInFile("", { environment: {}, readFile: () => "" })).toEqual(nothing);
    expect(read("")).toEqual(nothing);
  });

  test("what is left out has its default, and nothing can be changed afterwards", () => {
    const { providers, proxy } = read(PROVIDER);
    expect(proxy).toBeUndefined();
    expect(providers[0]).toEqual({
      name: "company",
      label: "Company account",
      issuer: "https://id.example.com/realms/main",
      client_id: "docent",
      client_secret: undefined,
      certificate_authority: undefined,
      scopes: ["openid", "profile", "email"],
      groups_claim: "groups",
      hosts: [],
      clock_skew_seconds: 60,
      readers: true,
    });
    expect(Object.isFrozen(providers) && Object.isFrozen(providers[0]?.scopes)).toBe(true);
  });

  test("a secret comes from a file or from the environment, without its line end", () => {
    const withFile = read(`${PROVIDER}    client_secret_file: /run/secret\n`, { "/run/secret": "s3cret\n" });
    expect(withFile.providers[0]?.client_secret).toBe("s3cret");
    const withVariable = read(`${PROVIDER}    client_secret_env: SECRET\n`, {}, { SECRET: "s3cret" });
    expect(withVariable.providers[0]?.client_secret).toBe("s3cret");
  });

  test.each([
    ["nmae: x", "providers[0].nmae: is not known"],
    ["clock_skew_seconds: 301", "providers[0].clock_skew_seconds"],
    [`scopes: [openid${", s".repeat(50)}]`, "providers[0].scopes"],
    ["scopes: [profile]", "providers[0].scopes: must hold openid"],
    ["mcp_audience: docent", "providers[0].mcp_audience: must not be the client_id"],
    ["mcp_scopes: [docs]", "providers[0].mcp_scopes: agents ask for nothing without mcp_audience"],
    ["hosts: ['https://x.example']", "providers[0].hosts[0]: must be a host"],
    ["client_secret_file: /run/none", "providers[0].client_secret_file: /run/none cannot be read"],
    ["client_secret_env: NONE", "providers[0].client_secret_env: NONE is not in the environment"],
    ["ca_file: /none.pem", "providers[0].ca_file: /none.pem cannot be read"],
    ["members: { owners: { default: docs } }", "providers[0].members.owners.default"],
    ["members: { editors: [x] }", "providers[0].members.editors: is not known"],
  ])("%s is refused by the name of its field", async (line, fault) => {
    expect(await faultOf(`${PROVIDER}    ${line}\n`)).toContain(fault);
  });

  test.each([
    ["http://id.example.com"],
    ["https://id.example.com/?realm=1"],
    ["https://me:pass@id.example.com"],
    ["id.example.com"],
    ["file:///etc/passwd"],
  ])("%s is no issuer", async (issuer) => {
    expect(await faultOf(PROVIDER.replace("https://id.example.com/realms/main", issuer))).toContain(
      "providers[0].issuer: must be the provider's issuer",
    );
  });

  test("an issuer on this machine itself may do without TLS", () => {
    for (const issuer of ["http://127.0.0.1:9000", "http://localhost:9000/a", "http://[::1]:9000"])
      expect(read(PROVIDER.replace("https://id.example.com/realms/main", issuer)).providers[0]?.issuer).toBe(
        issuer,
      );
  });

  test("two providers have neither a name nor an issuer in common", async () => {
    const second = PROVIDER.replace("\nproviders:\n", "");
    expect(await faultOf(PROVIDER + second)).toContain("providers[1].name: another provider has it too");
    expect(await faultOf(PROVIDER + second.replace("company", "other"))).toContain(
      "providers[1].issuer: another",
    );
  });

  test("a name that the audit log has for another way, and one that no address may hold, are refused", async () => {
    for (const name of ["password", "proxy", "Company", "a/b", ""])
      expect(await faultOf(PROVIDER.replace("company", `"${name}"`))).toContain("providers[0].name");
  });

  test("a provider with which nobody could sign in is refused", async () => {
    expect(await faultOf(PROVIDER.replace("readers: true", "readers: false"))).toContain(
      "nobody signs in with it",
    );
  });

  test.each([
    ["{ from: [], user_header: x-user, readers: true }", "proxy.from: must name the addresses"],
    ["{ from: [docs.example], user_header: x-user, readers: true }", "proxy.from[0]: must be an address"],
    ["{ from: [10.0.0.7], readers: true }", "proxy.user_header"],
    [
      "{ from: [10.0.0.7], user_header: Cookie, readers: true }",
      "proxy.user_header: is a header that says something else",
    ],
    ["{ from: [10.0.0.7], user_header: x-user }", "proxy.members: nobody signs in by it"],
  ])("the proxy %s is refused", async (proxy, fault) => {
    expect(await faultOf(`proxy: ${proxy}`)).toContain(fault);
  });

  test("what is no YAML is told with its line, and a file that is not there by its name", async () => {
    expect(await faultOf("proxy:\n  from: [10.0.0.7]\n\tuser_header: x\n")).toContain(
      "near line 3: it is no YAML",
    );
    const fault = await appErrorOf(async () =>
      readSignInFile("/none.yml", {
        environment: {},
        readFile: () => {
          throw new Error("ENOENT");
        },
      }),
    );
    expect(fault.message).toBe("sign_in_file: /none.yml cannot be read.");
  });

  test("no fault tells a secret", async () => {
    const yaml = `${PROVIDER}    client_secret_env: SECRET\n    clock_skew_seconds: -1\n`;
    expect(await faultOf(yaml, {}, { SECRET: "s3cret" })).not.toContain("s3cret");
  });
});
