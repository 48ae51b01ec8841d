import { AppError } from "@docent/kernel/errors";
import { z } from "zod";
import type { ServerAccess } from "../connector.ts";
import { isRefusal, orRefusal } from "../refusal.ts";

/** The API of a Confluence, at one place of a server. */
export interface ConfluenceApi {
  /** Where it is: `https://wiki.acme.com/confluence`. */
  root: string;
  get<T>(path: string, parameters: Parameters, schema: z.ZodType<T>): Promise<T>;
  /** The same, undefined where there is no such thing for whoever signed in. */
  find<T>(path: string, parameters: Parameters, schema: z.ZodType<T>): Promise<T | undefined>;
  /** A text; "" where there is none for whoever signed in. */
  text(path: string): Promise<string>;
  /** All parts of a list that comes in several. */
  parts<T extends Identified>(
    path: string,
    parameters: Parameters,
    schema: z.ZodType<T>,
  ): AsyncGenerator<Part<T>>;
}

interface Identified {
  id: string;
}

type Parameters = Readonly<Record<string, string>>;

interface Part<T> {
  results: T[];
  /** Where people read it, as the Confluence itself says. */
  base: string | undefined;
}

const PARTS_MAX = 5_000;
/** A server that counts may name a next part behind the last: after as many without anything new a list is over. */
const BARREN_PARTS_MAX = 3;

export function createApi(root: string, server: ServerAccess, hint: string): ConfluenceApi {
  async function get<T>(path: string, parameters: Parameters, schema: z.ZodType<T>): Promise<T> {
    const asked = server.json(`${root}${path}?${new URLSearchParams(parameters)}`, schema);
    return orRefusal(asked, hint);
  }
  return {
    root,
    get,
    find: (path, parameters, schema) =>
      get(path, parameters, schema).catch((error) => {
        if (!isOf(error, "not_found")) throw error;
        return undefined;
      }),
    async text(path) {
      const { status, body } = await server.ask(root + path).catch((error) => {
        if (!isRefusal(error)) throw error;
        return { status: 403, body: new Uint8Array() };
      });
      return status === 200 ? new TextDecoder().decode(body) : "";
    },
    async *parts(path, parameters, schema) {
      const list = listOf(schema);
      const known = new Set<string>();
      let query: Parameters = parameters;
      let barren = 0;
      for (let part = 0; part < PARTS_MAX; part++) {
        const { results, _links: links } = await get(path, query, list);
        yield { results, base: links?.base };
        // A server says the next part's path as it sees itself, which need not be how it is reached.
        const next = typeof links?.next === "string" ? URL.parse(links.next, root) : null;
        if (next === null) return;
        const isBarren = results.every(({ id }) => known.has(id));
        for (const { id } of results) known.add(id);
        barren = isBarren ? barren + 1 : 0;
        if (barren === BARREN_PARTS_MAX && isCounted(next)) return;
        const asked = {
          ...Object.fromEntries(next.searchParams),
          ...(isCounted(next) && !isBarren ? { start: startAfter(query, results.length) } : {}),
          ...parameters,
        };
        if (String(new URLSearchParams(asked)) === String(new URLSearchParams(query))) break;
        query = asked;
      }
      throw new AppError("unavailable", `${root}${path} lists without an end.`, {
        hint: "Readers still see what was there before. Name a part of the Confluence: a space, or a page.",
      });
    },
  };
}

/** Others go on from a cursor. */
const isCounted = ({ searchParams }: URL) => searchParams.has("start") && !searchParams.has("cursor");

/** A server that gives fewer than were asked for may count on as if it had given all. */
const startAfter = (query: Parameters, given: number) => String(Number(query["start"] ?? 0) + given);

const listOf = <T>(schema: z.ZodType<T>) =>
  z.object({
    results: z.array(schema),
    _links: z.object({ next: z.string().nullish(), base: z.string().optional() }).optional(),
  });

export const isOf = (error: unknown, code: AppError["code"]): error is AppError =>
  error instanceof AppError && error.code === code;
