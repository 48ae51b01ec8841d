import { AppError } from "@docent/kernel/errors";
import { z } from "zod";
import type { ServerAccess } from "../connector.ts";
import { orRefusal } from "../refusal.ts";
import { webAddress } from "../said.ts";

/** Outline's API: every question is a POST. */
export interface OutlineApi {
  ask<T>(method: string, body: Readonly<Record<string, unknown>>, data: z.ZodType<T>): Promise<T>;
  /** A list, until it is over or longer than `itemsMax`. */
  list<T extends Identified>(
    method: string,
    item: z.ZodType<T>,
    options: { body?: Readonly<Record<string, unknown>>; itemsMax: number },
  ): Promise<T[]>;
}

interface Identified {
  id: string;
}

const LIMIT = 100;
const PARTS_MAX = 2_000;
const HINT =
  "The variable holds an API key (ol_api_…), made in “API & Apps” of a workspace member who sees what all readers may. Its scope is “read”, or collections.list, collections.documents, documents.list, documents.info and attachments.redirect.";

const PAGINATION = z.object({ total: z.number().optional() }).default({});

export function createApi(base: string, server: ServerAccess): OutlineApi {
  const ask = <T>(method: string, body: Readonly<Record<string, unknown>>, schema: z.ZodType<T>) =>
    orRefusal(server.json(`${base}/api/${method}`, schema, { json: body }), HINT);
  return {
    async ask(method, body, data) {
      return (await ask(method, body, z.object({ data }))).data;
    },
    async list(method, item, { body = {}, itemsMax }) {
      const schema = z.object({ data: z.array(item), pagination: PAGINATION });
      const found = new Map<string, z.infer<typeof item>>();
      let offset = 0;
      for (let part = 0; part < PARTS_MAX && found.size <= itemsMax; part++) {
        const { data, pagination } = await ask(method, { ...body, limit: LIMIT, offset }, schema);
        const before = found.size;
        for (const each of data) found.set(each.id, each);
        offset += data.length;
        if (found.size === before || offset >= (pagination.total ?? Number.POSITIVE_INFINITY)) break;
      }
      return [...found.values()];
    },
  };
}

const TEAM = z.object({ team: z.object({ url: z.string() }) });

/** Where people reach the workspace, without a slash at its end. A key that may only read documents is not told. */
export async function findWorkspace(base: string, api: OutlineApi): Promise<string> {
  try {
    const { team } = await api.ask("auth.info", {}, TEAM);
    return webAddress(team.url)?.origin ?? base;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === "forbidden") return base;
    if (error.code !== "not_found") throw error;
    throw new AppError("not_found", `No Outline was found at ${base}.`, {
      hint: "Name the address of the workspace, or of a collection or a document, as a browser shows it.",
    });
  }
}
