import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { FetchFault } from "../../../src/kernel/lib/guarded-fetch/fetch-fault.ts";
import { createGuardedFetch } from "../../../src/kernel/lib/guarded-fetch/guarded-fetch.ts";
import { UNSEALED } from "../../../src/kernel/lib/seal/seal.ts";
import { type FakeSite, startFakeSite } from "../../helpers/fake-site.ts";
import { ownAuthority } from "../../helpers/own-authority.ts";

let site: FakeSite;
let authority: string;

beforeAll(async () => {
  const own = await ownAuthority("docs.test", "*.named.test");
  authority = own.authority;
  site = startFakeSite({ "/": "hello" }, { tls: own.tls });
});
afterAll(() => site.stop());

/** Fetches from the site under some name; "tls" and the like where that fails. */
async function under(name: string, certificateAuthorities: string[] = [authority]): Promise<string> {
  const host = `${name}:${new URL(site.url).port}`;
  const get = createGuardedFetch({
    seal: UNSEALED,
    hosts: [host],
    privateHosts: ["127.0.0.1"],
    certificateAuthorities,
    resolve: async () => ["127.0.0.1"],
  });
  try {
    const { body } = await get(`https://${host}/`, { signal: new AbortController().signal });
    return new TextDecoder().decode(body);
  } catch (error) {
    if (error instanceof FetchFault) return `${error.kind}: ${error.message}`;
    throw error;
  }
}

describe("guarded fetch over TLS", () => {
  test("the name is verified although the address is dialled", async () => {
    expect(await under("docs.test")).toBe("hello");
    expect(await under("a.named.test")).toBe("hello");
    expect(site.requests.at(-1)?.headers.get("host")).toBe(`a.named.test:${new URL(site.url).port}`);
  });

  test("a certificate for another name is not trusted, also while a connection to its own name is open", async () => {
    expect(await under("docs.test")).toBe("hello");
    expect(await under("evil.test")).toStartWith("tls: the certificate of evil.test:");
    expect(await under("127.0.0.1")).toStartWith("tls: ");
  });

  test("an authority that nobody named is not trusted, also while a connection that trusts it is open", async () => {
    expect(await under("docs.test")).toBe("hello");
    const refused = await under("docs.test", []);
    expect(refused).toStartWith("tls: the certificate of docs.test:");
    expect(refused).toContain("name that in certificate_authorities");
  });

  test("no request is sent where the certificate is not trusted", async () => {
    const before = site.requests.length;
    await under("evil.test");
    await under("docs.test", []);
    expect(site.requests.length).toBe(before);
  });
});
