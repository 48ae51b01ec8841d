import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { exportJWK, exportSPKI, generateKeyPair, type JWK, SignJWT } from "jose";
import { createKeySets, type ReadKeySet } from "../../../src/people/readers/key-sets.ts";
import { createSiteSecrets } from "../../../src/people/readers/site-secrets.ts";
import { createReaderTokens } from "../../../src/people/readers/tokens.ts";
import type { Site } from "../../../src/sites/site/sites.ts";
import { fakeClock, TEST_TIME } from "../../helpers/fake-clock.ts";
import { adasClaims, signToken } from "../../helpers/reader-tokens.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { addSite } from "../../helpers/site-data.ts";
import { testIds } from "../../helpers/test-ids.ts";
import { openTestStorage } from "../../helpers/test-storage.ts";

const SECONDS = Math.floor(TEST_TIME / 1000);
const NOT_SIGNED = "The reader's token is not signed with a secret of this site, or with one of its keys.";
const JWKS_URL = "https://docs.example.com/jwks.json";

const noKeys: ReadKeySet = async () => {
  throw new Error("nothing is to be read");
};

async function opened({
  fetch = noKeys,
  skewSeconds = 5,
}: {
  fetch?: ReadKeySet;
  skewSeconds?: number;
} = {}) {
  const storage = await openTestStorage();
  const time = fakeClock();
  const { clock } = time;
  const site = await addSite(storage.sites, "docs");
  const secrets = createSiteSecrets({ store: storage.siteSecrets, clock, ids: testIds() });
  const tokens = createReaderTokens({
    settings: { reader_token_seconds_max: 3600, reader_clock_skew_seconds: skewSeconds },
    secrets,
    keySets: createKeySets({ readSet: fetch, clock }),
    clock,
  });
  const secret = await secrets.create(site.id);
  const sign = (
    change: Record<string, unknown> = {},
    head: { alg?: string; kid?: string | undefined } = {},
  ) => signToken(secret, { ...adasClaims("docs"), ...change }, head);
  const said = async (token: string, at: Site = site) => {
    const error = await appErrorOf(() => tokens.verify(token, at));
    return `${error.code}: ${error.message}`;
  };
  const withKeys: Site = { ...site, settings: { ...site.settings, jwksUrl: JWKS_URL } };
  return { ...storage, ...time, site, withKeys, secrets, secret, tokens, sign, said };
}

describe("a token that a site signs", () => {
  test("names its reader, in the name of that site", async () => {
    using it = await opened();
    expect(await it.tokens.verify(await it.sign({ name: "Ada", groups: ["staff", "ops"] }), it.site)).toEqual(
      {
        issuer: `site:${it.site.id}`,
        subject: "ada",
        name: "Ada",
        groups: ["staff", "ops"],
      },
    );
    expect(await it.tokens.verify(await it.sign(), it.site)).toMatchObject({ name: undefined, groups: [] });
  });

  test("may be for several audiences, and say who made it", async () => {
    using it = await opened();
    const token = await it.sign({ aud: ["elsewhere", "docs"], iss: "https://docs.example.com" });
    expect(await it.tokens.verify(token, it.site)).toMatchObject({ subject: "ada" });
  });

  test("is good with either secret while one takes the other's place, and with an ended one no more", async () => {
    using it = await opened();
    const second = await it.secrets.create(it.site.id);
    const later = await signToken(second, adasClaims("docs"));
    expect(await it.tokens.verify(await it.sign(), it.site)).toMatchObject({ subject: "ada" });
    expect(await it.tokens.verify(later, it.site)).toMatchObject({ subject: "ada" });
    expect((await appErrorOf(() => it.secrets.create(it.site.id))).code).toBe("conflict");
    await it.secrets.end(it.site.id, it.secret.id);
    expect(await it.said(await it.sign())).toBe(`unauthorized: ${NOT_SIGNED}`);
    expect(await it.tokens.verify(later, it.site)).toMatchObject({ subject: "ada" });
  });

  test("need not name its secret", async () => {
    using it = await opened();
    await it.secrets.create(it.site.id);
    expect(await it.tokens.verify(await it.sign({}, { kid: undefined }), it.site)).toMatchObject({
      subject: "ada",
    });
  });

  test("notes when its secret was used last", async () => {
    using it = await opened();
    await it.tokens.verify(await it.sign(), it.site);
    await it.secrets.flush();
    expect((await it.secrets.list(it.site.id))[0]?.lastUsedAt).toBe(TEST_TIME);
  });

  test("is made with 256 random bits", async () => {
    using it = await opened();
    expect(it.secret.secret).toMatch(/^docent_rds_[1-9A-HJ-NP-Za-km-z]{44}$/);
  });
});

