import { realpathSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import { AppError } from "@docent/kernel/errors";
import { matchAddresses } from "@docent/kernel/lib/address";

/** Where sources of an organization may be, besides what everybody can fetch. */
export interface AllowedPlaces {
  /** Folders of this machine below which an admin key may name a place. */
  folders: readonly string[];
  /** Hosts, addresses and networks that may be fetched although they are private. */
  privateHosts: readonly string[];
}

interface Organization {
  id: string;
  name: string;
}

/** The settings that say where sources may be, under their own names. */
export interface PlaceSettings {
  /** Folders, each with its organization: see `readOwned`. One without belongs to the only organization. */
  source_roots: readonly string[];
  /** Private hosts, each with its organization. One without is for all of them. */
  private_hosts: readonly string[];
}

export interface SourcePermissionsDeps {
  settings: PlaceSettings;
  listOrganizations(): Promise<readonly Organization[]>;
}

/** An entry of a setting, with the organization that it names. */
interface Owned {
  owner: string | undefined;
  value: string;
}

const EVERYBODY = "*";

/** Reads `acme=/srv/docs`: an organization's name or id before what is its own, or `*` for all of them. */
function readOwned(entry: string): Owned {
  const [, owner, value = entry] = /^([^=/\\]+)=(.*)$/s.exec(entry) ?? [];
  return { owner, value };
}

/** Tells where the sources of each organization may be. What cannot be attributed to one is nobody's. */
export function createSourcePermissions({ settings, listOrganizations }: SourcePermissionsDeps) {
  const folders = sourceRoots(settings).map(readOwned);
  const hosts = privateHosts(settings).map(readOwned);

  return {
    async of(organizationId: string): Promise<AllowedPlaces> {
      const all = await listOrganizations();
      const isTheirs = ({ owner }: Owned) => ownersOf(owner, all).some(({ id }) => id === organizationId);
      return {
        folders: folders.filter(isTheirs).map(({ value }) => value),
        privateHosts: hosts
          .filter((each) => each.owner === undefined || isTheirs(each))
          .map(({ value }) => value),
      };
    },

    /** The entries that count for nobody, with the setting that each stands in. */
    async ownerless(): Promise<{ setting: string; entry: string }[]> {
      const all = await listOrganizations();
      const isNobodys = (entry: string) => ownersOf(readOwned(entry).owner, all).length === 0;
      return [
        ...settings.source_roots.filter(isNobodys).map((entry) => ({ setting: "source_roots", entry })),
        ...settings.private_hosts
          .filter((entry) => readOwned(entry).owner !== undefined && isNobodys(entry))
          .map((entry) => ({ setting: "private_hosts", entry })),
      ];
    },
  };
}

export type SourcePermissions = ReturnType<typeof createSourcePermissions>;

/**
 * The hosts inside the operator's own network. Raises `invalid_request` for an entry that could match
 * nothing, because one wrong network would disable all of the others.
 */
export function privateHosts({
  private_hosts: entries,
}: Pick<PlaceSettings, "private_hosts">): readonly string[] {
  const isHost = (entry: string) => isHostName(entry) || matchAddresses([entry]).fault === undefined;
  const fault = entries.find((entry) => !isHost(readOwned(entry).value));
  if (fault === undefined) return entries;
  throw new AppError("invalid_request", `private_hosts: ${fault} is not a host, an address or a network.`, {
    hint: "Write names, addresses and networks such as docs.internal, 10.0.0.7 or 10.0.0.0/8, with commas between them and no ports.",
  });
}

/** The folders below which admin keys may name sources. Raises `invalid_request` for an entry without a folder. */
function sourceRoots({ source_roots: entries }: PlaceSettings): readonly string[] {
  const fault = entries.find((entry) => readOwned(entry).value === "");
  if (fault === undefined) return entries;
  throw new AppError("invalid_request", `source_roots: ${fault} names no folder.`, {
    hint: "Write an organization's name or id and its folder, such as acme=/srv/acme, with commas between them.",
  });
}

/** Written as in an address, where words of other scripts are encoded. */
const isHostName = (entry: string) => /^[a-z\d]([\w-]*[a-z\d])?(\.[a-z\d]([\w-]*[a-z\d])?)*$/i.test(entry);

/**
 * The organizations of that id or name. An id comes first: nobody gets another's folders by being called like its id.
 */
function ownersOf(owner: string | undefined, all: readonly Organization[]): readonly Organization[] {
  if (owner === undefined) return all.length === 1 ? all : [];
  if (owner === EVERYBODY) return all;
  const byId = all.filter(({ id }) => id === owner);
  return byId.length > 0 ? byId : all.filter(({ name }) => name === owner);
}

/** Raises `forbidden` for what is not below one of the roots, links followed; for what is not there, the same. */
export function checkBelow(path: string, roots: readonly string[]): void {
  const place = isAbsolute(path) ? realPath(path) : undefined;
  if (place === undefined || !isBelow(place, roots)) throw outsideOfRoots(path);
}

/** Whether a place, without links in its own path, is one of the roots or below it. */
export function isBelow(place: string, roots: readonly string[]): boolean {
  return roots.some((root) => isAtOrBelow(place, realPath(root)));
}

function isAtOrBelow(place: string, root: string | undefined): boolean {
  if (root === undefined) return false;
  const way = relative(root, place);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** What is said of a place whose reading nobody allowed, whether it is there or not. */
export function outsideOfRoots(path: string): AppError {
  return new AppError(
    "forbidden",
    `${path} is no folder or file below the source_roots of this site's organization.`,
    {
      hint: "Add the folder that holds it to the setting source_roots, with the organization that it belongs to, or add the source with docent sources add.",
    },
  );
}
