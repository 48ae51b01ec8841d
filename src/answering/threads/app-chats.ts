import { createHmac } from "node:crypto";
import { countedAddress } from "@docent/kernel/lib/address";
import { ANONYMOUS } from "./names.ts";

/** The chat that an app says a question is asked in, and whose it is. */
export interface ChatOfApp {
  chatId: string;
  siteId: number;
  /** Undefined where no key was asked for. */
  keyId: string | undefined;
  /** The reader for whom somebody vouches. */
  readerId: string | undefined;
  fp: string;
  address: string;
}

/** Names chats of apps. */
export interface AppChats {
  /** The name of one chat of one reader, from which nobody can tell which chat and whose it is; undefined where it may be several readers'. */
  nameOf(chat: ChatOfApp): string | undefined;
}

const ID_CHARACTERS_MIN = 16;

/**
 * Whether nobody finds that id out by trying, as far as its form tells: an app that writes one id into its pages uses words.
 * What clients draw mixes letters and digits, or capitals and small letters.
 */
function isHardToGuess(chatId: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/].filter((kind) => kind.test(chatId));
  return chatId.length >= ID_CHARACTERS_MIN && kinds.length > 1;
}

/** Names chats always alike, for as long as the secret is the same. */
export function createAppChats(secret: string): AppChats {
  return {
    nameOf(chat) {
      const reader = readerIn(chat);
      if (reader === undefined) return undefined;
      const parts = ["chat of an app", chat.siteId, chat.keyId ?? null, reader, chat.chatId];
      return createHmac("sha256", secret).update(JSON.stringify(parts)).digest("hex");
    },
  };
}

/** Whether a chat may be another reader's, as far as its id and the reader's name tell. An app that names nobody tells nothing. */
export const mayBeOthers = ({ chatId, fp = ANONYMOUS }: { chatId: string; fp: string | undefined }) =>
  fp === ANONYMOUS && !isHardToGuess(chatId);

/**
 * Whose chat it is. A reader for whom nobody vouches may be anyone who says so: then the chat's id has to be one that only
 * they know, or the address has to be theirs. Readers without a name are told apart by both.
 */
function readerIn(chat: ChatOfApp): string[] | undefined {
  const { chatId, readerId, fp, address } = chat;
  if (readerId !== undefined) return ["known", readerId];
  if (mayBeOthers(chat)) return undefined;
  const isNamed = fp !== ANONYMOUS && isHardToGuess(chatId);
  return isNamed ? ["fp", fp] : ["fp", fp, countedAddress(address)];
}
