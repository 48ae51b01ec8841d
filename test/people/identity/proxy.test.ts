import { describe, expect, test } from "bun:test";
import { createLog } from "../../../src/kernel/lib/log.ts";
import { readSignInFile } from "../../../src/people/identity/identity.ts";
import { createProxy } from "../../../src/people/identity/proxy.ts";
import { fakeClock } from "../../helpers/fake-clock.ts";

const YAML = `
proxy:
  from: [10.0.0.7, 10.1.0.0/16]
  user_header: X-Forwarded-User
  name_header: X-Forwarded-Preferred-Username
  groups_header: X-Forwarded-Groups
  readers: true
`;

function open(yaml = YAML) {
  const logged: string[] = [];
  const { proxy: settings } = readSignInFile("f", { environment: {}, readFile: () => yaml });
  if (settings === undefined) throw new Error("the file has no proxy");
  const write = (line: string) => logged.push(line);
  const proxy = createProxy(
    settings,
    createLog({ level: "info", format: "json", clock: fakeClock().clock, write }),
  );
  const identify = (headers: Record<string, string>, peer: string | undefined = "10.0.0.7") =>
    proxy.identify(new Request("http://docent/", { headers }), peer);
  return { identify, logged };
}

describe("a proxy that signs in", () => {
  test("says who it is, what they are called, and their groups", () => {
    const headers = {
      "x-forwarded-user": "ada@example.com",
      "x-forwarded-preferred-username": "Ada",
      "x-forwarded-groups": "staff, writers,,",
    };
    for (const peer of ["10.0.0.7", "10.1.2.3", "::ffff:10.0.0.7"])
      expect(open().identify(headers, peer)).toEqual({
        issuer: "proxy",
        subject: "ada@example.com",
        name: "Ada",
        groups: ["staff", "writers"],
      });
  });

  test("the same headers of a stranger say nothing, whatever else he claims, and are told once", () => {
    const { identify, logged } = open();
    const headers = { "x-forwarded-user": "root", "x-forwarded-for": "10.0.0.7", forwarded: "for=10.0.0.7" };
    for (const peer of ["10.0.0.8", "127.0.0.1", "", undefined]) {
      const found = peer === undefined ? open().identify(headers, "") : identify(headers, peer);
      expect(found).toBeUndefined();
    }
    expect(logged.length).toBe(1);
    expect(logged[0]).toContain("proxy.from");
    expect(logged[0]).not.toContain("root");
  });

  test("without the header nobody is signed in, and nothing is logged", () => {
    const { identify, logged } = open();
    expect(identify({ "x-forwarded-groups": "admins" })).toBeUndefined();
    expect(identify({ "x-forwarded-user": "  " }, "192.0.2.1")).toBeUndefined();
    expect(logged).toEqual([]);
  });

  test("a client's own header beside the proxy's makes nobody of both", () => {
    const { identify, logged } = open();
    expect(identify({ "x-forwarded-user": "root, ada" })).toBeUndefined();
    expect(identify({ "x-forwarded-user": "x".repeat(256) })).toBeUndefined();
    expect(logged.length).toBe(1);
  });

  test("names in UTF-8 are read as such, and groups by the separator that the file names", () => {
    const { identify } = open(`${YAML}  groups_separator: "|"\n`);
    const bytes = Buffer.from("Zoë").toString("latin1");
    expect(identify({ "x-forwarded-user": bytes, "x-forwarded-groups": "a,b|c" })).toMatchObject({
      subject: "Zoë",
      name: "Zoë",
      groups: ["a,b", "c"],
    });
  });
});
