import { AppError } from "@docent/kernel/errors";
import { z } from "zod";
import type { ServerAccess } from "../connector.ts";
import { orRefusal } from "../refusal.ts";
import { jsonSaid } from "../said.ts";

const HINT =
  "The variable holds name:password of a user of the wiki who may view what all readers may, and nothing else.";

/** XWiki's REST API, for one wiki of a server. */
export interface XWikiApi {
  /** Where the server is, without a slash at its end: "https://example.com/xwiki". */
  base: string;
  wiki: string;
  program: string;
  /** Below the wiki's own address: "query?q=…". */
  read<T>(path: string, schema: z.ZodType<T>): Promise<T>;
}

const ROOT = z.object({ version: z.string(), syntaxes: z.unknown() });

/** Finds the API of the server to which an address belongs, and the wiki that it names. */
export async function openApi(address: URL, server: ServerAccess): Promise<XWikiApi> {
  const [before = ""] = address.pathname.split(/\/(?:bin|wiki|rest|view)(?:\/|$)/, 1);
  const isSaid = before !== address.pathname;
  const first = /^\/[^/]+/.exec(address.pathname)?.[0] ?? "/xwiki";
  for (const folder of new Set(isSaid ? [before, "/xwiki", ""] : [first, "/xwiki", ""])) {
    const base = address.origin + folder;
    const version = await versionAt(base, server);
    if (version === undefined) continue;
    const named = /\/(?:wiki|rest\/wikis)\/([^/]{1,200})/.exec(address.pathname)?.[1];
    const wiki = named ?? "xwiki";
    return {
      base,
      wiki,
      program: `XWiki ${version}`,
      read: (path, schema) => orRefusal(server.json(`${base}/rest/wikis/${wiki}/${path}`, schema), HINT),
    };
  }
  throw new AppError("not_found", `No XWiki was found at ${address.href}.`, {
    hint: "Name the address of the wiki, or of a page of it, as a browser shows it: https://example.com/xwiki/bin/view/Main/.",
  });
}

async function versionAt(base: string, server: ServerAccess): Promise<string | undefined> {
  const asked = server.ask(`${base}/rest/`, { headers: { accept: "application/json" } });
  const { status, body } = await orRefusal(asked, HINT);
  const said = ROOT.safeParse(jsonSaid(body));
  return status < 300 && said.success ? said.data.version : undefined;
}
