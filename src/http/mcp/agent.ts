import { AppError } from "../../errors.ts";
import { type Reader, readerOf } from "../../readers/readers.ts";
import type { ArrivedRequest } from "../operation.ts";
import { challengeOf, type ResourceOptions, resourceOf } from "./resource.ts";

/** Docent's own keys, which no provider gives. */
const OWN_KEY = /^docent_/;

/** The token in the header. Nothing else is looked at: what stands in an address is kept by whoever passes it on. */
function accessTokenIn({ headers }: Request): string | undefined {
  const token = /^bearer +(\S+)$/i.exec(headers.get("authorization")?.trim() ?? "")?.[1];
  return token === undefined || OWN_KEY.test(token) ? undefined : token;
}

/** Whom an agent reads for; undefined where it brought no access token. Raises `unauthorized` for one that is not good. */
export async function readerOfAgent(
  { agents, publicUrl }: ResourceOptions,
  request: Request,
  domain: string,
): Promise<Reader | undefined> {
  const token = accessTokenIn(request);
  if (agents === undefined || token === undefined) return undefined;
  return readerOf(await agents.identify(token, resourceOf(publicUrl(), domain)));
}

/** Lets in as `admit` does, and tells whoever is refused for want of a good token where to get one. */
export async function orChallenge<Who>(
  { agents, publicUrl }: ResourceOptions,
  { request, replyHeaders }: Pick<ArrivedRequest, "request" | "replyHeaders">,
  domain: string,
  admit: () => Promise<Who>,
): Promise<Who> {
  try {
    return await admit();
  } catch (error) {
    const isRefused = error instanceof AppError && error.code === "unauthorized";
    const hasToken = request.headers.has("authorization");
    if (isRefused && agents !== undefined)
      replyHeaders["www-authenticate"] = challengeOf(agents, publicUrl(), { domain, hasToken });
    throw error;
  }
}
