import { AppError } from "@docent/kernel/errors";
import { MINUTE_MS } from "@docent/kernel/lib/clock";
import { z } from "zod";
import type { ServerAccess } from "../connector.ts";
import { orRefusal } from "../refusal.ts";
import { jsonSaid, webAddress } from "../said.ts";

/** BookStack's API. */
export interface BookStackApi {
  read<T>(path: string, schema: z.ZodType<T>): Promise<T>;
  /** A list in the order of its ids, until it is over or longer than `itemsMax`. */
  list<T extends Numbered>(path: string, item: z.ZodType<T>, options: ListOptions): Promise<T[]>;
}

interface Numbered {
  id: number;
}

interface ListOptions {
  /** What the items have in common: `{ book_id: "1" }`. */
  filter?: Readonly<Record<string, string>>;
  itemsMax: number;
}

const COUNT = 500;
const PARTS_MAX = 2_000;
const HINT =
  "The variable holds an API token as id:secret, made in the profile of a user whose role has only “Access system API” and may view what all readers may.";

export function createApi(base: string, server: ServerAccess): BookStackApi {
  const read = <T>(path: string, schema: z.ZodType<T>) =>
    orRefusal(server.json(`${base}/api/${path}`, schema), HINT);
  return {
    read,
    async list(path, item, { filter = {}, itemsMax }) {
      const schema = z.object({ data: z.array(item), total: z.number().optional() });
      const found: z.infer<typeof item>[] = [];
      for (let part = 0; part < PARTS_MAX && found.length <= itemsMax; part++) {
        // Counted from an id, as nothing is missed while others delete.
        const last = found.at(-1)?.id ?? 0;
        const filters = Object.entries({ ...filter, "id:gt": String(last) });
        const query = new URLSearchParams({ count: String(COUNT), sort: "+id" });
        for (const [name, value] of filters) query.set(`filter[${name}]`, value);
        const { data, total = Number.POSITIVE_INFINITY } = await read(`${path}?${query}`, schema);
        const next = data.filter(({ id }) => id > last);
        found.push(...next);
        if (next.length === 0 || data.length >= total) break;
      }
      return found;
    },
  };
}

const SYSTEM = z.object({ version: z.string().default(""), base_url: z.string().default("") });

/** What a BookStack says of itself: versions before 25.02 say nothing. */
interface BookStackSystem {
  program: string;
  /** Where people reach it, without a slash at its end. */
  url: string;
}

/** Looks whether there is a BookStack, and asks it no more often than it allows. */
export async function openSystem(base: string, server: ServerAccess): Promise<BookStackSystem> {
  const ask = (path: string) =>
    orRefusal(server.ask(`${base}/api/${path}`, { headers: { accept: "application/json" } }), HINT);
  const books = await ask("books?count=1");
  if (books.status >= 300)
    throw new AppError("not_found", `No BookStack was found at ${base}.`, {
      hint: "Name the address of the wiki's first page, or of a shelf, a book or a chapter, as a browser shows it.",
    });
  const perMinute = Number(books.headers.get("x-ratelimit-limit"));
  if (perMinute >= 1) server.keepApart(MINUTE_MS / perMinute);
  const { body } = await ask("system");
  const said = SYSTEM.safeParse(jsonSaid(body));
  const url = said.success ? webAddress(said.data.base_url) : undefined;
  return {
    program: `BookStack ${said.success ? said.data.version.replace(/^v/, "") : ""}`.trim(),
    url: url === undefined ? base : url.href.replace(/\/$/, ""),
  };
}
