import { AppError } from "@docent/kernel/errors";
import { hashSecret } from "@docent/kernel/lib/secrets";
import { type Provider, PURPOSES } from "@docent/people/identity/identity";
import type { SignInPlace } from "@docent/people/members/sign-in";
import { z } from "zod";
import { checkSentHere } from "../guard/guard.ts";
import { type Guard, gives, notFound, type Operation, operation, reply } from "../operation.ts";
import { placeOf, type SessionDoor } from "../session/guard.ts";
import { beginSignIn, comeBack } from "./come-back.ts";
import { purposesOf, type SignInOptions } from "./options.ts";
import { waysInShape } from "./shapes.ts";

export type { SignInOptions } from "./options.ts";

const PREFIX = "/v1/sign-in";
const TAG = "Signing in";
const BODY_BYTES_MAX = 60_000;

const beginSchema = z.lazy(() =>
  z.strictObject({
    /** For the dashboard, or to read. */
    purpose: z.enum(PURPOSES).default("member"),
    /** A path of this server to come back to. */
    returnTo: z.string().max(2000).optional(),
  }),
);
const callbackSchema = z.lazy(() =>
  z.looseObject({
    code: z.string().optional(),
    state: z.string().optional(),
    iss: z.string().optional(),
    error: z.string().optional(),
  }),
);
const loggedOutSchema = z.lazy(() =>
  z.looseObject({ logout_token: z.string().min(1).max(50_000) }).meta({ id: "LoggedOut" }),
);

/** Every operation by which people sign in with a provider. */
export function signInOperations(options: SignInOptions): Operation[] {
  const guard = signInGuard(options.door);
  return [
    listWays(options, guard),
    begin(options, guard),
    callback(options, guard),
    providerLoggedOut(options, guard),
  ];
}

const listWays = ({ vouchers, readers, settings }: SignInOptions, guard: SignInGuard) =>
  operation({
    id: "listWaysIn",
    method: "GET",
    path: PREFIX,
    tag: TAG,
    guard,
    summary: "List the ways to sign in",
    replies: gives(200, "The providers that the operator named, and whether passwords are on.", waysInShape),
    run: () =>
      reply({
        providers: vouchers.providers
          .map((each) => ({ name: each.name, label: each.label, purposes: purposesOf(each, readers) }))
          .filter(({ purposes }) => purposes.length > 0),
        passwords: settings.passwords,
      }),
  });

const begin = (options: SignInOptions, guard: SignInGuard) =>
  operation({
    id: "beginSignIn",
    method: "GET",
    path: `${PREFIX}/:provider`,
    tag: TAG,
    guard,
    summary: "Begin to sign in with a provider",
    description: "For a browser, which goes to the provider with it.",
    query: beginSchema,
    replies: gives(302, "To the provider; or to the page to sign in at, which says what is wrong."),
    errors: ["invalid_request"],
    run: (asked) => beginSignIn(options, providerFor(options, asked.param("provider")), asked.query(), asked),
  });

const callback = (options: SignInOptions, guard: SignInGuard) =>
  operation({
    id: "completeSignIn",
    method: "GET",
    path: `${PREFIX}/:provider/callback`,
    tag: TAG,
    guard,
    records: ["member.signed-in", "member.sign-in-failed", "member.role-changed"],
    summary: "Come back from a provider",
    description: "The redirect URI to register with the provider. Works once, in the browser that began.",
    query: callbackSchema,
    replies: gives(302, "Signed in; or to the page to sign in at, which says what is wrong."),
    run: (asked) => comeBack(options, providerFor(options, asked.param("provider")), asked),
  });

const providerLoggedOut = (options: SignInOptions, guard: SignInGuard) =>
  operation({
    id: "endProviderSessions",
    method: "POST",
    path: `${PREFIX}/:provider/logged-out`,
    tag: TAG,
    guard,
    summary: "Be told by a provider that a session has ended",
    description: "OpenID Connect Back-Channel Logout. A token works once.",
    body: loggedOutSchema,
    takesForm: true,
    bodyBytesMax: BODY_BYTES_MAX,
    example: { logout_token: "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2ln" },
    replies: gives(200, "Its sessions here have ended."),
    async run({ param, body }) {
      await loggedOut(options, providerFor(options, param("provider")), (await body()).logout_token);
      return new Response(null, { status: 200 });
    },
  });

const providerFor = ({ vouchers }: SignInOptions, name: string): Provider =>
  vouchers.provider(name) ?? notFound();

interface SignInGuarded {
  place: SignInPlace;
}
type SignInGuard = Guard<SignInGuarded>;

/**
 * Browsers come here by links from a provider's pages, so that another site's page may lead here: what is done is bound to
 * what the browser itself keeps. No address that it leads to learns where the browser was.
 */
function signInGuard(door: SessionDoor): SignInGuard {
  return {
    opens: "none",
    errors: ["forbidden", "internal", "unavailable"],
    admit({ request, peer, replyHeaders }) {
      replyHeaders["cache-control"] = "no-store";
      replyHeaders["referrer-policy"] = "no-referrer";
      checkSentHere(request, door.isNamedHost, door.publicUrl());
      return { place: placeOf(door, request, peer()) };
    },
  };
}

/** Ends the sessions that a provider says have ended. Raises `invalid_request` for a token that says nothing here. */
async function loggedOut(
  { vouchers, door, readers, clock, log }: SignInOptions,
  provider: Provider,
  token: string,
): Promise<void> {
  const notice = await provider.readLogoutToken(token);
  const hash = hashSecret(JSON.stringify(["logout", notice.issuer, notice.id]));
  if (!(await vouchers.once.use(hash, clock(), notice.until)))
    throw new AppError("invalid_request", "logout_token: it was used before.");
  const ended = await door.sessions.endProvided(notice);
  const endedReading = (await readers?.endProvided(notice)) ?? 0;
  log.info("a provider ended sessions", { provider: provider.name, sessions: ended + endedReading });
}
