import { AppError } from "@docent/kernel/errors";
import type { Clock } from "@docent/kernel/lib/clock";
import { jsonIn } from "@docent/kernel/text/json";
import type { Site } from "@docent/sites/site/sites";
import type { JWTVerifyOptions } from "jose";
import { z } from "zod";
import { ASYMMETRIC_ALGORITHMS, type Identity } from "../identity/identity.ts";
import type { KeySets } from "./key-sets.ts";
import type { SiteSecrets } from "./site-secrets.ts";

/** The settings it reads, under their own names. */
interface TokenSettings {
  /** How long a token may be good for. */
  reader_token_seconds_max: number;
  /** How far the clock of whoever signs may be off. */
  reader_clock_skew_seconds: number;
}

interface ReaderTokensDeps {
  settings: TokenSettings;
  secrets: Pick<SiteSecrets, "list" | "noteUse">;
  keySets: KeySets;
  clock: Clock;
}

/** Checks the tokens with which a site's own server vouches for its readers. */
export interface ReaderTokens {
  /** Whom the site vouches for. Raises `unauthorized`, with what is wrong for whoever makes the tokens. */
  verify(token: string, site: Site): Promise<Identity>;
}

/** Ten times what one needs: nothing longer is looked at. */
const CHARACTERS_MAX = 8000;
const NAME_CHARACTERS_MAX = 200;

/** What a secret signs with, and what a pair of keys does: a token chooses neither of them for the other. */
const WITH_SECRET = ["HS256"];
const WITH_KEYS = [...ASYMMETRIC_ALGORITHMS];

const headSchema = z.lazy(() => z.looseObject({ alg: z.string(), kid: z.string().optional() }));
const claimsSchema = z.lazy(() =>
  z.looseObject({
    sub: z.string().min(1).max(255),
    exp: z.number(),
    iat: z.number(),
    name: z.string().max(NAME_CHARACTERS_MAX).optional(),
    groups: z.array(z.string().min(1).max(255)).max(1000).default([]),
  }),
);

export function createReaderTokens(deps: ReaderTokensDeps): ReaderTokens {
  return {
    async verify(token, site) {
      const { alg, kid } = headOf(token);
      const options = checksOf(deps, site);
      const claims = WITH_SECRET.includes(alg)
        ? await verifyWithSecret(deps, token, { site, kid, options })
        : await verifyWithKeys(deps, token, { site, options });
      return identityIn(deps, site, claims);
    },
  };
}

/** What a token says of how it is signed. Nothing of it is believed: it tells which check is made. */
function headOf(token: string): { alg: string; kid?: string | undefined } {
  if (token.length > CHARACTERS_MAX)
    throw refused(`The reader's token is longer than ${CHARACTERS_MAX} characters.`);
  const [head = "", ...rest] = token.split(".");
  const read = headSchema.safeParse(jsonIn(Buffer.from(head, "base64url").toString()));
  if (!/^[\w.-]+$/.test(token) || rest.length !== 2 || !read.success)
    throw refused("The reader's token is no signed JWT.");
  const { alg } = read.data;
  if (WITH_SECRET.includes(alg) || WITH_KEYS.includes(alg)) return read.data;
  throw refused(
    "The reader's token is signed with an algorithm that is not taken: sign it with HS256, or with the algorithm of a key at the site's jwksUrl.",
  );
}

const checksOf = ({ settings, clock }: ReaderTokensDeps, { domain }: Site): JWTVerifyOptions => ({
  audience: domain,
  requiredClaims: ["exp", "iat", "sub"],
  maxTokenAge: settings.reader_token_seconds_max,
  clockTolerance: settings.reader_clock_skew_seconds,
  currentDate: new Date(clock()),
});

interface Check {
  site: Site;
  options: JWTVerifyOptions;
}

