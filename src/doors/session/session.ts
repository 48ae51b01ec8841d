import { type Audit, type AuditEvent, aboutMember } from "@docent/people/audit/audit";
import { type Member, memberNameSchema, roleIn } from "@docent/people/members/member";
import {
  type Devices,
  givenPasswordSchema,
  newPasswordSchema,
  type SignedIn,
  type SignIn,
  sessionJson,
} from "@docent/people/members/sign-in";
import type { Sites } from "@docent/sites/site/sites";
import { z } from "zod";
import { done, gives, notFound, type Operation, operation, reply } from "../operation.ts";
import { deviceCookie, sessionCookie } from "./cookie.ts";
import {
  type SessionDoor,
  type SessionGuarded,
  type SessionGuards,
  sessionGuards,
  signedOut,
} from "./guard.ts";
import { linkShape, sessionShape, sessionsShape, signedOutShape } from "./shapes.ts";

/** The path that these operations are below. */
const SESSION_PREFIX = "/v1/session";

export type { Proxied, SessionDoor } from "./guard.ts";

/** The parts of Docent that these operations use. */
export interface SessionOptions {
  door: SessionDoor;
  signIn: SignIn;
  devices: Devices;
  audit: Pick<Audit, "record">;
  sites: Pick<Sites, "listOrganizations">;
  /** Where the browser goes to sign out where it signed in; undefined where there is no such address. */
  logoutUrl(session: SignedIn["session"]): Promise<string | undefined>;
  version: string;
}

/** The largest body: no password and no link is longer. */
const BODY_BYTES_MAX = 20_000;

const linkText = z.string().max(200);
const signInSchema = z.lazy(() =>
  z.strictObject({ name: z.string().min(1).max(400), password: givenPasswordSchema }).meta({ id: "SignIn" }),
);
const lookSchema = z.lazy(() => z.strictObject({ link: linkText }).meta({ id: "LinkLook" }));
const chooseSchema = z.lazy(() =>
  z
    .strictObject({
      link: linkText,
      /** For the first owner alone: that of others is known. */
      name: memberNameSchema.optional(),
      password: newPasswordSchema,
    })
    .meta({ id: "ChosenPassword" }),
);
const passwordSchema = z.lazy(() =>
  z
    .strictObject({ current: givenPasswordSchema, password: newPasswordSchema })
    .meta({ id: "PasswordChange" }),
);

const TAG = "Signing in";
const EXAMPLE_LINK = "3mJr7AoUXx2Wqd7hGkPzT4sNbVcYe9RfL";

/** The cookies of a server, which are known once it listens. */
export function sessionCookies(
  publicUrl: () => string,
  basePath: string,
  lifetimes: { sessionMs: number; deviceMs: number },
): Pick<SessionDoor, "cookie" | "devices"> {
  return {
    cookie: () => sessionCookie(publicUrl(), basePath, lifetimes.sessionMs),
    devices: () => deviceCookie(publicUrl(), `${basePath}${SESSION_PREFIX}`, lifetimes.deviceMs),
  };
}

/** Every operation by which members sign in, or manage where they are signed in. */
export function sessionOperations(options: SessionOptions): Operation[] {
  const guards = sessionGuards(options.door);
  return [
    showSession(options, guards),
    signIn(options, guards),
    signOut(options, guards),
    showLink(options, guards),
    redeemLink(options, guards),
    changePassword(options, guards),
    listSessions(options, guards),
    endSession(options, guards),
  ];
}

const showSession = (options: SessionOptions, guards: SessionGuards) =>
  operation({
    id: "getSession",
    method: "GET",
    path: SESSION_PREFIX,
    tag: TAG,
    guard: guards.signedIn,
    summary: "Show who is signed in",
    replies: gives(200, "The member, and what is open to them.", sessionShape),
    run: async ({ signedIn }) => reply(await sessionJsonOf(options, await signedIn())),
  });

const signIn = (options: SessionOptions, guards: SessionGuards) =>
  operation({
    id: "signIn",
    method: "POST",
    path: SESSION_PREFIX,
    tag: TAG,
    guard: guards.open,
    records: ["member.signed-in", "member.sign-in-failed"],
    summary: "Sign in",
    description: "The session is in the cookie that the reply sets.",
    body: signInSchema,
    bodyBytesMax: BODY_BYTES_MAX,
    example: { name: "Ada", password: "correct horse battery staple" },
    replies: gives(200, "Who is signed in now.", sessionShape),
    errors: ["rate_limited", "unauthorized"],
    async run(asked) {
      const secret = await options.signIn.byPassword(await asked.body(), asked.place);
      return begin(options, { secret, with: "password" }, asked);
    },
  });

const signOut = (options: SessionOptions, guards: SessionGuards) =>
  operation({
    id: "signOut",
    method: "DELETE",
    path: SESSION_PREFIX,
    tag: TAG,
    guard: guards.signedIn,
    summary: "Sign out",
    description:
      "Where a provider or a proxy signed the member in, the reply may say where the browser goes to sign out there too.",
    replies: {
      ...gives(200, "The session has ended here, and ends there at that address.", signedOutShape),
      ...gives(204, "The session has ended."),
    },
    async run({ signedIn, cookie }) {
      const { member, session } = await signedIn();
      if (session !== undefined) await options.door.sessions.end(member.id, session.id);
      const logoutUrl = await options.logoutUrl(session);
      return withCookie(logoutUrl === undefined ? done() : reply({ logoutUrl }), cookie.take());
    },
  });

