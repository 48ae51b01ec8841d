import { describe, expect, test } from "bun:test";
import { UNSEALED } from "../../../src/kernel/lib/seal/seal.ts";
import { readSignInFile, SignInFault } from "../../../src/people/identity/identity.ts";
import { createProviderFetch } from "../../../src/people/identity/oidc/provider-fetch.ts";
import { yamlFor } from "../../helpers/lying-provider.ts";
import { openProvider, REDIRECT, vouchersOf } from "../../helpers/open-provider.ts";
import { ownAuthority } from "../../helpers/own-authority.ts";

const GROUPS = { groups: ["staff", "writers"] };

/** The kind of the fault in which some work ends, and its words. */
async function faultOf(work: Promise<unknown>): Promise<[kind: string, message: string]> {
  const error = await work.then(
    () => undefined,
    (failed) => failed,
  );
  if (error instanceof SignInFault) return [error.kind, error.message];
  throw error ?? new Error("it went well");
}

describe("beginning", () => {
  test("asks for a code with PKCE, state and nonce, and keeps none of them in the address that should not be there", async () => {
    using it = await openProvider("scopes: [openid, groups]");
    const { url, kept } = await it.begin();
    expect(url.origin + url.pathname).toBe(`${it.lying.issuer}/authorize`);
    const asked = Object.fromEntries(url.searchParams);
    expect(asked).toEqual({
      client_id: "docent",
      redirect_uri: REDIRECT,
      response_type: "code",
      scope: "openid groups",
      state: kept.state,
      nonce: kept.nonce,
      code_challenge: new Bun.CryptoHasher("sha256").update(kept.codeVerifier).digest("base64url"),
      code_challenge_method: "S256",
    });
    expect(url.href).not.toContain(kept.codeVerifier);
    expect(kept.codeVerifier.length).toBeGreaterThanOrEqual(43);
  });

  test("no two have anything in common", async () => {
    using it = await openProvider();
    const { kept: one } = await it.begin();
    const { kept: other } = await it.begin();
    for (const name of ["state", "nonce", "codeVerifier"] as const) expect(one[name]).not.toBe(other[name]);
  });
});

describe("coming back", () => {
  test("gives who it is, with their groups and the provider's session", async () => {
    using it = await openProvider();
    it.lying.claims = { ...GROUPS, name: "Ada Lovelace", sid: "s1" };
    const { identity, sid, idToken } = await it.signIn();
    expect(identity).toEqual({ issuer: it.lying.issuer, subject: "ada", name: "Ada Lovelace", ...GROUPS });
    expect([sid, idToken?.split(".").length]).toEqual(["s1", 3]);
  });

  test("groups may lie deeper, and names elsewhere", async () => {
    using it = await openProvider("groups_claim: realm_access.roles\nname_claim: given_name");
    it.lying.claims = { realm_access: { roles: ["staff", 7, "", null] }, given_name: "Ada", name: "A. L." };
    expect((await it.signIn()).identity).toMatchObject({ name: "Ada", groups: ["staff"] });
  });

  test("what names no groups belongs to none, whatever it is", async () => {
    using it = await openProvider();
    for (const groups of [undefined, null, {}, 7, [["staff"]], { staff: true }]) {
      it.lying.claims = { groups };
      expect((await it.signIn()).identity.groups).toEqual([]);
    }
  });

  test("groups that only the userinfo endpoint tells are asked for there, of the same subject alone", async () => {
    using it = await openProvider();
    it.lying.metadata = { userinfo_endpoint: `${it.lying.issuer}/userinfo` };
    it.lying.answer("/userinfo", () => Response.json({ sub: "ada", ...GROUPS }));
    expect((await it.signIn()).identity.groups).toEqual(GROUPS.groups);
    it.lying.answer("/userinfo", () => Response.json({ sub: "eve", groups: ["admins"] }));
    expect((await faultOf(it.signIn()))[0]).toBe("not_believed");
  });
});