async function verifyWithSecret(
  { secrets }: ReaderTokensDeps,
  token: string,
  { site, kid, options }: Check & { kid: string | undefined },
): Promise<unknown> {
  const { jwtVerify } = await import("jose");
  const all = await secrets.list(site.id);
  // A site has two secrets at most: a token that leaves its kid out is good if one of them is right.
  for (const { id, secret } of all.filter((each) => kid === undefined || each.id === kid)) {
    try {
      const key = new TextEncoder().encode(secret);
      const { payload } = await jwtVerify(token, key, { ...options, algorithms: WITH_SECRET });
      secrets.noteUse(id);
      return payload;
    } catch (error) {
      if (codeOf(error) !== NOT_BY_THIS_KEY) throw inWords(error, site);
    }
  }
  throw notSigned();
}

async function verifyWithKeys(
  { keySets }: ReaderTokensDeps,
  token: string,
  { site, options }: Check,
): Promise<unknown> {
  const { jwksUrl } = site.settings;
  if (jwksUrl === "") throw notSigned();
  const { jwtVerify } = await import("jose");
  try {
    const keyOf: Parameters<typeof jwtVerify>[1] = (head, body) => keySets.find(jwksUrl, head, body);
    return (await jwtVerify(token, keyOf, { ...options, algorithms: WITH_KEYS })).payload;
  } catch (error) {
    throw inWords(error, site);
  }
}

function identityIn({ settings }: ReaderTokensDeps, site: Site, claims: unknown): Identity {
  const read = claimsSchema.safeParse(claims);
  if (!read.success) {
    const claim = read.error.issues[0]?.path[0];
    throw refused(
      claim === "groups"
        ? "The claim groups of the reader's token has to be a list of texts."
        : `The claim ${String(claim)} of the reader's token is not what it has to be.`,
    );
  }
  const { sub, exp, iat, name, groups } = read.data;
  if (exp - iat > settings.reader_token_seconds_max)
    throw refused(
      `The reader's token is good for longer than ${settings.reader_token_seconds_max} seconds: set exp nearer to iat.`,
    );
  return { issuer: issuerOf(site), subject: sub, name, groups };
}

/** Who vouches for a reader whose token the site signed: another site's reader of the same name is somebody else. */
const issuerOf = ({ id }: Pick<Site, "id">) => `site:${id}`;

const NOT_BY_THIS_KEY = "ERR_JWS_SIGNATURE_VERIFICATION_FAILED";

const codeOf = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : undefined;

/**
 * What is wrong, for whoever makes tokens. What stands in a token is spoken of once its signature is found to be the site's,
 * which jose looks at first: until then, everything that is wrong is said in the same words.
 */
function inWords(error: unknown, { domain }: Site): unknown {
  if (error instanceof AppError) return error;
  switch (codeOf(error)) {
    case "ERR_JWT_EXPIRED":
      return refused("The reader's token has expired. Ask for a new one.");
    case "ERR_JWT_CLAIM_VALIDATION_FAILED":
      return refused(wrongClaim(error, domain));
    case undefined:
      // Nothing of jose's: a key that fits no algorithm is told as a fault of its type.
      return error instanceof TypeError ? notSigned() : error;
    default:
      return notSigned();
  }
}

function wrongClaim(error: unknown, domain: string): string {
  const claim = error instanceof Error && "claim" in error ? String(error.claim) : "";
  const reason = error instanceof Error && "reason" in error ? error.reason : undefined;
  if (reason === "missing") return `The reader's token has no claim ${claim}.`;
  if (claim === "aud") return `The reader's token is for another site: its claim aud has to be ${domain}.`;
  if (claim === "iat" || claim === "nbf")
    return `The claim ${claim} of the reader's token is in the future: set the clock of the server that makes it.`;
  return `The claim ${claim} of the reader's token is not what it has to be.`;
}

const refused = (message: string) => new AppError("unauthorized", message);

const notSigned = () =>
  refused("The reader's token is not signed with a secret of this site, or with one of its keys.");
