import { type Member, nameKeyOf } from "../../src/members/member.ts";
import type { MemberStore, Session, StoredLink } from "../../src/members/stores.ts";
import { TEST_TIME } from "./fake-clock.ts";

/** A member who was invited, and is nothing yet. */
export function newMember(id: string, change: Partial<Member> = {}): Member {
  return {
    id,
    name: `Member ${id}`,
    isServerOwner: false,
    roles: [],
    isActive: false,
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