describe("what a provider or a stranger could send", () => {
  const cases: [name: string, change: (it: Awaited<ReturnType<typeof openProvider>>) => Promise<unknown>][] =
    [
      [
        "a code of the provider's other clients (code injection)",
        (it) => it.signIn({ callback: { code: "stolen" } }),
      ],
      ["no code", (it) => it.signIn({ callback: { code: null } })],
      ["another state", (it) => it.signIn({ callback: { state: "x".repeat(33) } })],
      ["no state", (it) => it.signIn({ callback: { state: null } })],
      [
        "the name of another provider (mix-up)",
        (it) => it.signIn({ callback: { iss: "https://evil.example" } }),
      ],
      [
        "no name, of a provider that says that it sends one (mix-up)",
        (it) => {
          it.lying.metadata = { authorization_response_iss_parameter_supported: true };
          return it.signIn();
        },
      ],
      ["a nonce of another sign-in", (it) => it.signIn({ kept: { nonce: "n".repeat(33) } })],
      ["no nonce", (it) => it.signIn({ withNonce: false })],
      ["another issuer", (it) => lie(it, { iss: "https://evil.example" })],
      ["another audience", (it) => lie(it, { aud: "grafana" })],
      [
        "several audiences, made for another one",
        (it) => lie(it, { aud: ["docent", "grafana"], azp: "grafana" }),
      ],
      ["no subject", (it) => lie(it, { sub: undefined })],
      ["no end", (it) => lie(it, { exp: undefined })],
      [
        "an end that is a second too long ago, beyond the skew",
        (it) => lie(it, { exp: it.lying.now() - 60 }),
      ],
      ["a beginning that is still to come", (it) => lie(it, { nbf: it.lying.now() + 120 })],
      [
        "a token without a signature (alg: none)",
        async (it) => {
          const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
          const { kept } = await it.begin();
          const claims = { iss: it.lying.issuer, aud: "docent", sub: "eve", exp: it.lying.now() + 300 };
          const whole = { ...claims, iat: it.lying.now(), nonce: kept.nonce };
          it.lying.idToken = `${part({ alg: "none" })}.${part(whole)}.`;
          return it.signIn({ kept: { nonce: kept.nonce }, withNonce: false });
        },
      ],
      [
        "one that is signed with the public key as a shared secret (HS/RS confusion)",
        async (it) => {
          const secret = new TextEncoder().encode(JSON.stringify(await it.lying.publicKey()));
          it.lying.signing = { alg: "HS256", key: secret };
          return it.signIn();
        },
      ],
      [
        "one that is signed with the client's secret",
        (it) => {
          it.lying.signing = { alg: "HS256", key: new TextEncoder().encode("x".repeat(32)) };
          return it.signIn();
        },
      ],
      [
        "a key that is a path",
        (it) => {
          it.lying.signing = { kid: "../../../../dev/null" };
          return it.signIn();
        },
      ],
      [
        "a key that the token brings with it",
        async (it) => {
          const jwk = await it.lying.publicKey();
          await it.lying.rotate("evil");
          it.lying.answer("/jwks", () => Response.json({ keys: [jwk] }));
          it.lying.signing = {
            kid: "evil",
            header: { jwk: await it.lying.publicKey(), jku: "http://127.0.0.1:1/" },
          };
          return it.signIn();
        },
      ],
    ];
  const lie = (it: Awaited<ReturnType<typeof openProvider>>, claims: object) => {
    it.lying.claims = { ...it.lying.claims, ...claims };
    return it.signIn();
  };

  test.each(cases)("%s: nobody comes in", async (_, change) => {
    using it = await openProvider();
    it.lying.claims = { ...GROUPS };
    expect((await faultOf(change(it)))[0]).toBe("not_believed");
  });

  test("a provider that says no is believed, and what it writes besides is in no fault", async () => {
    using it = await openProvider();
    const callback = { code: null, error: "access_denied", error_description: "<script>" };
    const [kind, message] = await faultOf(it.signIn({ callback }));
    expect([kind, message]).toEqual(["refused", "company answers access_denied"]);
  });

  test("a provider that refuses what this server asks for is not said to have refused a person", async () => {
    using it = await openProvider();
    for (const error of ["invalid_scope", "unauthorized_client", "server_error"]) {
      const fault = await faultOf(it.signIn({ callback: { code: null, error } }));
      expect(fault).toEqual(["unavailable", `company refuses this server: ${error}`]);
    }
  });

  test("within the clock's skew a token that has just ended is taken", async () => {
    using it = await openProvider();
    await lie(it, { exp: it.lying.now() - 58 });
  });

  test("no fault and no line of the log has a token, a code or what is kept", async () => {
    using it = await openProvider();
    const { kept } = await it.begin();
    it.lying.claims = { aud: "grafana" };
    const words = (await faultOf(it.signIn({ kept: { codeVerifier: kept.codeVerifier } }))).join(" ");
    const token = await it.lying.sign({});
    for (const secret of [
      token,
      token.split(".")[2] ?? "",
      kept.state,
      kept.nonce,
      kept.codeVerifier,
      "good",
    ])
      expect(words + it.logged.join("")).not.toContain(secret);
  });
});