describe("a token is refused, in words for whoever makes it", () => {
  const claims: [what: string, change: Record<string, unknown>, says: string][] = [
    [
      "that has expired",
      { iat: SECONDS - 300, exp: SECONDS - 5 },
      "The reader's token has expired. Ask for a new one.",
    ],
    ["without an end", { exp: undefined }, "The reader's token has no claim exp."],
    ["without a beginning", { iat: undefined }, "The reader's token has no claim iat."],
    ["of nobody", { sub: undefined }, "The reader's token has no claim sub."],
    ["for no site", { aud: undefined }, "The reader's token has no claim aud."],
    [
      "for another site",
      { aud: "other" },
      "The reader's token is for another site: its claim aud has to be docs.",
    ],
    [
      "that is good for too long",
      { exp: SECONDS + 3601 },
      "The reader's token is good for longer than 3600 seconds: set exp nearer to iat.",
    ],
    [
      "from the future",
      { iat: SECONDS + 6 },
      "The claim iat of the reader's token is in the future: set the clock of the server that makes it.",
    ],
    [
      "that is not good yet",
      { nbf: SECONDS + 6 },
      "The claim nbf of the reader's token is in the future: set the clock of the server that makes it.",
    ],
    ["of an empty name", { sub: "" }, "The claim sub of the reader's token is not what it has to be."],
    ["of a number", { sub: 7 }, "The claim sub of the reader's token is not what it has to be."],
    [
      "with an end in words",
      { exp: "soon" },
      "The claim exp of the reader's token is not what it has to be.",
    ],
    ...["staff", { a: 1 }, [1], [["staff"]], [null], null, [""]].map(
      (groups): [string, Record<string, unknown>, string] => [
        `whose groups are ${JSON.stringify(groups)}`,
        { groups },
        "The claim groups of the reader's token has to be a list of texts.",
      ],
    ),
  ];
  test.each(claims)("one %s", async (_, change, says) => {
    using it = await opened();
    expect(await it.said(await it.sign(change))).toBe(`unauthorized: ${says}`);
  });

  test("one that expired a second ago, where clocks are not let off", async () => {
    using it = await opened({ skewSeconds: 0 });
    const token = await it.sign({ iat: SECONDS - 10, exp: SECONDS - 1 });
    expect(await it.said(token)).toBe("unauthorized: The reader's token has expired. Ask for a new one.");
    expect(await it.said(await it.sign({ iat: SECONDS - 10, exp: SECONDS }))).toContain("has expired");
    expect(
      await it.tokens.verify(await it.sign({ iat: SECONDS - 9, exp: SECONDS + 1 }), it.site),
    ).toBeDefined();
  });

  test("one that expired within what clocks may be off is good", async () => {
    using it = await opened();
    const token = await it.sign({ iat: SECONDS - 10, exp: SECONDS - 4 });
    expect(await it.tokens.verify(token, it.site)).toMatchObject({ subject: "ada" });
  });

  test("what is wrong with its claims is told to nobody whose signature is not the site's", async () => {
    using it = await opened();
    const forged = { id: it.secret.id, secret: "docent_rds_guessed" };
    for (const change of [{}, { exp: SECONDS - 99, iat: SECONDS - 100 }, { aud: "other" }, { groups: "x" }])
      expect(await it.said(await signToken(forged, { ...adasClaims("docs"), ...change }))).toBe(
        `unauthorized: ${NOT_SIGNED}`,
      );
  });
});

