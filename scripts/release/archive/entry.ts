/** What lies at a path of an archive. Paths have no slash at the beginning. */
export type Entry = { path: string; mode: number; uid?: number; gid?: number } & (
  | { kind: "file"; bytes: Uint8Array }
  | { kind: "folder" }
  | { kind: "link"; target: string }
);

export const file = (path: string, content: string | Uint8Array, mode = 0o644): Entry => ({
  kind: "file",
  path,
  mode,
  bytes: typeof content === "string" ? new TextEncoder().encode(content) : content,
});

export const folder = (path: string, mode = 0o755): Entry => ({ kind: "folder", path, mode });

/** The entries with every folder above them, in an order in which each comes after the one it is in. */
export function withFolders(entries: readonly Entry[]): Entry[] {
  const all = new Map<string, Entry>();
  for (const entry of entries) {
    const parts = entry.path.split("/");
    for (let length = 1; length < parts.length; length++) {
      const path = parts.slice(0, length).join("/");
      if (!all.has(path)) all.set(path, folder(path));
    }
    all.set(entry.path, entry);
  }
  return [...all.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}
