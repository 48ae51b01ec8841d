import { Elysia } from "elysia";
import { z } from "zod";
import { AppError } from "../../errors.ts";
import type { Devices } from "../../members/devices.ts";
import { sessionJson } from "../../members/json.ts";
import { memberNameSchema, roleIn } from "../../members/member.ts";
import { givenPasswordSchema, newPasswordSchema } from "../../members/passwords.ts";
import type { SignedIn } from "../../members/sessions.ts";
import type { SignIn } from "../../members/sign-in.ts";
import type { Sites } from "../../sites/sites.ts";
import { done, reply } from "../admin/operation.ts";
import { gives } from "../operation/gives.ts";
import {
  type SessionAsked,
  type SessionDoor,
  type SessionOperation,
  sessionOperation,
  sessionRoute,
  signedOut,
} from "./guard.ts";
import { linkShape, sessionShape, sessionsShape } from "./shapes.ts";

/** Where these operations are. */
export const SESSION_PREFIX = "/v1/session";

/** What the operations of sessions work with. */
export interface SessionOptions {
  door: SessionDoor;
  signIn: SignIn;
  devices: Devices;
  sites: Pick<Sites, "listOrganizations">;
  version: string;
}

const linkText = z.string().max(200);
const signInSchema = z
  .strictObject({ name: z.string().min(1).max(400), password: givenPasswordSchema })
  .meta({ id: "SignIn" });
const lookSchema = z.strictObject({ link: linkText }).meta({ id: "LinkLook" });
const chooseSchema = z
  .strictObject({
    link: linkText,
    /** For the first owner alone: that of others is known. */
    name: memberNameSchema.optional(),
    password: newPasswordSchema,
  })
  .meta({ id: "ChosenPassword" });
const passwordSchema = z
  .strictObject({ current: givenPasswordSchema, password: newPasswordSchema })
  .meta({ id: "PasswordChange" });

const EXAMPLE_LINK = "3mJr7AoUXx2Wqd7hGkPzT4sNbVcYe9RfL";
const SENT = ["invalid_request", "forbidden", "too_large", "unsupported_media_type"] as const;
const SIGNED_IN = ["unauthorized", "forbidden", "internal", "unavailable"] as const;
const SIGNING_IN = [...SENT, "rate_limited", "internal", "unavailable"] as const;

