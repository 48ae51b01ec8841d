import { counted } from "../kit/text/format-number.ts";
import type { NoticeDestination, TriedNotice } from "../replies.ts";
import { sentence } from "../text.ts";

export type NoticeKind = NoticeDestination["kinds"][number];
export type NoticeChannel = NoticeDestination["channel"];

interface KindWords {
  label: string;
  hint: string;
  /** Only the server's own destinations are told of it. */
  isOfServer?: true;
  /** Whether it is told of with every change, and so to nobody who has not asked for it. */
  isOnRequest?: true;
}

/** What somebody can be told of, in the order in which it is offered. */
export const KIND_WORDS: Readonly<Record<NoticeKind, KindWords>> = {
  "source-failing": {
    label: "A source fails",
    hint: "It cannot be read, or only in part. Told again when it is well.",
  },
  "golden-worse": {
    label: "Golden questions get worse",
    hint: "A new generation answers them worse than the one before it.",
  },
  "gaps-growing": {
    label: "More questions go unanswered",
    hint: "At least five in seven days, and twice those of the week before.",
  },
  "answer-stale": {
    label: "A curated answer may be out of date",
    hint: "Pages that it leads to have changed, or are gone.",
  },
  "generation-report": {
    label: "A generation changes something for readers",
    hint: "Of each one, what it changed. A webhook gets the whole report.",
    isOnRequest: true,
  },
  "disk-full": {
    label: "The disk is nearly full",
    hint: "Less than 1 GB is left for the data directory. When it is full, answers are not stored.",
    isOfServer: true,
  },
  "backup-failed": {
    label: "A scheduled backup fails",
    hint: "It failed, or is overdue.",
    isOfServer: true,
  },
};

/** The kinds that a destination can be told of, as they are offered. */
export const kindsFor = (isOfServer: boolean): NoticeKind[] =>
  NOTICE_KINDS.filter((kind) => isOfServer || KIND_WORDS[kind].isOfServer !== true);

/** The kinds that a new destination is told of, unless somebody chooses others. */
export const kindsAtFirst = (): NoticeKind[] =>
  NOTICE_KINDS.filter((kind) => KIND_WORDS[kind].isOnRequest !== true);

const isKind = (name: string): name is NoticeKind => Object.hasOwn(KIND_WORDS, name);
const NOTICE_KINDS = Object.keys(KIND_WORDS).filter(isKind);

interface ChannelWords {
  label: string;
  hint: string;
  /** What its address is called. */
  address: string;
  addressHint: string;
  placeholder: string;
}

const NAMED_HOST = "Its host is one that the server’s operator has named in hand_over_hosts.";

export const CHANNEL_WORDS: Readonly<Record<NoticeChannel, ChannelWords>> = {
  mail: {
    label: "E-mail",
    hint: "Plain text, by the server’s mail_server.",
    address: "E-mail address",
    addressHint: "Of a person, or of a list.",
    placeholder: "docs@example.com",
  },
  chat: {
    label: "Slack, Mattermost or Rocket.Chat",
    hint: "An incoming webhook, which the chat makes for one of its channels.",
    address: "Address of the incoming webhook",
    addressHint: NAMED_HOST,
    placeholder: "https://chat.example.com/hooks/…",
  },
  discord: {
    label: "Discord",
    hint: "A webhook, which Discord makes for one of its channels.",
    address: "Address of the webhook",
    addressHint: NAMED_HOST,
    placeholder: "https://discord.com/api/webhooks/…",
  },
  webhook: {
    label: "Webhook",
    hint: "JSON for a program of yours, signed.",
    address: "Address",
    addressHint: NAMED_HOST,
    placeholder: "https://ops.example.com/docent",
  },
};

/** Where a destination leads, with the channel before it. */
export const channelLabel = (channel: NoticeChannel) => CHANNEL_WORDS[channel].label;

/** What the other side says of a sample or of a notice, as a sentence. */
export function saidWords(says: string): string {
  const status = /^status (\d+)$/.exec(says)?.[1];
  return status === undefined ? sentence(says) : `The other side answered with status ${status}.`;
}

