import { AppError } from "@docent/kernel/errors";
import { z } from "zod";
import type { ServerAccess } from "../connector.ts";

/** The project or the group that an address names. */
export interface Scope {
  /** Where GitLab is: its host, and the folder that it has there. */
  root: string;
  /** The API's address of it. */
  api: string;
  /** Where people see it. */
  web: string;
}

const PROJECT = z.object({ path_with_namespace: z.string() });
const GROUP = z.object({ full_path: z.string() });
const FOLDERS_MAX = 3;

/** GitLab may be in a folder of its host: the address is read without one first. */
export async function findScope(address: URL, server: ServerAccess): Promise<Scope> {
  const names = namesIn(address);
  for (let folders = 0; folders < Math.min(names.length, FOLDERS_MAX); folders++) {
    const root = [address.origin, ...names.slice(0, folders)].join("/");
    const path = names.slice(folders).join("/");
    const project = await found(server, apiOf(root, "projects", path), PROJECT);
    if (project !== undefined) {
      const { path_with_namespace } = project;
      return { root, api: apiOf(root, "projects", path), web: `${root}/${path_with_namespace}` };
    }
    const group = await found(server, apiOf(root, "groups", path), GROUP);
    if (group !== undefined)
      return { root, api: apiOf(root, "groups", path), web: `${root}/groups/${group.full_path}` };
  }
  throw new AppError(
    "not_found",
    `No project and no group of a GitLab server was found at ${address.href}.`,
    {
      hint: "Name a project or a group: https://gitlab.example.com/group/project. One that is not public is there for those alone who sign in.",
    },
  );
}

/** The path of what an address names: what stands behind "/-/" is a page of it. */
function namesIn({ pathname }: URL): string[] {
  const [path = ""] = pathname.replace(/\/issues\/?$/, "").split("/-/");
  const names = path.split("/").filter((name) => name !== "" && name !== "-");
  return names[0] === "groups" ? names.slice(1) : names;
}

const apiOf = (root: string, kind: "projects" | "groups", path: string) =>
  `${root}/api/v4/${kind}/${encodeURIComponent(decodePath(path))}`;

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

async function found<T>(server: ServerAccess, address: string, schema: z.ZodType<T>): Promise<T | undefined> {
  try {
    return await server.json(address, schema);
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return undefined;
    throw error;
  }
}
