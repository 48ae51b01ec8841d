import { AppError } from "@docent/kernel/errors";
import { aboutMember } from "@docent/people/audit/audit";
import type { Admin } from "@docent/people/keys/admin-keys";
import { type Member, memberJson, memberNameSchema } from "@docent/people/members/member";
import type { Belonging, NewLink } from "@docent/people/members/members";
import { z } from "zod";
import { done, gives, notFound, type Operation, reply } from "../operation.ts";
import { roleShape } from "../session/shapes.ts";
import type { AdminOptions } from "./admin.ts";
import { type AdminGuards, adminOperation } from "./guard.ts";
import { managedOrganization } from "./organizations.ts";
import { memberLinkShape, memberShape, newMemberShape } from "./shapes.ts";

const ONE_OF = { path: ["organization"], message: "name an organization, or send serverOwner, and not both" };
const organization = z.string().max(200).optional();

const inviteSchema = z
  .strictObject({
    name: memberNameSchema,
    organization,
    role: roleShape.default("viewer"),
    serverOwner: z.literal(true).optional(),
  })
  .refine((sent) => (sent.organization === undefined) !== (sent.serverOwner === undefined), ONE_OF)
  .meta({ id: "NewMember" });

const changeSchema = z
  .strictObject({
    organization,
    /** Null takes the role away. */
    role: roleShape.nullable().optional(),
    serverOwner: z.boolean().optional(),
  })
  .refine((sent) => (sent.organization === undefined) !== (sent.serverOwner === undefined), ONE_OF)
  .refine((sent) => (sent.organization === undefined) === (sent.role === undefined), {
    path: ["role"],
    message: "goes with organization: owner, viewer, or null for none",
  })
  .meta({ id: "MemberChange" });

type MemberOptions = Pick<AdminOptions, "sites" | "members" | "linkTo">;

/** Members: owners of the server manage all, those of an organization its own. */
export function memberOperations(options: MemberOptions, guards: AdminGuards): Operation[] {
  return [
    listMembers(options, guards),
    inviteMember(options, guards),
    changeMember(options, guards),
    removeMember(options, guards),
    createMemberLink(options, guards),
  ];
}

const listMembers = ({ members }: MemberOptions, guards: AdminGuards): Operation =>
  adminOperation({
    id: "listMembers",
    method: "GET",
    path: "/v1/admin/members",
    tag: "Admin: members",
    guard: guards.reads,
    summary: "List the members",
    replies: gives(200, "Those of the organizations that are open to who asks.", z.array(memberShape)),
    async run({ admin }) {
      checkKindOfAdmin(admin);
      const all = (await members.list()).map((member) => seenBy(admin, member));
      return reply(all.filter((member) => member !== undefined).map(memberJson));
    },
  });

const inviteMember = ({ sites, members, linkTo }: MemberOptions, guards: AdminGuards): Operation =>
  adminOperation({
    id: "inviteMember",
    method: "POST",
    path: "/v1/admin/members",
    tag: "Admin: members",
    guard: guards.writes,
    records: ["member.invited"],
    summary: "Invite a member",
    description: "The link is told this once. It is used once, to choose a password.",
    example: { name: "Grace", organization: "default", role: "viewer" },
    replies: gives(201, "The member, with the link to hand over.", newMemberShape),
    errors: ["not_found"],
    body: inviteSchema,
    async run({ admin, record, body }) {
      checkKindOfAdmin(admin);
      const { name, organization: named, role } = await body();
      if (named === undefined) checkServer(admin);
      const belonging: Belonging =
        named === undefined
          ? { serverOwner: true }
          : { organizationId: (await managedOrganization(sites, admin, named)).id, role };
      const { member, link } = await members.invite(name, belonging);
      const details = { role: named === undefined ? "server-owner" : role } as const;
      await record({ kind: "member.invited", ...aboutMember(member), details });
      return reply({ member: show(admin, member), ...linkJson(linkTo, link) }, { status: 201 });
    },
  });

