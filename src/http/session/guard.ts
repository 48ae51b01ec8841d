import { Elysia } from "elysia";
import type { z } from "zod";
import { AppError, type ErrorCode } from "../../errors.ts";
import { type Admin, createAdmin } from "../../keys/admin.ts";
import { type AddressMatcher, clientAddress } from "../../lib/address.ts";
import { type Member, roleIn } from "../../members/member.ts";
import type { Place, Sessions, SignedIn } from "../../members/sessions.ts";
import { checkOwnPage, checkSentHere, type HostMatcher, refuseOtherSites } from "../guard/host-check.ts";
import type { ApiReply } from "../operation/operation.ts";
import { readBody } from "../request/body.ts";
import type { DeviceCookie, SessionCookie } from "./cookie.ts";

/** No password and no link is longer. */
const BODY_BYTES_MAX = 20_000;

/** What every operation of sessions needs. */
export interface SessionDoor {
  sessions: Sessions;
  /** Known once the server listens, as is where it is reached. */
  cookie: () => SessionCookie;
  devices: () => DeviceCookie;
  publicUrl: () => string;
  isNamedHost: HostMatcher;
  isProxy: AddressMatcher;
  bodyMs: number;
}

/** What an operation knows of who asks, and what is asked. */
export interface SessionAsked<Body> {
  /** Who is signed in in this browser, if anyone. */
  current(): Promise<SignedIn | undefined>;
  /** The same. Raises `unauthorized` where nobody is. */
  signedIn(): Promise<SignedIn>;
  place: Place;
  param(name: string): string;
  body(): Promise<Body>;
  cookie: SessionCookie;
}

/** One operation by which a browser signs in, or manages what it is signed in with. */
export interface SessionOperation<Body = unknown> {
  method: "GET" | "POST" | "PUT" | "DELETE";
  path: string;
  summary: string;
  description?: string;
  /** It is for a browser that is signed in. */
  needsSession?: true;
  body?: z.ZodType<Body>;
  example?: unknown;
  replies: Record<number, ApiReply>;
  errors: readonly ErrorCode[];
  run(asked: SessionAsked<Body>): Promise<Response>;
}

/** An operation, with the type of what is sent to it in one place. */
export function sessionOperation<Body = never>(one: SessionOperation<Body>): SessionOperation {
  return one;
}

/** The route of an operation. No other site's page may use it, signed in or not. */
export function sessionRoute(door: SessionDoor, { method, path, needsSession, ...one }: SessionOperation) {
  return new Elysia().route(
    method,
    path,
    async ({ request, params, server, set }) => {
      set.headers["cache-control"] = "no-store";
      checkSentHere(request, door.isNamedHost, door.publicUrl());
      // A program may sign in, and names no origin. What a browser is signed in with, only our own pages may use.
      const cookie = door.cookie();
      if (needsSession && cookie.read(request) !== undefined) checkOwnPage(request);
      else refuseOtherSites(request);
      const current = () => door.sessions.authenticate(cookie.read(request));
      const signedIn = async () => (await current()) ?? signedOut();
      if (needsSession) await signedIn();
      const parts: Readonly<Record<string, string | null | undefined>> | undefined = params;
      const bounds = { bytesMax: BODY_BYTES_MAX, milliseconds: door.bodyMs, signal: request.signal };
      return one.run({
        current,
        signedIn,
        cookie,
        place: placeOf(door, request, server?.requestIP(request)?.address),
        param: (name) => parts?.[name] ?? "",
        body: async () => one.body && readBody(request, one.body, bounds),
      });
    },
    { parse: "none" },
  );
}

function placeOf({ isProxy, devices }: SessionDoor, request: Request, peer = ""): Place {
  const { address } = clientAddress(peer, request.headers.get("x-forwarded-for"), isProxy);
  return { address, agent: request.headers.get("user-agent") ?? "", devices: devices().read(request) };
}

/** The answer to whoever is not signed in, or not any more. */
export function signedOut(): never {
  throw new AppError("unauthorized", "You are signed out. Please sign in again.");
}

/** A member, as the operations know who asks. */
export function memberAdmin(member: Member): Admin {
  const { id, isServerOwner, roles } = member;
  return createAdmin({
    kind: "member",
    id,
    isServer: isServerOwner,
    mayWrite: isServerOwner || roles.some(({ role }) => role === "owner"),
    sees: (organizationId) => roleIn(member, organizationId) !== undefined,
    mayChange: (organizationId) => roleIn(member, organizationId) === "owner",
  });
}
