import { asText, isRecord } from "../../text/json.ts";
import { readConfig } from "../config/config.ts";
import { type DocsTree, joinLocation, resolveLocation } from "../docs-tree.ts";
import type { JekyllSettings } from "./settings.ts";

const FILES_MAX = 500;

/** What the files of `_data` say, which pages name as `site.data.folder.file`. One that cannot be read says nothing. */
export async function readData(
  tree: DocsTree,
  { source, site }: Pick<JekyllSettings, "source" | "site">,
): Promise<Record<string, unknown>> {
  const data: Record<string, unknown> = Object.create(null);
  const folder =
    resolveLocation(source, asText(site["data_dir"]) ?? "_data") ?? joinLocation(source, "_data");
  const files = tree.below(folder).filter((file) => /\.(?:ya?ml|json)$/.test(file));
  for (const location of files.slice(0, FILES_MAX)) {
    const file = await readConfig(tree, location);
    if (file === undefined || file.fault !== undefined) continue;
    const names = location
      .slice(folder.length + 1)
      .replace(/\.\w+$/, "")
      .split("/");
    put(data, names, file.value);
  }
  return data;
}

function put(data: Record<string, unknown>, [name = "", ...below]: readonly string[], value: unknown): void {
  if (below.length === 0) {
    data[name] = value;
    return;
  }
  const inside = data[name];
  const folder = isRecord(inside) ? { ...inside } : {};
  put(folder, below, value);
  data[name] = folder;
}