describe("keys that change", () => {
  test("a token of a key that is newer than the last look is believed at once", async () => {
    using it = await openProvider();
    await it.signIn();
    await it.lying.rotate("second");
    await it.signIn();
    await it.lying.rotate("third");
    await it.signIn();
    expect(it.lying.asked.filter((path) => path === "/jwks").length).toBe(3);
  });

  test("strangers who name keys that never were have them read again only so often, and no token suffers", async () => {
    using it = await openProvider("mcp_audience: https://docs.example/mcp");
    const wrong = await it.lying.sign({ aud: "https://docs.example/mcp" }, { kid: "never" });
    const right = await it.lying.sign({ aud: "https://docs.example/mcp" });
    await Promise.all(Array.from({ length: 30 }, () => it.provider.verifyAccessToken(wrong).catch(() => {})));
    expect(it.lying.asked.filter((path) => path === "/jwks").length).toBe(2);
    await it.provider.verifyAccessToken(right);
    it.advance(31);
    await it.lying.rotate("second");
    await it.provider.verifyAccessToken(await it.lying.sign({ aud: "https://docs.example/mcp" }));
  });

  test("keys of 10 MB are refused, and a thousand of them", async () => {
    using it = await openProvider();
    it.lying.answer("/jwks", () => new Response(`{"keys":[],"more":"${"x".repeat(10_000_000)}"}`));
    const [kind, message] = await faultOf(it.signIn());
    expect([kind, message]).toEqual(["unavailable", expect.stringContaining("larger than 500000 bytes")]);
    it.lying.answer("/jwks", () =>
      Response.json({ keys: Array.from({ length: 1000 }, () => ({ kty: "RSA" })) }),
    );
    expect((await faultOf(it.signIn()))[0]).toBe("unavailable");
  });

  test("a key that both sides would have is no key, even where it is published", async () => {
    using it = await openProvider();
    const k = Buffer.from("x".repeat(32)).toString("base64url");
    it.lying.answer("/jwks", () => Response.json({ keys: [{ kty: "oct", k, kid: "shared", alg: "HS256" }] }));
    it.lying.signing = { kid: "shared", alg: "HS256", key: new TextEncoder().encode("x".repeat(32)) };
    expect((await faultOf(it.signIn()))[0]).toBe("not_believed");
  });
});

