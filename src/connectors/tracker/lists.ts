import type { ZodType } from "zod";
import { z } from "zod";
import { AppError } from "../../errors.ts";
import type { ServerAccess, ServerRequest } from "../connector.ts";
import { createOnward } from "../onward.ts";
import { jsonSaid } from "../said.ts";

/** A hundred thousand issues, where a hundred come at once. */
const PARTS_MAX = 1_000;
const NEXT = /<([^<>]{1,2000})>\s*;\s*rel="?next"?/;

/**
 * The parts of a list that says in its header where the next one is. A tracker may call itself by another name than the
 * one by which it is reached: it is asked where the first part was.
 */
export async function* readList<T>(
  server: ServerAccess,
  address: string,
  { item, request }: { item: ZodType<T>; request?: ServerRequest },
): AsyncGenerator<T[]> {
  const list = z.array(item);
  const isNew = createOnward(address);
  let next: string | undefined = address;
  for (let part = 0; next !== undefined && part < PARTS_MAX; part++) {
    const asked: string = next;
    isNew(asked);
    const accept = { accept: "application/json", ...request?.headers };
    const { status, headers, body } = await server.ask(asked, { ...request, headers: accept });
    if (status >= 400)
      throw new AppError("not_found", `There is nothing at ${asked}.`, {
        hint: "Look at the address of the source, and whether what it signs in with may read it.",
      });
    const parsed = list.safeParse(jsonSaid(body));
    if (!parsed.success)
      throw new AppError("unavailable", `${asked} answers with something that cannot be read.`, {
        hint: "Look at the address and the kind of the source, and at what the server answers there.",
        cause: parsed.error,
      });
    yield parsed.data;
    const link = NEXT.exec(headers.get("link") ?? "")?.[1];
    const url = link === undefined ? null : URL.parse(link, asked);
    const following = url === null ? undefined : new URL(asked).origin + url.pathname + url.search;
    next = following === asked ? undefined : following;
  }
}
