import { AppError } from "@docent/kernel/errors";
import { aboutDestination } from "@docent/people/audit/audit";
import type { Admin } from "@docent/people/keys/admin-keys";
import { type NoticeDestination, noticeDestinationJson } from "@docent/sites/notices/notices";
import { z } from "zod";
import { done, gives, type Operation, reply } from "../../operation.ts";
import { storableText } from "../../request/fields.ts";
import type { AdminOptions } from "../admin.ts";
import { type AdminGuards, adminOperation, mayOnlyRead } from "../guard.ts";
import { managedOrganization } from "../organizations.ts";
import {
  newNoticeDestinationShape,
  noticeChannelSchema,
  noticeDestinationShape,
  noticeKindSchema,
  presentNoticesShape,
  triedNoticeShape,
} from "./shapes.ts";

const NAME_CHARACTERS_MAX = 200;
const ADDRESS_CHARACTERS_MAX = 2000;

const name = z
  .string()
  .max(NAME_CHARACTERS_MAX)
  .transform(storableText)
  .pipe(z.string().trim().min(1, "must not be empty"));
const kinds = z.array(noticeKindSchema).max(20);

const newSchema = z
  .strictObject({
    name,
    channel: noticeChannelSchema,
    address: z.string().trim().min(1).max(ADDRESS_CHARACTERS_MAX),
    kinds,
    /** Whose it is: the first organization of whoever asks, unless it is named. */
    organization: z.string().max(200).optional(),
    /** It is the server's own, and is told of every organization. */
    server: z.literal(true).optional(),
  })
  .refine(({ organization, server }) => organization === undefined || server === undefined, {
    path: ["organization"],
    message: "name an organization, or send server: true, and not both",
  })
  .meta({ id: "NoticeDestinationInput" });
const changeSchema = z
  .strictObject({ name: name.optional(), kinds: kinds.optional() })
  .meta({ id: "NoticeDestinationChange" });

const NOTICES = "/v1/admin/notices";
const TAG = "Admin: notices";

type NoticeOptions = Pick<AdminOptions, "notices" | "sites" | "presentNotices">;

/** What is wrong at the moment. */
export type PresentNotices = z.output<typeof presentNoticesShape>;

/** Where people are told of what needs them. */
export function noticeOperations(options: NoticeOptions, guards: AdminGuards): Operation[] {
  return [
    listDestinations(options, guards),
    addDestination(options, guards),
    changeDestination(options, guards),
    removeDestination(options, guards),
    tryDestination(options, guards),
    showPresent(options, guards),
  ];
}

const listDestinations = ({ notices }: NoticeOptions, guards: AdminGuards): Operation =>
  adminOperation({
    id: "listNoticeDestinations",
    method: "GET",
    path: NOTICES,
    tag: TAG,
    guard: guards.reads,
    summary: "List where notices go",
    replies: gives(200, "The destinations that are open to who asks.", z.array(noticeDestinationShape)),
    run: async ({ admin }) =>
      reply((await notices.list()).filter((each) => isSeen(admin, each)).map(noticeDestinationJson)),
  });

const addDestination = ({ notices, sites }: NoticeOptions, guards: AdminGuards): Operation =>
  adminOperation({
    id: "addNoticeDestination",
    method: "POST",
    path: NOTICES,
    tag: TAG,
    guard: guards.writes,
    records: ["notice-destination.added"],
    summary: "Add a destination for notices",
    description:
      "Webhooks and chats are on hosts that `hand_over_hosts` names, and mails go by `mail_server`. An organization is told of its own sites; only the server's own destinations are told of the server.",
    body: newSchema,
    example: {
      name: "On call",
      channel: "mail",
      address: "docs@example.com",
      kinds: ["source-failing", "answer-stale"],
    },
    errors: ["not_found", "too_large"],
    replies: gives(201, "The destination, with what its webhook is signed with.", newNoticeDestinationShape),
    async run({ admin, record, body }) {
      const { organization, server, ...input } = await body();
      if (server && !admin.isServer)
        throw new AppError("forbidden", "Destinations of the server are for its own owners and keys.");
      const organizationId = server ? undefined : (await managedOrganization(sites, admin, organization)).id;
      const added = await notices.add({ ...input, organizationId });
      await record({ kind: "notice-destination.added", ...aboutDestination(added) });
      const shown = { ...(await shownOf(notices, added.id)), secret: added.secret ?? null };
      return reply(shown, { status: 201 });
    },
  });