/** What to do about what the other side says, by what it says. The first that fits is told. */
const ADVICE: readonly (readonly [said: RegExp, advice: string])[] = [
  [/while Docent is sealed/, "What it would be told stands on this page, for a program inside to fetch."],
  [
    /^status 3/,
    "It sends on to another address, which Docent does not follow. Add the one that it leads to.",
  ],
  [
    /^status 40[13]\b/,
    "It does not let Docent in: the address may have been revoked there, or wants a sign-in.",
  ],
  [/^status 4(?:04|10)\b/, "There is nothing at this address any more. Make a new webhook there."],
  [/^status 429\b/, "It has been sent too much. Try again later."],
  [/^status 4/, "It does not take what it was sent. Is the channel the right one for this address?"],
  [/^status 5/, "It has a fault of its own. Its log says more."],
  [/^no answer in time/, "Is the host running, and does a firewall between let Docent through?"],
  [/ECONNREFUSED/, "Nothing listens there. Is it running, and is the port right?"],
  [/ENOTFOUND|EAI_AGAIN/, "The name of the host is not known here."],
  [
    /CERT|SIGNED|VERIFY/,
    "Its certificate is not trusted here: the operator can name its authority in certificate_authorities.",
  ],
  [/EPROTO/, "It does not speak TLS at this port. Does the address begin with http:// there?"],
  [/EAUTH/, "The mail server does not accept the name and password in mail_server."],
  [/^the mail server could not/, "Is it running, and is mail_server right?"],
  [/^the mail server refused/, "Is the address right, and may Docent send there?"],
  [/hand_over_hosts|mail_server|mail_from/, "The server’s operator can change this setting."],
];

/** What came of a sample. */
export function triedWords({ sent, says }: TriedNotice): { title: string; text: string } {
  const said = saidWords(says);
  if (sent) return { title: "The sample arrived.", text: said };
  const advice = ADVICE.find(([pattern]) => pattern.test(says))?.[1];
  return { title: "The sample did not arrive.", text: advice === undefined ? said : `${said} ${advice}` };
}

/** What is known of what was sent to a destination. */
interface DeliveryWords {
  tone: "quiet" | "warn" | "bad";
  /** What is said around the moment of the last try. */
  tried: { before: string; after: string } | undefined;
  sentences: string[];
}

type Delivery = Pick<NoticeDestination, "fault" | "last" | "waiting" | "givenUp">;

/** How it goes with what is sent to a destination. */
export function deliveryWords({ fault, last, waiting, givenUp }: Delivery): DeliveryWords {
  const isLost = last !== null && !last.sent;
  const isDisturbed = isLost || givenUp > 0;
  return {
    tone: fault !== null || isLost ? "bad" : isDisturbed ? "warn" : "quiet",
    tried: last === null ? undefined : last.sent ? ARRIVED : LOST,
    sentences: [
      last === null ? "Nothing was sent there yet." : saidWords(last.says),
      ...(waiting > 0 ? [`${waitingWords(waiting)} to be sent${isLost ? " again" : ""}.`] : []),
      ...(givenUp > 0 ? [givenUpWords(givenUp)] : []),
      ...(fault === null ? [] : [sentence(`Nothing can be sent there now: the address ${fault}`)]),
    ],
  };
}

const ARRIVED = { before: "The last notice arrived", after: "." };
const LOST = { before: "The last notice was tried", after: ", and could not be delivered." };
const waitingWords = (count: number) => `${counted(count, "notice")} ${count === 1 ? "waits" : "wait"}`;
const givenUpWords = (count: number) =>
  `${counted(count, "notice")} of the last 30 days could not be delivered, and ${count === 1 ? "was" : "were"} given up.`;

/** The page of this dashboard that a notice leads to: the server may be reached by another name here. */
export function placeOf(url: string | null): string | undefined {
  return url === null ? undefined : /\/(?:dashboard\/.+|server)$/.exec(new URL(url).pathname)?.[0];
}
