/** Set by the build. */
declare const DOCENT_LIBC: string | undefined;

/**
 * Where sqlite-vec's library for this platform is, or undefined where there is none. The build names platform and
 * architecture (scripts/build.ts), so only the right branch is left in a binary, with the library inside it; when run
 * from source, they are those of this machine. musl has no build of sqlite-vec.
 */
export async function vectorLibrary(): Promise<string | undefined> {
  if (typeof DOCENT_LIBC !== "undefined" && DOCENT_LIBC === "musl") return undefined;
  if (process.platform === "linux" && process.arch === "x64") {
    return (await import("sqlite-vec-linux-x64/vec0.so", { with: { type: "file" } })).default;
  }
  if (process.platform === "linux" && process.arch === "arm64") {
    return (await import("sqlite-vec-linux-arm64/vec0.so", { with: { type: "file" } })).default;
  }
  if (process.platform === "darwin" && process.arch === "x64") {
    return (await import("sqlite-vec-darwin-x64/vec0.dylib", { with: { type: "file" } })).default;
  }
  if (process.platform === "darwin" && process.arch === "arm64") {
    return (await import("sqlite-vec-darwin-arm64/vec0.dylib", { with: { type: "file" } })).default;
  }
  if (process.platform === "win32" && process.arch === "x64") {
    return (await import("sqlite-vec-windows-x64/vec0.dll", { with: { type: "file" } })).default;
  }
  return undefined;
}
