import { type Member, nameKeyOf } from "../../src/people/members/member.ts";
import type { Arrival, MemberStore, Session, StoredLink } from "../../src/people/members/stores.ts";
import { TEST_TIME } from "./fake-clock.ts";

/** A member who was invited, and is nothing yet. */
export function newMember(id: string, change: Partial<Member> = {}): Member {
  return {
    id,
    name: `Member ${id}`,
    isServerOwner: false,
    roles: [],
    isActive: false,
    vouched: undefined,
    createdAt: TEST_TIME,
    lastSeenAt: undefined,
    ...change,
  };
}

/** A link of a member, or the first one. */
export function newLink(hash: string, memberId?: string, change: Partial<StoredLink> = {}): StoredLink {
  return { hash, memberId, createdAt: TEST_TIME, expiresAt: TEST_TIME + 1000, ...change };
}

export function newSession(id: string, memberId: string, change: Partial<Session> = {}): Session {
  return {
    id,
    memberId,
    createdAt: TEST_TIME,
    lastUsedAt: TEST_TIME,
    address: "192.0.2.7",
    agent: "Firefox",
    provided: undefined,
    ...change,
  };
}

export const COMPANY = { issuer: "https://id.example.com", provider: "company" };

/** Somebody whom a provider vouches for, who is a viewer of nothing yet. */
export function newArrival(id: string, change: Partial<Arrival> = {}): Arrival {
  const names = [`Member ${id}`, `Member ${id} (company)`, `Member ${id} (${id})`];
  return {
    id,
    createdAt: TEST_TIME,
    vouched: { ...COMPANY, subject: `subject of ${id}` },
    names: names.map((name) => ({ name, nameKey: nameKeyOf(name) })),
    isServerOwner: false,
    roles: [],
    ...change,
  };
}

/** Adds a member who has chosen a password: `password of <id>`, as a hash would stand there. */
export async function addActive(members: MemberStore, member: Member): Promise<Member> {
  await members.add(member, nameKeyOf(member.name));
  const link = newLink(`link of ${member.id}`, member.id);
  await members.putLink(link);
  await members.redeem(link, passwordOf(member.id));
  return { ...member, isActive: true };
}

export const passwordOf = (id: string) => `password of ${id}`;
