import { AppError } from "@docent/kernel/errors";
import { checkBelow, type SourcePermissions } from "./allowed-places.ts";
import { repositoryOf } from "./git-location.ts";
import { localPathOf, resolvePlace } from "./place.ts";
import type { SourceOptions, SourceSpec } from "./source.ts";

/** A source as somebody names it who is not at this machine. */
interface RequestedSource {
  siteId: number;
  organizationId: string;
  place: string;
  kind?: string | undefined;
  branch?: string | undefined;
  subfolder?: string | undefined;
  version?: string | undefined;
  language?: string | undefined;
  /** The environment variable that holds what the source signs in with. */
  authorization?: string | undefined;
}

interface RequestedSourcesDeps {
  /** Tells below which folders a source of an organization may be on this machine. */
  permissions: Pick<SourcePermissions, "of">;
  /** `VARIABLE@host`: what may be sent where. */
  credentials: readonly string[];
}

/** Reads and checks the sources that admin keys ask for. */
export function createRequestedSources({ permissions, credentials }: RequestedSourcesDeps) {
  /**
   * Refuses what a source would sign in with, where the key may not use it: it is the operator's, as are git's keys for
   * ssh.
   */
  function checkCredentials(
    { kind, location }: SourceSpec,
    variable: string | undefined,
    may: boolean,
  ): void {
    if (destinationOf({ kind, location }).isSsh && !may)
      throw serverOnly("git over ssh, which signs in with the keys of the server's account,");
    if (variable === undefined) return;
    if (!may) throw serverOnly("a source that signs in");
    checkCredential(credentials, { kind, location }, variable);
  }

  return {
    /**
     * The source that is meant, and what is noted of it. Raises `forbidden` for a place on this machine outside of the
     * roots, whether it exists or not, and for credentials that may not be used.
     */
    async check(
      asked: RequestedSource,
      { mayUseCredentials }: { mayUseCredentials: boolean },
    ): Promise<{ spec: SourceSpec; options: SourceOptions }> {
      const { siteId, organizationId, place, version = "", language = "", authorization, ...meant } = asked;
      const { folders } = await permissions.of(organizationId);
      // Before anything looks at it: what an answer could tell is whether it exists.
      const named = resolvePlace(place, meant, (path) => checkBelow(path, folders));
      const spec = { siteId, ...named, version, language };
      const path = localPathOf(spec);
      if (path !== undefined) checkBelow(path, folders);
      checkCredentials(spec, authorization, mayUseCredentials);
      const options = {
        ...(path === undefined && authorization === undefined ? {} : { confined: true as const }),
        ...(authorization === undefined ? {} : { authorizationVariable: authorization }),
      };
      return { spec, options };
    },
  };
}

export type RequestedSources = ReturnType<typeof createRequestedSources>;

/** Raises `forbidden` for a variable that `source_variables` does not allow to be sent where the source is. */
export function checkCredential(
  credentials: readonly string[],
  source: Pick<SourceSpec, "kind" | "location">,
  variable: string,
): void {
  const { host } = destinationOf(source);
  if (credentials.includes(`${variable}@${host}`)) return;
  throw new AppError(
    "forbidden",
    `The setting source_variables does not allow ${variable} to be sent to ${host || "this place"}.`,
  );
}

function destinationOf({ kind, location }: Pick<SourceSpec, "kind" | "location">) {
  if (kind !== "git") return { host: URL.parse(location)?.host ?? "", isSsh: false };
  const git = repositoryOf(location);
  if (git.kind === "local") return { host: "", isSsh: false };
  return { host: URL.parse(git.url)?.host || git.host, isSsh: git.protocol === "ssh" };
}

function serverOnly(what: string): AppError {
  return new AppError("forbidden", `Only an admin key of the server may name ${what}.`);
}
