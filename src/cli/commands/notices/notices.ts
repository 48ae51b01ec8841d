import { AppError } from "@docent/kernel/errors";
import { aboutDestination } from "@docent/people/audit/audit";
import { JSON_SCHEMAS } from "@docent/running/app/json-schemas";
import { publicUrlHere } from "@docent/running/app/served-address";
import { presentNotices } from "@docent/running/upkeep/present-notices";
import {
  isOfServer,
  isOnRequest,
  NOTICE_CHANNELS,
  NOTICE_KINDS,
  type NoticeChannel,
  type NoticeKind,
  noticeDestinationJson,
  PULLED_WHILE_SEALED,
} from "@docent/sites/notices/notices";
import { z } from "zod";
import { type Command, type Context, textOption, textsOption, word } from "../../command.ts";
import { printJson, printNote, printRows, showTime } from "../../output.ts";
import { SENDING } from "../../read-settings.ts";

export const noticesList: Command = {
  words: [0, 0],
  json: { shape: z.array(JSON_SCHEMAS.noticeDestination) },
  async run(context) {
    const { people, notices } = await context.openParts();
    const names = new Map((await people.sites.listOrganizations()).map(({ id, name }) => [id, name]));
    printRows(
      context,
      (await notices.list()).map(noticeDestinationJson),
      {
        NAME: ({ name }) => name,
        TO: ({ channel, leadsTo }) => `${channel} ${leadsTo}`,
        OF: ({ organizationId }) =>
          organizationId === null ? "the server" : (names.get(organizationId) ?? organizationId),
        ID: ({ id }) => id,
        LAST: ({ last, fault }) =>
          fault ??
          (last
            ? `${last.sent ? "sent" : "failed"} ${showTime(Date.parse(last.at ?? ""))}: ${last.says}`
            : "-"),
        WAITING: ({ waiting }) => String(waiting),
        "GIVEN UP": ({ givenUp }) => String(givenUp),
        KINDS: ({ kinds }) => kinds.join(", ") || "none",
      },
      isSealed(context)
        ? "There are no destinations."
        : "There are no destinations. Add one: docent notices add <name> mail <address> --kind source-failing",
    );
    if (isSealed(context)) printNote(context, `A sealed Docent sends none. ${PULLED_WHILE_SEALED}`);
  },
};

export const noticesAdd: Command = {
  begins: true,
  words: [3, 3],
  settings: SENDING,
  json: { shape: JSON_SCHEMAS.newNoticeDestination },
  options: {
    kind: { type: "string", multiple: true },
    organization: { type: "string" },
    server: { type: "boolean" },
  },
  optionHelp: {
    kind: `what it is told of: ${NOTICE_KINDS.join(", ")}; may be repeated. Without it: all that it may be told of, but for generation-report`,
    organization: "the organization that it is for; the first one otherwise",
    server: "it is the server's own: it is told of every organization, of the disk and of backups",
  },
  async run(context) {
    const { people, notices } = await context.openParts();
    const isServer = context.options["server"] === true;
    const named = textOption(context, "organization");
    if (isServer && named !== undefined)
      throw new AppError("invalid_request", "It is for the server or for an organization, not for both.");
    const organizationId = isServer ? undefined : (await people.sites.organization(named)).id;
    const added = await notices.add({
      organizationId,
      name: word(context, 0),
      channel: channelOf(word(context, 1)),
      address: word(context, 2),
      kinds: kindsOf(textsOption(context, "kind"), { isServer }),
    });
    await context.record({ kind: "notice-destination.added", ...aboutDestination(added) });
    if (context.options["json"] === true) {
      const shown = noticeDestinationJson({
        ...added,
        waiting: 0,
        givenUp: 0,
        last: undefined,
        fault: undefined,
      });
      return printJson(context, { ...shown, secret: added.secret ?? null });
    }
    context.terminal.out(`Added. Send a sample: docent notices try ${added.id}\n`);
    if (added.secret !== undefined) {
      context.terminal.out(`${added.secret}\n`);
      context.terminal.err("Notices are signed with it. Keep it now: it cannot be shown again.\n");
    }
    return undefined;
  },
};

