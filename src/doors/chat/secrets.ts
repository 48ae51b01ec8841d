import { AppError } from "@docent/kernel/errors";
import { CHAT_NAMES } from "./dialect.ts";

/** The settings it reads, under their own names. */
interface ChatSecretSettings {
  /** `site/chat=VARIABLE`. */
  chat_variables: readonly string[];
}

interface SecretReaders {
  environment: Readonly<Record<string, string | undefined>>;
  readFile(path: string): string;
}

/** What the chats of each site show that a post is theirs. */
export interface ChatSecrets {
  /** Several where one takes another's place, or several teams ask one site. */
  of(domain: string, chat: string): readonly string[];
}

const ENTRY = new RegExp(`^([a-z0-9.-]{1,63})/(${CHAT_NAMES.join("|")})=([A-Za-z_]\\w{0,199})$`);

/** Reads the secrets of chats from the variables that name them, or from their files. Raises `invalid_request`. */
export function readChatSecrets({ chat_variables }: ChatSecretSettings, readers: SecretReaders): ChatSecrets {
  const secrets = new Map<string, string[]>();
  for (const entry of chat_variables) {
    const [, domain = "", chat = "", variable = ""] = ENTRY.exec(entry) ?? [];
    if (variable === "")
      throw refused(
        `${entry} is not of the form site/chat=VARIABLE`,
        "Such as acme/slack=SLACK_SIGNING_SECRET.",
      );
    const place = `${domain}/${chat}`;
    secrets.set(place, [...(secrets.get(place) ?? []), readSecret(variable, readers)]);
  }
  return { of: (domain, chat) => secrets.get(`${domain}/${chat}`) ?? [] };
}

function readSecret(variable: string, { environment, readFile }: SecretReaders): string {
  const path = environment[`${variable}_FILE`];
  const secret = environment[variable]?.trim() || (path ? readSecretFile(variable, path, readFile) : "");
  if (secret === "")
    throw refused(
      `${variable} is not in the environment`,
      `Set ${variable}, or ${variable}_FILE to a file with it.`,
    );
  return secret;
}

function readSecretFile(variable: string, path: string, readFile: SecretReaders["readFile"]): string {
  try {
    return readFile(path).trim();
  } catch (cause) {
    throw refused(`${variable}_FILE: ${path} cannot be read`, "Name a file that Docent may read.", cause);
  }
}

const refused = (fault: string, hint: string, cause?: unknown) =>
  new AppError("invalid_request", `chat_variables: ${fault}.`, { hint, cause });