/** Every operation by which members sign in, with its path below `/v1/session`. */
export function sessionOperations(options: SessionOptions): SessionOperation[] {
  const { door, signIn, devices } = options;
  const { sessions } = door;

  /** Gives a browser the secret of its new session. What it was signed in with before ends: it is never taken over. */
  async function signedIn(secret: string, asked: SessionAsked<unknown>): Promise<Response> {
    const before = await asked.current();
    if (before) await sessions.end(before.member.id, before.session.id);
    const now = (await sessions.authenticate(secret)) ?? signedOut();
    return known(reply(await sessionJsonOf(options, now)), { secret, name: now.member.name }, asked);
  }

  /** Gives a browser the secret of a session, and what it is known by when that name signs in again. */
  function known(
    response: Response,
    { secret, name }: { secret: string; name: string },
    { cookie, place }: SessionAsked<unknown>,
  ): Response {
    const tokens = devices.remember(name, place.devices);
    return withCookie(withCookie(response, cookie.give(secret)), door.devices().give(tokens));
  }

  return [
    sessionOperation({
      method: "GET",
      path: "",
      needsSession: true,
      summary: "Show who is signed in",
      replies: gives(200, "The member, and what is open to them.", sessionShape),
      errors: SIGNED_IN,
      run: async ({ signedIn }) => reply(await sessionJsonOf(options, await signedIn())),
    }),
    sessionOperation({
      method: "POST",
      path: "",
      summary: "Sign in",
      description: "The session is in the cookie that the reply sets.",
      body: signInSchema,
      example: { name: "Ada", password: "correct horse battery staple" },
      replies: gives(200, "Who is signed in now.", sessionShape),
      errors: [...SIGNING_IN, "unauthorized"],
      run: async (asked) => signedIn(await signIn.byPassword(await asked.body(), asked.place), asked),
    }),
    sessionOperation({
      method: "DELETE",
      path: "",
      needsSession: true,
      summary: "Sign out",
      replies: gives(204, "The session has ended."),
      errors: SIGNED_IN,
      async run({ signedIn, cookie }) {
        const { member, session } = await signedIn();
        await sessions.end(member.id, session.id);
        return withCookie(done(), cookie.take());
      },
    }),
    sessionOperation({
      method: "POST",
      path: "/link",
      summary: "Tell what a one-time link is for",
      body: lookSchema,
      example: { link: EXAMPLE_LINK },
      replies: gives(200, "What it is for, and for whom.", linkShape),
      errors: [...SIGNING_IN, "not_found"],
      async run({ body, place }) {
        const { purpose, name } = await signIn.look((await body()).link, place);
        return reply({ purpose, name: name ?? null });
      },
    }),
    sessionOperation({
      method: "PUT",
      path: "/link",
      summary: "Choose a password with a one-time link, and sign in",
      description: "`name` is for the first owner of a server: that of others is known.",
      body: chooseSchema,
      example: { link: EXAMPLE_LINK, name: "Ada", password: "correct horse battery staple" },
      replies: gives(200, "Who is signed in now.", sessionShape),
      errors: [...SIGNING_IN, "not_found", "conflict"],
      async run(asked) {
        const { link, name, password } = await asked.body();
        return signedIn(await signIn.byLink({ link, name, password }, asked.place), asked);
      },
    }),
    sessionOperation({
      method: "PUT",
      path: "/password",
      needsSession: true,
      summary: "Change the password",
      description: "Every other session ends.",
      body: passwordSchema,
      example: { current: "correct horse battery staple", password: "a river runs uphill" },
      replies: gives(204, "It is changed. The cookie holds a new session."),
      errors: [...SIGNING_IN, "unauthorized"],
      async run(asked) {
        const who = await asked.signedIn();
        const secret = await signIn.changePassword(who, await asked.body(), asked.place);
        return known(done(), { secret, name: who.member.name }, asked);
      },
    }),
    sessionOperation({
      method: "GET",
      path: "/sessions",
      needsSession: true,
      summary: "List where one is signed in",
      replies: gives(200, "The sessions, the last used one first.", sessionsShape),
      errors: SIGNED_IN,
      async run({ signedIn }) {
        const { member, session: current } = await signedIn();
        return reply((await sessions.list(member.id)).map((session) => sessionJson(session, current.id)));
      },
    }),
    sessionOperation({
      method: "DELETE",
      path: "/sessions/:id",
      needsSession: true,
      summary: "End a session",
      replies: gives(204, "It has ended."),
      errors: [...SIGNED_IN, "not_found"],
      async run({ signedIn, param, cookie }) {
        const { member, session } = await signedIn();
        if (!(await sessions.end(member.id, param("id")))) throw new AppError("not_found", "Not found");
        return param("id") === session.id ? withCookie(done(), cookie.take()) : done();
      },
    }),
  ];
}

/** The routes by which members sign in. */
export function sessionRoutes(options: SessionOptions) {
  const routes = new Elysia({ prefix: SESSION_PREFIX });
  for (const one of sessionOperations(options)) routes.use(sessionRoute(options.door, one));
  return routes;
}

async function sessionJsonOf({ sites, version, door }: SessionOptions, { member }: SignedIn) {
  const { id, name, isServerOwner } = member;
  const organizations = (await sites.listOrganizations()).flatMap((each) => {
    const role = roleIn(member, each.id);
    return role === undefined ? [] : [{ id: each.id, name: each.name, role }];
  });
  return { member: { id, name, isServerOwner }, organizations, version, publicUrl: door.publicUrl() };
}

function withCookie(response: Response, cookie: string): Response {
  response.headers.append("set-cookie", cookie);
  return response;
}