describe("attacks with a token", () => {
  test("alg none, in any spelling", async () => {
    using it = await opened();
    const body = Buffer.from(JSON.stringify(adasClaims("docs"))).toString("base64url");
    for (const alg of ["none", "None", "NONE", "nOnE", ""]) {
      const head = Buffer.from(JSON.stringify({ alg })).toString("base64url");
      for (const token of [`${head}.${body}.`, `${head}.${body}`, `${head}.${body}.x`])
        expect(await it.said(token, it.withKeys)).toStartWith("unauthorized: The reader's token is");
    }
  });

  test("HS/RS confusion: the public key as a secret", async () => {
    const { publicKey } = await generateKeyPair("RS256", { extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), kid: "public", alg: "RS256" };
    using it = await opened({ fetch: jwksOf([jwk]) });
    const spki = await exportSPKI(publicKey);
    for (const secret of [spki, spki.trim(), JSON.stringify(jwk), jwk.n ?? ""])
      for (const kid of ["public", it.secret.id, undefined]) {
        const token = await signToken({ id: "", secret }, adasClaims("docs"), { kid });
        expect(await it.said(token, it.withKeys)).toBe(`unauthorized: ${NOT_SIGNED}`);
      }
  });

  test("a secret in the set of keys is no key", async () => {
    const k = Buffer.from("a secret that everyone reads").toString("base64url");
    using it = await opened({ fetch: jwksOf([{ kty: "oct", k, kid: "s", alg: "HS256" }]) });
    const token = await signToken({ id: "s", secret: "a secret that everyone reads" }, adasClaims("docs"));
    expect(await it.said(token, it.withKeys)).toBe(`unauthorized: ${NOT_SIGNED}`);
  });

  test("kid: paths, statements, other types, and what is in every object", async () => {
    using it = await opened();
    for (const kid of ["../../etc/passwd", "/dev/null", "' OR 1=1 --", "__proto__", "", "%", "constructor"])
      for (const secret of ["", it.secret.secret.slice(1)])
        if (secret !== "" || kid !== "")
          expect(
            await it.said(await signToken({ id: kid, secret: secret || "\0" }, adasClaims("docs"))),
          ).toBe(`unauthorized: ${NOT_SIGNED}`);
    const body = Buffer.from(JSON.stringify(adasClaims("docs"))).toString("base64url");
    for (const kid of [1, null, {}, [it.secret.id]]) {
      const head = Buffer.from(JSON.stringify({ alg: "HS256", kid })).toString("base64url");
      expect(await it.said(`${head}.${body}.AAAA`)).toBe(
        "unauthorized: The reader's token is no signed JWT.",
      );
    }
  });

  test("keys that a token brings with it are not looked at", async () => {
    const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
    using it = await opened();
    const jwk = await exportJWK(publicKey);
    const token = await new SignJWT(adasClaims("docs"))
      .setProtectedHeader({
        alg: "ES256",
        jwk,
        jku: "https://evil.example/keys",
        x5u: "https://evil.example/c",
      })
      .sign(privateKey);
    expect(await it.said(token)).toBe(`unauthorized: ${NOT_SIGNED}`);
  });

  test("a body that is not encoded, and heads that want to be understood", async () => {
    using it = await opened();
    const body = Buffer.from(JSON.stringify(adasClaims("docs"))).toString("base64url");
    for (const extra of [{ crit: ["b64"], b64: false }, { crit: ["exp"] }, { crit: ["x"], x: 1 }]) {
      const head = Buffer.from(JSON.stringify({ alg: "HS256", ...extra })).toString("base64url");
      const signature = createHmac("sha256", it.secret.secret).update(`${head}.${body}`).digest("base64url");
      expect(await it.said(`${head}.${body}.${signature}`)).toBe(`unauthorized: ${NOT_SIGNED}`);
    }
  });

  test("another site's secret, and another organization's, whatever the audience says", async () => {
    using it = await opened();
    const other = await addSite(it.sites, "other");
    await it.sites.addOrganization({ id: "org-2", name: "Other", createdAt: TEST_TIME });
    const foreign = await addSite(it.sites, "foreign", { organizationId: "org-2" });
    for (const { id } of [other, foreign]) {
      const secret = await it.secrets.create(id);
      for (const kid of [secret.id, it.secret.id, undefined])
        expect(await it.said(await signToken(secret, adasClaims("docs"), { kid }))).toBe(
          `unauthorized: ${NOT_SIGNED}`,
        );
    }
    expect(await it.said(await it.sign(), other)).toBe(`unauthorized: ${NOT_SIGNED}`);
  });

  test("what is no token, and what is too long for one, is not parsed", async () => {
    using it = await opened();
    const head = Buffer.from(`{"alg":"HS256"}`).toString("base64url");
    for (const token of ["", ".", "..", "...", "a.b.c", `${head}.x`, `${head}.x.y.z`, `${head}. .x`, "ключ"])
      expect(await it.said(token)).toBe("unauthorized: The reader's token is no signed JWT.");
    const long = await it.sign({ padding: "x".repeat(6000) });
    expect(long.length).toBeGreaterThan(8000);
    expect(await it.said(long)).toBe("unauthorized: The reader's token is longer than 8000 characters.");
    expect(await it.said("a".repeat(10_000_000))).toContain("longer than 8000");
  });

  test("a signature that is cut, lengthened or altered", async () => {
    using it = await opened();
    const token = await it.sign();
    const last = token.endsWith("A") ? "E" : "A";
    for (const altered of [
      token.slice(0, -1),
      token.slice(0, -8),
      `${token}AAAA`,
      token.slice(0, -2) + last + last,
    ])
      expect(await it.said(altered)).toBe(`unauthorized: ${NOT_SIGNED}`);
  });
});

const jwksOf =
  (keys: object[]): ReadKeySet =>
  async () =>
    new TextEncoder().encode(JSON.stringify({ keys }));

async function keyPair(kid: string, alg = "ES256") {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk: JWK = { ...(await exportJWK(publicKey)), kid, alg, use: "sig" };
  const sign = (now = SECONDS) =>
    new SignJWT(adasClaims("docs", now)).setProtectedHeader({ alg, kid }).sign(privateKey);
  return { jwk, sign };
}

