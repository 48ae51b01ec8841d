import { dirname } from "node:path";
import type { ChatInit, ChatTransport, UIMessage } from "ai";
import type { UseChatHelpers } from "ai7-react";
import { until } from "./until.ts";

// The real `useChat` of the AI SDK v5 and later with its transport, in a page.

/**
 * Installed releases of `@ai-sdk/react`, each with the version of `ai` that belongs to it. The first release of each
 * version is strict: a key that it does not know, or a null, makes an error of a whole answer.
 */
export const RELEASES: [react: string, version: string][] = [
  ["ai5-react-first", "5.0.0"],
  ["ai5-react", "5.0.277"],
  ["ai6-react-first", "6.0.0"],
  ["ai6-react", "6.0.323"],
  ["ai7-react-first", "7.0.0"],
  ["ai7-react", "7.0.173"],
];

/** What is used here of the hook is the same in all releases. */
export type Chat = Pick<
  UseChatHelpers<UIMessage>,
  "messages" | "status" | "error" | "sendMessage" | "regenerate" | "stop" | "resumeStream"
>;

/** A release of the client. */
export interface Release {
  /** Of `ai`. */
  version: string;
  useChat(options: ChatInit<UIMessage> & { resume?: boolean }): Chat;
  DefaultChatTransport: new (options: {
    api: string;
    headers: Record<string, string>;
    body: Record<string, unknown>;
    fetch?: () => Promise<Response>;
    prepareSendMessagesRequest?: PrepareRequest;
  }) => ChatTransport<UIMessage>;
}

/** The release under which `@ai-sdk/react` is installed by that name, with the `ai` that belongs to it. */
export async function loadRelease(react: string): Promise<Release> {
  const entry = Bun.resolveSync(react, import.meta.dir);
  const ai = Bun.resolveSync("ai", dirname(entry));
  const manifest = Bun.resolveSync("ai/package.json", dirname(entry));
  const { useChat } = await import(entry);
  const { DefaultChatTransport } = await import(ai);
  const { version } = await import(manifest);
  return { version, useChat, DefaultChatTransport };
}

/** Makes the body that is sent, in place of the one with all messages. */
type PrepareRequest = (asked: {
  id: string;
  messages: UIMessage[];
  body: Record<string, unknown> | undefined;
}) => { body: Record<string, unknown> };

/** Where the page asks, and what is special about its chat. */
export interface ChatAddress {
  api: string;
  key: string;
  body?: Record<string, unknown>;
  options?: { id?: string; messages?: UIMessage[]; resume?: boolean };
  prepareSendMessagesRequest?: PrepareRequest;
}

/** A chat in a page. */
export interface MountedChat {
  /** The hook's latest value. */
  chat(): Chat;
  errors: Error[];
  finished: unknown[];
  /** What `onData` was told. */
  data: unknown[];
  /** Waits until the newest reply is there, and gives it. */
  answered(messages: number): Promise<UIMessage>;
  unmount(): void;
}

/** A component that does nothing but use the hook. */
function Page(props: {
  release: Release;
  options: ChatInit<UIMessage> & { resume?: boolean };
  onValue: (chat: Chat) => void;
}) {
  props.onValue(props.release.useChat(props.options));
  return null;
}

/** Puts a chat into the page, set up as the docs say, and nothing more. */
export async function mountChat(
  release: Release,
  { api, key, body, options: own, prepareSendMessagesRequest }: ChatAddress,
): Promise<MountedChat> {
  const { createElement } = await import("react");
  const { createRoot } = await import("react-dom/client");
  const errors: Error[] = [];
  const finished: unknown[] = [];
  const data: unknown[] = [];
  let latest: Chat | undefined;
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  const options = {
    transport: new release.DefaultChatTransport({
      api,
      headers: { Authorization: `Bearer ${key}` },
      body: { fp: "anonymous", retrievalPageSize: 5, ...body },
      ...(prepareSendMessagesRequest ? { prepareSendMessagesRequest } : {}),
    }),
    ...own,
    onError: (error: Error) => void errors.push(error),
    onFinish: (event: unknown) => void finished.push(event),
    onData: (part: unknown) => void data.push(part),
  };
  root.render(
    createElement(Page, {
      release,
      options,
      onValue: (chat) => {
        latest = chat;
      },
    }),
  );
  const chat = () => {
    if (!latest) throw new Error("the chat is not mounted");
    return latest;
  };
  await until(() => latest !== undefined);
  return {
    chat,
    errors,
    finished,
    data,
    async answered(messages) {
      await until(
        () => errors.length > 0 || (chat().status === "ready" && chat().messages.length === messages),
      );
      const last = chat().messages.at(-1);
      if (errors.length > 0 || !last) throw new Error(`no answer: ${errors}`);
      return last;
    },
    unmount: () => root.unmount(),
  };
}

/** The text of a message, as an app shows it. */
export function textOfMessage(message: UIMessage | undefined): string {
  return (message?.parts ?? []).map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** A file as an app attaches it. */
export function fileOf(mediaType: string, url: string, filename?: string) {
  return { type: "file" as const, mediaType, url, ...(filename === undefined ? {} : { filename }) };
}
