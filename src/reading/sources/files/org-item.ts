import { posix } from "node:path";
import { normalizeSource } from "@docent/kernel/text/decode-bytes";
import { folderOf } from "../../generators/generators.ts";
import { orgIds, readOrg, withOrgIncludes } from "../../markdown/org/org.ts";
import { encodePath } from "../../page/page-path.ts";
import type { SourceItem } from "../../source-reader.ts";
import { type IncludedFiles, includedFrom } from "./included-files.ts";
import { madeItem } from "./made-item.ts";
import type { FileFormat } from "./page-file.ts";
import type { ReadableFile } from "./tree-file.ts";

/** Where the sections of a source's pages in Org are, by their `ID`. */
interface OrgPages {
  /** All of them are read for it, once, and only where a page asks. */
  ids(): Promise<ReadonlyMap<string, { location: string; anchor: string }>>;
}

/** The pages in Org among those of a source. */
export function orgPages(
  pages: readonly { file: { location: string }; format: FileFormat }[],
  tree: IncludedFiles,
): OrgPages {
  const locations = pages.flatMap(({ file, format }) => (format === "org" ? [file.location] : []));
  let read: Promise<ReadonlyMap<string, { location: string; anchor: string }>> | undefined;
  return {
    ids() {
      read ??= (async () => {
        const ids = new Map<string, { location: string; anchor: string }>();
        for (const location of locations)
          for (const [id, anchor] of orgIds((await tree.text(location)) ?? ""))
            if (!ids.has(id)) ids.set(id, { location, anchor });
        return ids;
      })();
      return read;
    },
  };
}

/** A page in Org, with what it includes; links to a section elsewhere by its `ID` lead there. */
export function orgItem(
  file: Pick<ReadableFile, "location" | "read">,
  { path, found, tree, others }: { path: string; found: string; tree: IncludedFiles; others: OrgPages },
): SourceItem {
  const { location } = file;
  return madeItem(file, { path, found, format: "written", from: "org" }, async (source) => {
    const include = (target: string, from: string) => includedFrom(tree, target, from);
    const whole = await withOrgIncludes(normalizeSource(source), { location, include });
    const ids = /\[\[id:/i.test(whole.text) ? await others.ids() : undefined;
    const page = readOrg(whole.text, (id) => {
      const section = ids?.get(id);
      if (section === undefined) return undefined;
      const href = encodePath(posix.relative(folderOf(location), section.location));
      return section.anchor === "" ? href : `${href}#${encodePath(section.anchor)}`;
    });
    const { title, description, keywords, isHidden, markdown } = page;
    const data = {
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
      ...(keywords.length > 0 && { keywords }),
      ...(isHidden && { noindex: true }),
    };
    return { data, markdown, faults: [...whole.faults, ...page.faults] };
  });
}