const changeDestination = ({ notices }: NoticeOptions, guards: AdminGuards): Operation =>
  adminOperation({
    id: "changeNoticeDestination",
    method: "PATCH",
    path: `${NOTICES}/:id`,
    tag: TAG,
    guard: guards.writes,
    records: ["notice-destination.changed"],
    summary: "Change the name of a destination, or what it is told of",
    body: changeSchema,
    example: { kinds: ["source-failing"] },
    replies: gives(200, "The destination as it is now.", noticeDestinationShape),
    async run({ admin, record, param, body }) {
      const found = await managedDestination(notices, admin, param("id"));
      const { name = found.name, kinds = found.kinds } = await body();
      const changed = await notices.change(found.id, { name, kinds });
      await record({ kind: "notice-destination.changed", ...aboutDestination(changed) });
      return reply(await shownOf(notices, found.id));
    },
  });

const removeDestination = ({ notices }: NoticeOptions, guards: AdminGuards): Operation =>
  adminOperation({
    id: "removeNoticeDestination",
    method: "DELETE",
    path: `${NOTICES}/:id`,
    tag: TAG,
    guard: guards.writes,
    records: ["notice-destination.removed"],
    summary: "Remove a destination, with what is still to be sent there",
    replies: { 204: { description: "It is removed." } },
    async run({ admin, record, param }) {
      const found = await managedDestination(notices, admin, param("id"));
      await notices.remove(found.id);
      await record({ kind: "notice-destination.removed", ...aboutDestination(found) });
      return done();
    },
  });

const tryDestination = ({ notices }: NoticeOptions, guards: AdminGuards): Operation =>
  adminOperation({
    id: "tryNoticeDestination",
    method: "POST",
    path: `${NOTICES}/:id/try`,
    tag: TAG,
    guard: guards.writes,
    summary: "Send a sample, and see what comes back",
    replies: gives(200, "What came of it: that it failed is no error of this request.", triedNoticeShape),
    async run({ admin, param, signal }) {
      const { id } = await managedDestination(notices, admin, param("id"));
      const { isSent, says } = await notices.try(id, signal);
      return reply({ sent: isSent, says });
    },
  });

const showPresent = ({ presentNotices }: NoticeOptions, guards: AdminGuards): Operation =>
  adminOperation({
    id: "getPresentNotices",
    method: "GET",
    path: "/v1/admin/wrong-now",
    tag: TAG,
    guard: guards.reads,
    summary: "Show what is wrong now, for a program that asks",
    description:
      "It is looked for when it is asked, whether or not there is a destination: a server that is sealed, and sends nothing, says it here.",
    replies: gives(
      200,
      "What is wrong at sites that are open to who asks, and at the server.",
      presentNoticesShape,
    ),
    run: async ({ admin, signal }) => reply(await presentNotices(admin, signal)),
  });

const isSeen = (admin: Admin, { organizationId }: Pick<NoticeDestination, "organizationId">) =>
  organizationId === undefined ? admin.isServer : admin.sees(organizationId);

/** One that is not seen is not there. Raises `forbidden` for one that may only be read. */
async function managedDestination(
  notices: NoticeOptions["notices"],
  admin: Admin,
  id: string,
): Promise<NoticeDestination> {
  const found = (await notices.list()).find((each) => each.id === id);
  if (!found || !isSeen(admin, found)) throw new AppError("not_found", "Not found");
  if (found.organizationId !== undefined && !admin.manages(found.organizationId)) throw mayOnlyRead(admin);
  return found;
}

async function shownOf(notices: NoticeOptions["notices"], id: string) {
  const found = (await notices.list()).find((each) => each.id === id);
  // Another owner may have removed it a moment ago.
  if (!found) throw new AppError("not_found", "Not found");
  return noticeDestinationJson(found);
}