describe("a token that is signed with a site's own key", () => {
  test.each(["ES256", "RS256", "PS256", "EdDSA"])("%s", async (alg) => {
    const own = await keyPair("own", alg);
    using it = await opened({ fetch: jwksOf([own.jwk]) });
    expect(await it.tokens.verify(await own.sign(), it.withKeys)).toMatchObject({
      issuer: `site:${it.site.id}`,
      subject: "ada",
    });
    expect(await it.said(await own.sign())).toBe(`unauthorized: ${NOT_SIGNED}`);
  });

  test("a new key is known at once, and asking for what is not there makes the server ask no more often", async () => {
    const [first, second, strange] = await Promise.all([keyPair("1"), keyPair("2"), keyPair("3")]);
    const keys = [first.jwk];
    let asked = 0;
    using it = await opened({
      fetch: async (url, bytesMax) => {
        asked++;
        return jwksOf(keys)(url, bytesMax);
      },
    });
    await it.tokens.verify(await first.sign(), it.withKeys);
    await it.tokens.verify(await first.sign(), it.withKeys);
    expect(asked).toBe(1);
    keys.push(second.jwk);
    it.advance(10_000);
    await it.tokens.verify(await second.sign(), it.withKeys);
    expect(asked).toBe(2);
    for (let i = 0; i < 20; i++)
      expect(await it.said(await strange.sign(), it.withKeys)).toContain(NOT_SIGNED);
    expect(asked).toBe(2);
  });

  test("a key that was taken away is believed for ten minutes", async () => {
    const own = await keyPair("1");
    const keys = [own.jwk];
    using it = await opened({ fetch: (url, bytesMax) => jwksOf(keys)(url, bytesMax) });
    await it.tokens.verify(await own.sign(), it.withKeys);
    keys.pop();
    it.advance(600_000);
    expect(await it.said(await own.sign(SECONDS + 600), it.withKeys)).toContain(NOT_SIGNED);
  });

  test("a clock that was put back by hours keeps no key for as long, and lets a new one in", async () => {
    const [own, other] = await Promise.all([keyPair("1"), keyPair("2")]);
    let keys = [own.jwk];
    using it = await opened({ fetch: (url, bytesMax) => jwksOf(keys)(url, bytesMax) });
    it.advance(5 * 3_600_000);
    await it.tokens.verify(await own.sign(SECONDS + 5 * 3600), it.withKeys);
    it.advance(-5 * 3_600_000);
    keys = [other.jwk];
    expect(await it.said(await own.sign(), it.withKeys)).toContain(NOT_SIGNED);
    expect(await it.tokens.verify(await other.sign(), it.withKeys)).toMatchObject({ subject: "ada" });
  });

  test("where its address is away, what was read before does for an hour", async () => {
    const own = await keyPair("1");
    let isAway = false;
    using it = await opened({
      fetch: async (url, bytesMax) => {
        if (isAway) throw new Error("away");
        return jwksOf([own.jwk])(url, bytesMax);
      },
    });
    await it.tokens.verify(await own.sign(), it.withKeys);
    isAway = true;
    it.advance(3_600_000);
    expect(await it.tokens.verify(await own.sign(SECONDS + 3600), it.withKeys)).toMatchObject({
      subject: "ada",
    });
    it.advance(1000);
    const says = await it.said(await own.sign(SECONDS + 3601), it.withKeys);
    expect(says).toBe("unavailable: Readers' tokens can't be checked at the moment. Try again later.");
  });

  test("what is no set of keys, or one of thousands, is unavailable, and asked for no more often", async () => {
    const own = await keyPair("1");
    const many = Array.from({ length: 101 }, () => own.jwk);
    for (const text of ["", "no", "[]", "{}", `{"keys":1}`, `{"keys":[1]}`, JSON.stringify({ keys: many })]) {
      let asked = 0;
      using it = await opened({
        fetch: async () => {
          asked++;
          return new TextEncoder().encode(text);
        },
      });
      for (let i = 0; i < 3; i++)
        expect(await it.said(await own.sign(), it.withKeys)).toStartWith("unavailable: ");
      expect(asked).toBe(1);
    }
  });

  test("keys are read up to 256 kB", async () => {
    const own = await keyPair("1");
    const bounds: number[] = [];
    using it = await opened({
      fetch: async (url, bytesMax) => {
        bounds.push(bytesMax);
        return jwksOf([own.jwk])(url, bytesMax);
      },
    });
    await it.tokens.verify(await own.sign(), it.withKeys);
    expect(bounds).toEqual([256_000]);
  });

  test("keys too long to check with are not used", async () => {
    const own = await keyPair("1", "RS256");
    using it = await opened({ fetch: jwksOf([{ ...own.jwk, n: "A".repeat(1401) }]) });
    expect(await it.said(await own.sign(), it.withKeys)).toContain(NOT_SIGNED);
  });
});
