import { AppError } from "../../../../src/kernel/errors.ts";
import type {
  ServerAccess,
  ServerReply,
  ServerRequest,
} from "../../../../src/reading/connectors/connectors.ts";

type Reply = unknown | ((request: ServerRequest) => unknown);

/** A server that answers with what is in a table, by path and query; with 404 to everything else. */
export function answering(replies: Readonly<Record<string, Reply>>): ServerAccess & { asked: string[] } {
  const asked: string[] = [];
  async function ask(address: string | URL, request: ServerRequest = {}): Promise<ServerReply> {
    const url = new URL(address);
    asked.push(url.pathname + url.search);
    const reply = replies[url.pathname + url.search] ?? replies[url.pathname];
    if (reply === 401) throw new AppError("forbidden", `${url.href} could not be read.`);
    const value = typeof reply === "function" ? reply(request) : reply;
    return {
      status: value === undefined ? 404 : 200,
      url: url.href,
      headers: new Headers(),
      body: new TextEncoder().encode(JSON.stringify(value ?? {})),
    };
  }
  return {
    asked,
    ask,
    keepApart: () => {},
    async json(address, schema, request) {
      const { status, body } = await ask(address, request);
      if (status === 404) throw new AppError("not_found", `There is nothing at ${address}.`);
      return schema.parse(JSON.parse(new TextDecoder().decode(body)));
    },
  };
}
