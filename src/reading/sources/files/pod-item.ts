import { posix } from "node:path";
import { normalizeSource } from "@docent/kernel/text/decode-bytes";
import { folderOf } from "../../generators/generators.ts";
import { type PodAnchors, podAnchors, readPod } from "../../markdown/pod/pod.ts";
import { encodePath } from "../../page/page-path.ts";
import type { SourceItem } from "../../source-reader.ts";
import type { IncludedFiles } from "./included-files.ts";
import { madeItem } from "./made-item.ts";
import type { FileFormat } from "./page-file.ts";
import type { ReadableFile } from "./tree-file.ts";

/** The pages of a source in POD, by what others call them: `Foo::Bar` is `lib/Foo/Bar.pod`. */
interface PodPages {
  find(name: string): { location: string; path: string } | undefined;
  /** The places of a page. It is read for them once, and only where another one leads there. */
  anchors(location: string): Promise<PodAnchors>;
}

/** The pages in POD among those of a source. A name that several have is that of the first. */
export function podPages(
  pages: readonly { file: { location: string }; path: string; format: FileFormat }[],
  tree: IncludedFiles,
): PodPages {
  const named = new Map<string, { location: string; path: string }>();
  for (const { file, path, format } of pages) {
    if (format !== "pod") continue;
    const { location } = file;
    const parts = location.slice(0, location.lastIndexOf(".")).split("/");
    for (let from = 0; from < parts.length; from++) {
      const name = parts.slice(from).join("::");
      if (!named.has(name)) named.set(name, { location, path });
    }
  }
  const read = new Map<string, Promise<PodAnchors>>();
  return {
    find: (name) => named.get(name),
    anchors(location) {
      const known = read.get(location) ?? tree.text(location).then((text) => podAnchors(text ?? ""));
      read.set(location, known);
      return known;
    },
  };
}

/** A page in POD, made Markdown when it is read: the names of other pages, and of their sections, lead there. */
export function podItem(
  file: Pick<ReadableFile, "location" | "read">,
  { path, found, pods }: { path: string; found: string; pods: PodPages },
): SourceItem {
  const { location } = file;
  return madeItem(file, { path, found, format: "written", from: "pod" }, async (source) => {
    const text = normalizeSource(source);
    const wanted = new Set<string>();
    readPod(text, (name, section) => {
      if (section !== "") wanted.add(name);
      return undefined;
    });
    const anchors = new Map<string, PodAnchors>();
    for (const name of wanted) {
      const page = pods.find(name);
      if (page !== undefined) anchors.set(name, await pods.anchors(page.location));
    }
    const { title, description, markdown, faults } = readPod(text, (name, section) => {
      const page = pods.find(name);
      if (page === undefined) return undefined;
      const own = page.location === location;
      const href = own ? "" : encodePath(posix.relative(folderOf(location), page.location));
      const anchor = anchors.get(name)?.find(section);
      return anchor === undefined ? href || undefined : `${href}#${anchor}`;
    });
    const data = {
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
    };
    return { data, markdown, faults };
  });
}
