import { AppError } from "@docent/kernel/errors";
import { HOUR_MS, SECOND_MS } from "@docent/kernel/lib/clock";
import { ownPath } from "@docent/kernel/text/safe-url";
import { aboutMember } from "@docent/people/audit/audit";
import {
  type KeptState,
  type Provided,
  type Provider,
  type Purpose,
  SignInFault,
} from "@docent/people/identity/identity";
import type { SignInPlace } from "@docent/people/members/sign-in";
import { type ArrivedRequest, notFound } from "../operation.ts";
import { keptCookies } from "./kept-cookie.ts";
import { purposesOf, type SignInOptions } from "./options.ts";

/** Why nobody came in, in the address of the page to sign in at, which has words for each. */
type Reason = SignInFault["kind"] | "no_role";
type Sent = ArrivedRequest & { place: SignInPlace };

/** How long a session lasts by a provider that does not tell who signs out there. */
const UNTOLD_MS = HOUR_MS;
const RETURN_CHARACTERS_MAX = 1000;

/** Sends the browser to the provider. */
export async function beginSignIn(
  options: SignInOptions,
  provider: Provider,
  { purpose, returnTo = "/" }: { purpose: Purpose; returnTo?: string | undefined },
  sent: Sent,
): Promise<Response> {
  if (!purposesOf(provider, options.readers).includes(purpose)) notFound();
  // A page of elsewhere may lead a person here, and not make their browser ask unseen.
  if ((sent.request.headers.get("sec-fetch-mode") ?? "navigate") !== "navigate")
    throw new AppError("forbidden", "This address is for a browser to go to.");
  const own = ownPath(returnTo.slice(0, RETURN_CHARACTERS_MAX)) ?? "/";
  try {
    const asked = { purpose, returnTo: own, redirectUri: callbackUrl(options, provider) };
    const { url, kept } = await provider.begin(asked);
    return redirect(url, cookiesOf(options).give(sent.request, kept));
  } catch (error) {
    return failed(options, provider, { purpose, returnTo: own }, error, sent);
  }
}

/** Takes a browser in that comes back from the provider. */
export async function comeBack(options: SignInOptions, provider: Provider, sent: Sent): Promise<Response> {
  const { vouchers } = options;
  const { search, searchParams } = new URL(sent.request.url);
  const state = searchParams.get("state") ?? "";
  const cookies = cookiesOf(options);
  const kept = cookies.read(sent.request, state);
  try {
    // Used up before anything is asked of the provider: whatever comes of it, it works once.
    if (kept === undefined || kept.provider !== provider.name || !(await vouchers.states.use(kept)))
      throw new SignInFault("expired", `${provider.name}: the browser keeps nothing for this sign-in`);
    const provided = await provider.finish(new URL(callbackUrl(options, provider) + search), kept);
    const given = await takeIn(options, provider, kept, provided, sent);
    if (given === "no_role") return failed(options, provider, kept, "no_role", sent, cookies.take(state));
    return redirect(`${options.basePath}${kept.returnTo}`, [...given, cookies.take(state)]);
  } catch (error) {
    return failed(options, provider, kept, error, sent, cookies.take(state));
  }
}

/** The cookies of a new session. */
async function takeIn(
  options: SignInOptions,
  provider: Provider,
  kept: KeptState,
  provided: Provided,
  { place }: Sent,
): Promise<string[] | "no_role"> {
  if (!purposesOf(provider, options.readers).includes(kept.purpose)) return "no_role";
  const endsAt = options.clock() + (await lifetimeMs(options, provider));
  if (kept.purpose === "reader" && options.readers !== undefined) {
    const { cookies } = await options.readers.begin({ ...provided, provider: provider.name, endsAt }, place);
    return [...cookies];
  }
  return beginMember(options, provider, provided, { endsAt, place });
}

async function beginMember(
  options: SignInOptions,
  { name, members: rules }: Provider,
  { identity, sid, idToken }: Provided,
  { endsAt, place }: { endsAt: number; place: SignInPlace },
): Promise<string[] | "no_role"> {
  const { arrivals, door, audit, noteFailure } = options;
  if (rules === undefined) return "no_role";
  const { member, known } = await arrivals.bring(identity, { provider: name, rules });
  if (member === undefined) {
    noteFailure(known);
    return "no_role";
  }
  const { issuer, subject } = identity;
  const beginning = { issuer, subject, provided: { provider: name, sid, idToken, endsAt } };
  const secret = await door.sessions.begin(member.id, beginning, place);
  if (secret === undefined) return "no_role";
  const actor = { kind: "member", id: member.id, name: member.name } as const;
  await audit.record(actor, { kind: "member.signed-in", ...aboutMember(member), details: { with: name } });
  return [door.cookie().give(secret)];
}

async function lifetimeMs({ settings }: SignInOptions, provider: Provider): Promise<number> {
  const wholeMs = settings.provider_session_seconds * SECOND_MS;
  return (await provider.tellsOfLogout()) ? wholeMs : Math.min(wholeMs, UNTOLD_MS);
}

/** Leads to where it is said, in words, what is wrong; the log has the cause. */
function failed(
  options: SignInOptions,
  provider: Provider,
  kept: Pick<KeptState, "purpose" | "returnTo"> | undefined,
  error: unknown,
  { requestId }: Sent,
  ...cookies: string[]
): Response {
  const reason: Reason = error === "no_role" ? "no_role" : reasonOf(error);
  const about = { provider: provider.name, reason, requestId };
  const cause = error instanceof SignInFault ? error.message : undefined;
  // Anybody may come with nothing; what a provider does is for the operator to know.
  if (reason === "expired") options.log.info("a sign-in was not begun in this browser", { ...about, cause });
  else options.log.warn("a sign-in with a provider failed", { ...about, cause });
  if (reason === "not_believed" || reason === "refused") options.noteFailure(undefined);
  const words = new URLSearchParams({ failed: reason, provider: provider.name });
  if (kept?.purpose === "reader") {
    const back = new URL(kept.returnTo, "http://here.invalid");
    back.searchParams.set("sign-in-failed", reason);
    return redirect(`${options.basePath}${back.pathname}${back.search}`, cookies);
  }
  if (kept !== undefined && kept.returnTo !== "/") words.set("next", kept.returnTo);
  return redirect(`${options.basePath}/sign-in?${words}`, cookies);
}

function reasonOf(error: unknown): SignInFault["kind"] {
  if (error instanceof SignInFault) return error.kind;
  throw error;
}

const callbackUrl = ({ door }: SignInOptions, { name }: Provider) =>
  `${door.publicUrl()}/v1/sign-in/${name}/callback`;

const cookiesOf = ({ door, basePath, vouchers }: SignInOptions) =>
  keptCookies(door.publicUrl(), basePath, vouchers.states);

function redirect(location: string, cookies: readonly string[]): Response {
  const response = new Response(null, { status: 302, headers: { location } });
  for (const cookie of cookies) response.headers.append("set-cookie", cookie);
  return response;
}