const showLink = (options: SessionOptions, guards: SessionGuards) =>
  operation({
    id: "lookAtLink",
    method: "POST",
    path: `${SESSION_PREFIX}/link`,
    tag: TAG,
    guard: guards.open,
    summary: "Tell what a one-time link is for",
    body: lookSchema,
    bodyBytesMax: BODY_BYTES_MAX,
    example: { link: EXAMPLE_LINK },
    replies: gives(200, "What it is for, and for whom.", linkShape),
    errors: ["rate_limited", "not_found"],
    async run({ body, place }) {
      const { purpose, name } = await options.signIn.look((await body()).link, place);
      return reply({ purpose, name: name ?? null });
    },
  });

const redeemLink = (options: SessionOptions, guards: SessionGuards) =>
  operation({
    id: "redeemLink",
    method: "PUT",
    path: `${SESSION_PREFIX}/link`,
    tag: TAG,
    guard: guards.open,
    records: ["member.password-changed", "member.signed-in"],
    summary: "Choose a password with a one-time link, and sign in",
    description: "`name` is for the first owner of a server: that of others is known.",
    body: chooseSchema,
    bodyBytesMax: BODY_BYTES_MAX,
    example: { link: EXAMPLE_LINK, name: "Ada", password: "correct horse battery staple" },
    replies: gives(200, "Who is signed in now.", sessionShape),
    errors: ["rate_limited", "not_found", "conflict"],
    async run(asked) {
      const { link, name, password } = await asked.body();
      const secret = await options.signIn.byLink({ link, name, password }, asked.place);
      return begin(options, { secret, with: "link" }, asked);
    },
  });

const changePassword = (options: SessionOptions, guards: SessionGuards) =>
  operation({
    id: "changePassword",
    method: "PUT",
    path: `${SESSION_PREFIX}/password`,
    tag: TAG,
    guard: guards.signedIn,
    records: ["member.password-changed"],
    summary: "Change the password",
    description: "Every other session ends.",
    body: passwordSchema,
    bodyBytesMax: BODY_BYTES_MAX,
    example: { current: "correct horse battery staple", password: "a river runs uphill" },
    replies: gives(204, "It is changed. The cookie holds a new session."),
    errors: ["rate_limited"],
    async run(asked) {
      const who = await asked.signedIn();
      const secret = await options.signIn.changePassword(who, await asked.body(), asked.place);
      await record(options, who.member, { kind: "member.password-changed", details: { with: "password" } });
      return known(options, done(), { secret, name: who.member.name }, asked);
    },
  });

const listSessions = ({ door }: SessionOptions, guards: SessionGuards) =>
  operation({
    id: "listSessions",
    method: "GET",
    path: `${SESSION_PREFIX}/sessions`,
    tag: TAG,
    guard: guards.signedIn,
    summary: "List where one is signed in",
    replies: gives(200, "The sessions, the last used one first.", sessionsShape),
    async run({ signedIn }) {
      const { member, session: current } = await signedIn();
      return reply((await door.sessions.list(member.id)).map((session) => sessionJson(session, current?.id)));
    },
  });

const endSession = ({ door }: SessionOptions, guards: SessionGuards) =>
  operation({
    id: "endSession",
    method: "DELETE",
    path: `${SESSION_PREFIX}/sessions/:id`,
    tag: TAG,
    guard: guards.signedIn,
    summary: "End a session",
    replies: gives(204, "It has ended."),
    async run({ signedIn, param, cookie }) {
      const { member, session } = await signedIn();
      if (!(await door.sessions.end(member.id, param("id")))) notFound();
      return param("id") === session?.id ? withCookie(done(), cookie.take()) : done();
    },
  });

/** Gives a browser the secret of its new session. What it was signed in with before ends: it is never taken over. */
async function begin(
  options: SessionOptions,
  { secret, with: means }: { secret: string; with: "password" | "link" },
  asked: SessionGuarded,
): Promise<Response> {
  const { sessions } = options.door;
  const before = await asked.current();
  if (before?.session) await sessions.end(before.member.id, before.session.id);
  const now = (await sessions.authenticate(secret)) ?? signedOut();
  const details = { with: means };
  if (means === "link") await record(options, now.member, { kind: "member.password-changed", details });
  await record(options, now.member, { kind: "member.signed-in", details });
  const told = reply(await sessionJsonOf(options, now));
  return known(options, told, { secret, name: now.member.name }, asked);
}

/** Keeps in the audit log what a member did to what is their own. */
function record({ audit }: SessionOptions, member: Member, event: AuditEvent): Promise<void> {
  const { id, name } = member;
  return audit.record({ kind: "member", id, name }, { ...aboutMember(member), ...event });
}

/** Gives a browser the secret of a session, and what it is known by when that name signs in again. */
function known(
  { devices, door }: SessionOptions,
  response: Response,
  { secret, name }: { secret: string; name: string },
  { cookie, place }: SessionGuarded,
): Response {
  const tokens = devices.remember(name, place.devices);
  return withCookie(withCookie(response, cookie.give(secret)), door.devices().give(tokens));
}

async function sessionJsonOf({ sites, version, door }: SessionOptions, { member }: SignedIn) {
  const { id, name, isServerOwner, vouched } = member;
  const organizations = (await sites.listOrganizations()).flatMap((each) => {
    const role = roleIn(member, each.id);
    return role === undefined ? [] : [{ id: each.id, name: each.name, role }];
  });
  return {
    member: { id, name, isServerOwner, provider: vouched?.provider ?? null },
    organizations,
    version,
    publicUrl: door.publicUrl(),
  };
}

function withCookie(response: Response, cookie: string): Response {
  response.headers.append("set-cookie", cookie);
  return response;
}