describe("a provider that is away, or not itself", () => {
  test("is said to be that, and is asked again after a pause", async () => {
    using it = await openProvider();
    it.lying.answer("/.well-known/openid-configuration", () => new Response("", { status: 503 }));
    expect(await faultOf(it.begin())).toEqual([
      "unavailable",
      expect.stringContaining("company answers 503"),
    ]);
    expect((await faultOf(it.begin()))[0]).toBe("unavailable");
    expect(it.lying.asked.length).toBe(1);
    it.lying.answer("/.well-known/openid-configuration", null);
    it.advance(6);
    await it.begin();
  });

  test("one that goes away later is known as it was", async () => {
    using it = await openProvider();
    await it.begin();
    it.lying.answer("/.well-known/openid-configuration", () => new Response("", { status: 503 }));
    it.advance(3601);
    await it.begin();
    expect(it.logged.join("")).toContain("could not be read again");
  });

  test.each([
    [
      "the issuer of another",
      { issuer: "https://evil.example" },
      "says that its issuer is https://evil.example",
    ],
    [
      "a token endpoint elsewhere",
      { token_endpoint: "https://evil.example/token" },
      "name that host under hosts",
    ],
    ["keys elsewhere", { jwks_uri: "http://169.254.169.254/keys" }, "name that host under hosts"],
    [
      "an authorization endpoint elsewhere",
      { authorization_endpoint: "https://evil.example/" },
      "under hosts",
    ],
    [
      "an authorization endpoint that is a script",
      { authorization_endpoint: "javascript:alert(1)" },
      "under hosts",
    ],
    ["an address on another port", { jwks_uri: "http://127.0.0.1:1/" }, "under hosts"],
    ["no token endpoint", { token_endpoint: undefined }, "is no discovery document"],
  ])("%s is not followed", async (_, metadata, fault) => {
    using it = await openProvider();
    it.lying.metadata = metadata;
    expect(await faultOf(it.begin())).toEqual(["unavailable", expect.stringContaining(fault)]);
    expect(it.lying.asked).toEqual(["/.well-known/openid-configuration"]);
  });

  test("a redirect is not followed, and a document of 10 MB is refused", async () => {
    using it = await openProvider();
    it.lying.answer("/.well-known/openid-configuration", () => Response.redirect("http://127.0.0.1:1/", 302));
    expect(await faultOf(it.begin())).toEqual(["unavailable", expect.stringContaining("answers 302")]);
    it.advance(6);
    it.lying.answer("/.well-known/openid-configuration", () => new Response("x".repeat(10_000_000)));
    expect(await faultOf(it.begin())).toEqual(["unavailable", expect.stringContaining("larger than")]);
  });

  test("an address is the provider's own by scheme, host and port, whether its usual port is named or not", () => {
    const own = (issuer: string, hosts: string[]) =>
      createProviderFetch({ name: "company", issuer, hosts, certificate_authority: undefined }, [], UNSEALED)
        .isOwn;
    const isOwn = own("https://id.example", ["keys.example", "plain.example:443", "odd.example:8443"]);
    const addresses = {
      "https://id.example/keys": true,
      "https://id.example:443/keys": true,
      "https://keys.example/": true,
      "https://keys.example:8443/": true,
      "https://plain.example/": true,
      "https://odd.example:8443/": true,
      "http://id.example/keys": false,
      "http://id.example:443/keys": false,
      "http://keys.example/": false,
      "https://id.example:8443/": false,
      "https://plain.example:80/": false,
      "https://odd.example/": false,
      "https://ada@id.example/": false,
      "https://evil.example/": false,
      "no address": false,
    };
    expect(Object.fromEntries(Object.keys(addresses).map((each) => [each, isOwn(each)]))).toEqual(addresses);
    expect(own("http://id.internal", ["plain.internal:80"])("http://plain.internal/")).toBe(true);
  });

  test("a host besides is asked where the file names it", async () => {
    using keysHost = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => Response.json({ keys }) });
    using it = await openProvider(`hosts: ["127.0.0.1:${keysHost.port}"]`);
    const keys = [await it.lying.publicKey()];
    it.lying.metadata = { jwks_uri: `http://127.0.0.1:${keysHost.port}/` };
    await it.signIn();
  });

  test("a logout address elsewhere is done without", async () => {
    using it = await openProvider();
    it.lying.metadata = { end_session_endpoint: "https://evil.example/logout" };
    expect(await it.provider.logoutUrl({ idToken: "t", returnTo: "http://here/" })).toBeUndefined();
  });
});

describe("a provider behind an authority of one's own", () => {
  test("is trusted where the file names it, and otherwise said not to be", async () => {
    const { authority, tls } = await ownAuthority("localhost");
    const documents = { issuer: "" };
    using server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      tls,
      fetch: () =>
        Response.json({
          issuer: documents.issuer,
          authorization_endpoint: `${documents.issuer}/authorize`,
          token_endpoint: `${documents.issuer}/token`,
          jwks_uri: `${documents.issuer}/jwks`,
        }),
    });
    documents.issuer = `https://localhost:${server.port}`;
    const begin = async (files: Record<string, string>, more: string) => {
      const file = readSignInFile("sign-in.yml", {
        environment: {},
        readFile: (path) => files[path] ?? yamlFor(documents.issuer, more),
      });
      const vouchers = await vouchersOf(file);
      const asked = { purpose: "member", returnTo: "/", redirectUri: REDIRECT } as const;
      return vouchers.provider("company")?.begin(asked);
    };
    expect((await begin({ "/ca.pem": authority }, "ca_file: /ca.pem"))?.url).toStartWith(documents.issuer);
    const [kind, message] = await faultOf(begin({}, ""));
    expect([kind, message]).toEqual(["unavailable", expect.stringContaining("is not trusted")]);
  });
});

describe("signing out there too", () => {
  test("the address has the ID token, the client and where to come back to", async () => {
    using it = await openProvider();
    it.lying.metadata = { end_session_endpoint: `${it.lying.issuer}/logout?x=1` };
    const url = new URL(
      (await it.provider.logoutUrl({ idToken: "t", returnTo: "http://here/sign-in" })) ?? "",
    );
    expect(Object.fromEntries(url.searchParams)).toEqual({
      x: "1",
      client_id: "docent",
      id_token_hint: "t",
      post_logout_redirect_uri: "http://here/sign-in",
    });
  });
});
