import { AppError } from "@docent/kernel/errors";
import { type AddressMatcher, clientAddress } from "@docent/kernel/lib/address";
import { type Admin, createAdmin } from "@docent/people/keys/admin-keys";
import { type Member, roleIn } from "@docent/people/members/member";
import type { Sessions, SignedIn, SignInPlace } from "@docent/people/members/sign-in";
import { checkOwnPage, checkSentHere, type HostMatcher, refuseOtherSites } from "../guard/guard.ts";
import type { ArrivedRequest, Guard } from "../operation.ts";
import type { DeviceCookie, SessionCookie } from "./cookie.ts";

/** What the guards of sessions work with. */
export interface SessionDoor {
  sessions: Sessions;
  /** Known once the server listens, as is where it is reached. */
  cookie: () => SessionCookie;
  devices: () => DeviceCookie;
  publicUrl: () => string;
  isNamedHost: HostMatcher;
  isProxy: AddressMatcher;
  /**
   * The member whom the proxy in front has signed in; undefined where it says nothing, or is none. Raises `forbidden` for
   * somebody who may do nothing here.
   */
  proxied: Proxied;
}

export type Proxied = (request: Request, peer: string | undefined) => Promise<Member | undefined>;

/** What an operation of sessions knows of the browser that asks. */
export interface SessionGuarded {
  /** Who is signed in in this browser, if anyone. */
  current(): Promise<SignedIn | undefined>;
  /** The same; raises `unauthorized` where nobody is signed in. */
  signedIn(): Promise<SignedIn>;
  place: SignInPlace;
  cookie: SessionCookie;
}

/** The guards of operations that are open to everybody, and of those for a signed-in browser. */
export interface SessionGuards {
  open: Guard<SessionGuarded>;
  signedIn: Guard<SessionGuarded>;
}

const ERRORS = ["forbidden", "internal", "unavailable"] as const;

export function sessionGuards(door: SessionDoor): SessionGuards {
  return {
    open: { opens: "none", errors: ERRORS, admit: (sent) => admit(door, sent, { needsSession: false }) },
    signedIn: {
      opens: "session",
      errors: ["unauthorized", ...ERRORS],
      admit: (sent) => admit(door, sent, { needsSession: true }),
    },
  };
}

/** No other site's page may use these operations, signed in or not. */
async function admit(
  door: SessionDoor,
  { request, peer, replyHeaders }: ArrivedRequest,
  { needsSession }: { needsSession: boolean },
): Promise<SessionGuarded> {
  replyHeaders["cache-control"] = "no-store";
  checkSentHere(request, door.isNamedHost, door.publicUrl());
  // A program may sign in, and names no origin. What a browser is signed in with, only our own pages may use.
  const cookie = door.cookie();
  const member = needsSession ? await door.proxied(request, peer()) : undefined;
  if (needsSession && (member !== undefined || cookie.read(request) !== undefined)) checkOwnPage(request);
  else refuseOtherSites(request);
  const current = async () =>
    member === undefined ? door.sessions.authenticate(cookie.read(request)) : { member, session: undefined };
  const signedIn = async () => (await current()) ?? signedOut();
  if (needsSession) await signedIn();
  return { current, signedIn, cookie, place: placeOf(door, request, peer()) };
}

/** Where somebody signs in from. */
export function placeOf(
  { isProxy, devices }: Pick<SessionDoor, "isProxy" | "devices">,
  request: Request,
  peer = "",
): SignInPlace {
  const { address } = clientAddress(peer, request.headers.get("x-forwarded-for"), isProxy);
  return { address, agent: request.headers.get("user-agent") ?? "", devices: devices().read(request) };
}

/** Raises the error for everyone who is not signed in, or not any more. */
export function signedOut(): never {
  throw new AppError("unauthorized", "You are signed out. Please sign in again.");
}

/** The rights of a member, in the form that operations check. */
export function memberAdmin(member: Member): Admin {
  const { id, name, isServerOwner, roles } = member;
  return createAdmin({
    kind: "member",
    id,
    name,
    isServer: isServerOwner,
    mayWrite: isServerOwner || roles.some(({ role }) => role === "owner"),
    sees: (organizationId) => roleIn(member, organizationId) !== undefined,
    mayChange: (organizationId) => roleIn(member, organizationId) === "owner",
  });
}
