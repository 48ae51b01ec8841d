import { getLoadablePath } from "sqlite-vec";

/**
 * Where sqlite-vec's library for this platform is, or undefined where there is none. This is for running from source:
 * the build puts in this file's place one that carries the library itself (scripts/build.ts).
 */
export async function vectorLibrary(): Promise<string | undefined> {
  try {
    return getLoadablePath();
  } catch {
    return undefined;
  }
}
