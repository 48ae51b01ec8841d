import type { Belonging } from "../../src/people/members/members.ts";
import { type AdminDoorUnderTest, startAdminDoor } from "./admin-door.ts";
import type { DocentOptions } from "./docent.ts";

export const PASSWORD = "correct horse battery";

/** Who asks: members of the server, of the organization `default`, of `other`, or of both. */
export type MemberName = "root" | "owner" | "viewer" | "foreign" | "both";

export interface Sent {
  /** Whose session's cookie goes with it. */
  as?: MemberName | undefined;
  body?: unknown;
  /** Headers; one that is null is left out. */
  headers?: Record<string, string | null>;
}

export interface MemberReply {
  status: number;
  headers: Headers;
  text: string;
  json: Record<string, unknown>;
}

export interface MemberDoor extends AdminDoorUnderTest {
  cookies: Record<MemberName, string>;
  ids: Record<MemberName, string>;
  organizations: { own: string; other: string };
  /** Sends what a page of the server's own would, with the cookie of that member. */
  send(method: string, path: string, sent?: Sent): Promise<MemberReply>;
  /** Signs in, and gives the cookie. */
  signIn(name: string, password?: string): Promise<string>;
}

/** The cookie that a reply gives, as a browser sends it back. */
export const cookieOf = (headers: Headers) => headers.get("set-cookie")?.split(";")[0] ?? "";

/** The admin door, with members of every kind who are signed in. */
export async function startMemberDoor(options: DocentOptions = {}): Promise<MemberDoor> {
  const door = await startAdminDoor(options);
  const { people } = door.app.parts;
  const all = await people.sites.listOrganizations();
  const idOf = (name: string) => all.find((each) => each.name === name)?.id ?? "";
  const organizations = { own: idOf("default"), other: idOf("other") };

  const send: MemberDoor["send"] = async (method, path, { as, body, headers = {} } = {}) => {
    const all = {
      origin: door.url.replace(/(:\d+).*$/, "$1"),
      ...(as === undefined ? {} : { cookie: cookies[as] }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    };
    const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
    const reply = await fetch(`${door.url}${path}`, {
      method,
      headers: sent,
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await reply.text();
    const isJson = reply.headers.get("content-type")?.startsWith("application/json") === true;
    return {
      status: reply.status,
      headers: reply.headers,
      text,
      json: isJson ? Object(JSON.parse(text)) : {},
    };
  };

  async function choose(link: string, name?: string): Promise<string> {
    const reply = await send("PUT", "/v1/session/link", {
      body: { link, password: PASSWORD, ...(name === undefined ? {} : { name }) },
    });
    if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
    return cookieOf(reply.headers);
  }

  const ids: Record<MemberName, string> = { root: "", owner: "", viewer: "", foreign: "", both: "" };
  const cookies: Record<MemberName, string> = { ...ids };
  cookies.root = await choose((await people.members.firstLink())?.text ?? "", "root");
  ids.root = (await people.members.named("root")).id;
  const belonging: [name: MemberName, where: Belonging][] = [
    ["owner", { organizationId: organizations.own, role: "owner" }],
    ["viewer", { organizationId: organizations.own, role: "viewer" }],
    ["foreign", { organizationId: organizations.other, role: "owner" }],
    ["both", { organizationId: organizations.own, role: "viewer" }],
  ];
  for (const [name, where] of belonging) {
    const { member, link } = await people.members.invite(name, where);
    ids[name] = member.id;
    cookies[name] = await choose(link.text);
  }
  await people.members.setRole(ids.both, organizations.other, "owner");

  return {
    ...door,
    cookies,
    ids,
    organizations,
    send,
    async signIn(name, password = PASSWORD) {
      const reply = await send("POST", "/v1/session", { body: { name, password } });
      if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
      return cookieOf(reply.headers);
    },
  };
}
