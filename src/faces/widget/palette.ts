import { type Connection, post } from "../conversation/connection.ts";
import type { QuestionFilter } from "../conversation/state.ts";
import type { Palette, PaletteOptions } from "../palette/palette.ts";
import type { Installation } from "./installation.ts";
import type { PaletteModule } from "./later.ts";
import { storedText } from "./stored-text.ts";

export interface WidgetPaletteOptions extends Omit<PaletteOptions, "find" | "kept"> {
  installation: Installation;
  connection: Connection;
  /** Where the docs are published, where that is known. */
  siteUrl: () => string | undefined;
  filter: () => QuestionFilter | undefined;
}

/** Draws what searches, for a site as its widget reaches it. */
export function createWidgetPalette(
  module: PaletteModule,
  { installation, connection, siteUrl, filter, ...options }: WidgetPaletteOptions,
): Palette {
  const { server, domain, search } = installation;
  const find: PaletteOptions["find"] = async (query, hitsMax, signal) => {
    if (search !== undefined) {
      const url = new URL(search);
      url.searchParams.set("q", query);
      url.searchParams.set("size", String(hitsMax));
      const reply = await fetch(url, { signal, credentials: "omit" });
      return module.readReaderReply(await jsonOf(reply), search);
    }
    const body = { query, pageSize: hitsMax, order: "navigation", filter: filter() };
    const reply = await post(connection, ["/v1/search"], body, { signal });
    return module.readOperationReply(await jsonOf(reply), siteUrl());
  };
  const kept = storedText("localStorage", `docent:recent:${server}${domain}`);
  return module.createPalette({ ...options, find, kept });
}

async function jsonOf(reply: Response): Promise<unknown> {
  if (!reply.ok) throw new Error(`search: ${reply.status}`);
  return reply.json();
}
