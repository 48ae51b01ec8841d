import { AppError } from "@docent/kernel/errors";
import { z } from "zod";
import type { ServerAccess } from "../connector.ts";

/** GitHub's two APIs. */
export interface GitHub {
  server: ServerAccess;
  api: string;
  graphql: string;
  headers: Readonly<Record<string, string>>;
}

export interface Repository {
  /** "owner/name", as GitHub writes it. */
  fullName: string;
  /** Where people see it. */
  web: string;
}

/** What an address names, and where the APIs of its server are. */
interface Place {
  owner: string;
  name: string;
  /** Where the address names but one of the two. */
  part: "issues" | "discussions" | undefined;
  web: string;
  api: string;
  graphql: string;
}

export function placeOf({ origin, host, protocol, pathname }: URL): Place {
  const names = pathname.split("/").filter((name) => name !== "");
  const [owner = "", name = "", section] = /^(?:repos|orgs)$/.test(names[0] ?? "") ? names.slice(1) : names;
  if (owner === "" || name === "")
    throw new AppError("invalid_request", `${origin}${pathname} names no repository.`, {
      hint: "Name a repository, its issues or its discussions: https://github.com/owner/repository.",
    });
  const part = section === "issues" || section === "discussions" ? section : undefined;
  const repository = { owner, name: name.replace(/\.git$/, ""), part, web: origin } as const;
  const isOwn = host === "github.com" || host.endsWith(".ghe.com");
  const api = `${protocol}//api.${host}`;
  return isOwn
    ? { ...repository, api, graphql: `${api}/graphql` }
    : { ...repository, api: `${origin}/api/v3`, graphql: `${origin}/api/graphql` };
}

const FAILURE = z.object({
  type: z.string().default(""),
  message: z.string().default(""),
  /** Which part of the question failed: the others are answered. */
  path: z.array(z.unknown()).default([]),
});
const ERRORS = z.object({ errors: z.tuple([FAILURE], z.unknown()) });

/** Asks GraphQL, which says with status 200 too what went wrong. */
export async function askGraphql<T>(
  { server, graphql }: GitHub,
  schema: z.ZodType<T>,
  query: string,
  variables: Readonly<Record<string, string | number | null>>,
): Promise<T> {
  const reply = await server.json(graphql, z.unknown(), { json: { query, variables } });
  const failed = ERRORS.safeParse(reply);
  if (failed.success && !isMissingPart(failed.data.errors[0])) throw refusal(graphql, failed.data.errors[0]);
  const parsed = z.object({ data: schema }).safeParse(reply);
  if (parsed.success) return parsed.data.data;
  throw new AppError("unavailable", `${graphql} answers with something that cannot be read.`, {
    hint: "GitHub Enterprise Server 3.6 and later are read.",
    cause: parsed.error,
  });
}

/** The repository is there, and something in it is not: what is answered has null in its place. */
const isMissingPart = ({ type, path }: z.infer<typeof FAILURE>) => type === "NOT_FOUND" && path.length > 1;

function refusal(graphql: string, { type, message }: z.infer<typeof FAILURE>): AppError {
  const cause = new Error(`${type}: ${message}`.slice(0, 500));
  const isForbidden = ["FORBIDDEN", "INSUFFICIENT_SCOPES", "NOT_FOUND"].includes(type);
  return new AppError(
    isForbidden ? "forbidden" : "unavailable",
    `${graphql} could not be read: it answers ${/^\w{1,60}$/.test(type) ? type : "an error"}.`,
    { hint: "Readers still see what was there before. Run this again later.", cause },
  );
}