const changeMember = ({ sites, members }: MemberOptions, guards: AdminGuards): Operation =>
  adminOperation({
    id: "changeMember",
    method: "PATCH",
    path: "/v1/admin/members/:id",
    tag: "Admin: members",
    guard: guards.writes,
    records: ["member.role-changed"],
    summary: "Change what a member may do",
    description:
      "`organization` with `role`, null for none; or `serverOwner`. Nobody is left without any: they are removed instead.",
    example: { organization: "default", role: "owner" },
    replies: gives(200, "The member as they are now.", memberShape),
    body: changeSchema,
    async run({ admin, record, param, body }) {
      const { id } = await seenMember(members, admin, param("id"));
      const { organization: named, role, serverOwner } = await body();
      if (serverOwner !== undefined) {
        checkServer(admin);
        const changed = await members.setServerOwner(id, serverOwner);
        const details = { role: serverOwner ? "server-owner" : "none" } as const;
        await record({ kind: "member.role-changed", ...aboutMember(changed), details });
        return reply(show(admin, changed));
      }
      const { id: organizationId } = await managedOrganization(sites, admin, named);
      const changed = await members.setRole(id, organizationId, role ?? undefined);
      // A role in one organization is no affair of another one's owners.
      const about = { ...aboutMember(changed), organizationIds: [organizationId] };
      await record({ kind: "member.role-changed", ...about, details: { role: role ?? "none" } });
      return reply(show(admin, changed));
    },
  });

const removeMember = ({ members }: MemberOptions, guards: AdminGuards): Operation =>
  adminOperation({
    id: "removeMember",
    method: "DELETE",
    path: "/v1/admin/members/:id",
    tag: "Admin: members",
    guard: guards.writes,
    records: ["member.removed"],
    summary: "Remove a member",
    replies: gives(204, "They are signed out everywhere, and gone."),
    async run({ admin, record, param }) {
      const member = await seenMember(members, admin, param("id"));
      checkWhole(admin, member);
      await members.remove(member.id);
      await record({ kind: "member.removed", ...aboutMember(member) });
      return done();
    },
  });

const createMemberLink = ({ members, linkTo }: MemberOptions, guards: AdminGuards): Operation =>
  adminOperation({
    id: "createMemberLink",
    method: "POST",
    path: "/v1/admin/members/:id/link",
    tag: "Admin: members",
    guard: guards.writes,
    records: ["member.link-made"],
    summary: "Make a link to choose a new password",
    description: "For a lost password, or a lost invitation. The link before it ends.",
    replies: gives(201, "The link to hand over. It is told this once.", memberLinkShape),
    async run({ admin, record, param }) {
      const member = await seenMember(members, admin, param("id"));
      checkWhole(admin, member);
      const link = await members.link(member.id);
      await record({ kind: "member.link-made", ...aboutMember(member) });
      return reply(linkJson(linkTo, link), { status: 201 });
    },
  });

/** The member of that id. Whoever an admin does not see is not there. */
async function seenMember(members: MemberOptions["members"], admin: Admin, id: string): Promise<Member> {
  checkKindOfAdmin(admin);
  const member = (await members.list()).find((each) => each.id === id);
  if (member && seenBy(admin, member)) return member;
  notFound();
}

const show = (admin: Admin, member: Member) => memberJson(seenBy(admin, member) ?? { ...member, roles: [] });

const linkJson = (linkTo: MemberOptions["linkTo"], { text, expiresAt }: NewLink) => ({
  link: linkTo(text),
  expiresAt: new Date(expiresAt).toISOString(),
});

/** Raises `forbidden` for an organization's admin key: a program must not let people in. */
function checkKindOfAdmin({ kind, isServer }: Admin): void {
  if (kind === "key" && !isServer)
    throw new AppError("forbidden", "This needs an admin key of the server: this key is an organization's.");
}

/** A member with those roles that an admin may see; undefined where there are none. */
function seenBy({ isServer, sees }: Admin, member: Member): Member | undefined {
  if (isServer) return member;
  const roles = member.roles.filter(({ organizationId }) => sees(organizationId));
  return roles.length === 0 ? undefined : { ...member, roles };
}

/** Raises `forbidden` unless the admin may take away every role that a member has. */
function checkWhole({ isServer, mayChange }: Admin, { name, isServerOwner, roles }: Member): void {
  if (isServer || (!isServerOwner && roles.every(({ organizationId }) => mayChange(organizationId)))) return;
  throw new AppError(
    "forbidden",
    `${name} belongs elsewhere on this server too: you may change their role in your organization, and no more.`,
  );
}

/** Raises `forbidden` unless the admin is an owner, or a key, of the server. */
function checkServer({ isServer }: Admin): void {
  if (!isServer) throw new AppError("forbidden", "serverOwner: This is for owners of the server.");
}
