import { AppError } from "@docent/kernel/errors";
import { aboutMember } from "@docent/people/audit/audit";
import { memberJson, type Role } from "@docent/people/members/member";
import { signInLink } from "@docent/running/app/addresses";
import { JSON_SCHEMAS } from "@docent/running/app/json-schemas";
import type { Parts } from "@docent/running/app/parts";
import { publicUrlHere } from "@docent/running/app/served-address";
import { z } from "zod";
import { type Command, type Context, textOption, word } from "../command.ts";
import { printJson, printRows, showTime } from "../output.ts";
import { INVITING, OPENING } from "../read-settings.ts";

const ROLES: readonly Role[] = ["owner", "viewer"];
type MemberLink = Awaited<ReturnType<Parts["people"]["members"]["link"]>>;

export const membersList: Command = {
  words: [0, 0],
  json: { shape: z.array(JSON_SCHEMAS.member) },
  async run(context) {
    const { people } = await context.openParts();
    const names = new Map((await people.sites.listOrganizations()).map(({ id, name }) => [id, name]));
    printRows(
      context,
      (await people.members.list()).map(memberJson),
      {
        NAME: ({ name }) => name,
        ROLES: ({ isServerOwner, roles }) =>
          [
            ...(isServerOwner ? ["owner of the server"] : []),
            ...roles.map(
              ({ organizationId, role }) => `${role} of ${names.get(organizationId) ?? organizationId}`,
            ),
          ].join(", "),
        STATE: ({ state, provider }) => (provider === null ? state : `by ${provider}`),
        "LAST SEEN": ({ lastSeenAt }) => (lastSeenAt === null ? "never" : showTime(Date.parse(lastSeenAt))),
        ID: ({ id }) => id,
      },
      "There are no members. Start the server: it prints a link for the first one.",
    );
  },
};

export const membersInvite: Command = {
  begins: true,
  words: [1, 1],
  settings: INVITING,
  json: { shape: z.lazy(() => JSON_SCHEMAS.member.unwrap().extend(JSON_SCHEMAS.memberLink.unwrap().shape)) },
  options: {
    organization: { type: "string" },
    role: { type: "string" },
    "server-owner": { type: "boolean" },
  },
  optionHelp: {
    organization: "the organization they belong to; the first one otherwise",
    role: "owner changes things, viewer only looks; viewer otherwise",
    "server-owner": "they manage every organization, and the server",
  },
  async run(context) {
    const parts = await context.openParts();
    const belongs = await belonging(context, parts);
    const { member, link } = await parts.people.members.invite(word(context, 0), belongs);
    const details = { role: "role" in belongs ? belongs.role : "server-owner" } as const;
    await context.record({ kind: "member.invited", ...aboutMember(member), details });
    if (context.options["json"] !== true) return printLink(context, link);
    return printJson(context, { ...memberJson(member), ...linkJson(context, link) });
  },
};

export const membersLink: Command = {
  words: [1, 1],
  settings: INVITING,
  json: { shape: JSON_SCHEMAS.memberLink },
  async run(context) {
    const parts = await context.openParts();
    const member = await parts.people.members.named(word(context, 0));
    const link = await parts.people.members.link(member.id);
    await context.record({ kind: "member.link-made", ...aboutMember(member) });
    if (context.options["json"] !== true) return printLink(context, link);
    return printJson(context, linkJson(context, link));
  },
};

export const membersRemove: Command = {
  words: [1, 1],
  settings: OPENING,
  json: { shape: z.object({ id: z.string(), name: z.string() }) },
  async run(context) {
    const { people } = await context.openParts();
    const member = await people.members.named(word(context, 0));
    const { id, name } = member;
    await people.members.remove(id);
    await context.record({ kind: "member.removed", ...aboutMember(member) });
    if (context.options["json"]) return printJson(context, { id, name });
    context.terminal.out(`Removed ${name}.\n`);
  },
};

async function belonging(context: Context, { people }: Parts) {
  const named = textOption(context, "organization");
  const given = textOption(context, "role");
  if (context.options["server-owner"] === true) {
    if (named === undefined && given === undefined) return { serverOwner: true } as const;
    throw new AppError("invalid_request", "An owner of the server needs no organization and no role.");
  }
  const role = ROLES.find((each) => each === (given ?? "viewer"));
  if (role === undefined) throw new AppError("invalid_request", `--role is owner or viewer, not ${given}.`);
  return { organizationId: (await people.sites.organization(named)).id, role };
}

function linkJson({ surroundings }: Context, { text, expiresAt }: MemberLink) {
  return {
    link: signInLink(publicUrlHere(surroundings.config), text),
    expiresAt: new Date(expiresAt).toISOString(),
  };
}

function printLink(context: Context, link: MemberLink): undefined {
  context.terminal.out(`${linkJson(context, link).link}\n`);
  context.terminal.err(`Hand it over safely: it works once, until ${showTime(link.expiresAt)} UTC.\n`);
}