export const noticesSet: Command = {
  words: [1, 1],
  settings: SENDING,
  json: { shape: JSON_SCHEMAS.noticeDestination },
  options: { name: { type: "string" }, kind: { type: "string", multiple: true } },
  optionHelp: {
    name: "what it is called",
    kind: `what it is told of: ${NOTICE_KINDS.join(", ")}; may be repeated. none: it is told of nothing`,
  },
  async run(context) {
    const { notices } = await context.openParts();
    const found = await notices.find(word(context, 0));
    const given = textsOption(context, "kind");
    if (given === undefined && textOption(context, "name") === undefined)
      throw new AppError("invalid_request", `Nothing was named that could be changed of ${found.name}.`, {
        hint: "Name it with --name, --kind or both.",
      });
    const name = textOption(context, "name")?.trim() ?? found.name;
    if (name === "") throw new AppError("invalid_request", "name: must not be empty.");
    const kinds =
      given === undefined ? found.kinds : kindsOf(given.join() === "none" ? [] : given, { isServer: true });
    const changed = await notices.change(found.id, { name, kinds });
    await context.record({ kind: "notice-destination.changed", ...aboutDestination(changed) });
    if (context.options["json"] === true) {
      const shown = (await notices.list()).find(({ id }) => id === found.id);
      return printJson(context, shown && noticeDestinationJson(shown));
    }
    context.terminal.out(`${changed.name} is told of: ${changed.kinds.join(", ") || "nothing"}.\n`);
    return undefined;
  },
};

export const noticesRemove: Command = {
  words: [1, 1],
  settings: SENDING,
  json: { shape: z.object({ removed: z.string() }) },
  async run(context) {
    const { notices } = await context.openParts();
    const found = await notices.find(word(context, 0));
    await notices.remove(found.id);
    await context.record({ kind: "notice-destination.removed", ...aboutDestination(found) });
    if (context.options["json"] === true) return printJson(context, { removed: found.id });
    context.terminal.out(`Removed ${found.name}.\n`);
    return undefined;
  },
};

export const noticesTry: Command = {
  words: [1, 1],
  json: { shape: JSON_SCHEMAS.triedNotice },
  async run(context: Context) {
    const { notices } = await context.openParts();
    const { isSent, says } = await notices.try(word(context, 0), context.signal);
    if (context.options["json"] === true) printJson(context, { sent: isSent, says });
    else context.terminal.out(`${isSent ? "Sent" : "Not sent"}: ${says}.\n`);
    if (!isSent && isSealed(context)) printNote(context, PULLED_WHILE_SEALED);
    return isSent ? 0 : 1;
  },
};

/** For a program that asks, where none may be told. */
export const noticesNow: Command = {
  words: [0, 0],
  json: { shape: JSON_SCHEMAS.presentNotices },
  async run(context) {
    const { surroundings, signal, terminal } = context;
    const { config, clock, log } = surroundings;
    const parts = await context.openParts();
    const found = await presentNotices(
      { parts, directory: config.data, publicUrl: publicUrlHere(config), clock, log },
      { isServer: true, sees: () => true, isSealed: config.sealed === "on" },
      signal,
    );
    if (context.options["json"] === true) printJson(context, found);
    else if (found.wrong.length === 0) terminal.out("Nothing is wrong.\n");
    else
      terminal.out(
        found.wrong
          .map(({ kind, title, text, url }) => `${kind}: ${title}\n${indented(text, url)}\n`)
          .join("\n"),
      );
    return found.wrong.length === 0 ? 0 : 1;
  },
};

const indented = (text: string, url: string | null) =>
  [...text.split("\n"), ...(url === null ? [] : [url])].map((line) => `  ${line}`).join("\n");

const isSealed = ({ surroundings }: Context) => surroundings.config.sealed === "on";

function channelOf(given: string): NoticeChannel {
  const found = NOTICE_CHANNELS.find((each) => each === given);
  if (found !== undefined) return found;
  throw new AppError("invalid_request", `There is no channel ${given}.`, {
    hint: `Channels: ${NOTICE_CHANNELS.join(", ")}.`,
  });
}

function kindsOf(given: readonly string[] | undefined, { isServer }: { isServer: boolean }): NoticeKind[] {
  if (given === undefined)
    return NOTICE_KINDS.filter((kind) => !isOnRequest(kind) && (isServer || !isOfServer(kind)));
  return given.map((each) => {
    const found = NOTICE_KINDS.find((kind) => kind === each);
    if (found !== undefined) return found;
    throw new AppError("invalid_request", `There are no notices of the kind ${each}.`, {
      hint: `Kinds: ${NOTICE_KINDS.join(", ")}.`,
    });
  });
}
