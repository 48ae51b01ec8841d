import { PREFIX_OF } from "./namespaces.ts";

interface Named {
  name: string;
  attributes: ReadonlyMap<string, string>;
}

/** Gives names their usual prefixes while elements open and close. */
export function createNaming(): { open(name: string, given: Record<string, string>): Named; close(): void } {
  /** The usual prefix of each prefix that a document uses here. */
  const usual = new Map<string, string>();
  /** For each open element what it changed, so that it can be undone. */
  const undone: ([prefix: string, before: string | undefined][] | undefined)[] = [];
  const names = new Map<string, string>();

  const declare = (given: Record<string, string>) => {
    let changed: [string, string | undefined][] | undefined;
    for (const name in given) {
      if (!name.startsWith("xmlns")) continue;
      if (name.length > 5 && name[5] !== ":") continue;
      const prefix = name.slice(6);
      changed ??= [];
      changed.push([prefix, usual.get(prefix)]);
      usual.set(prefix, PREFIX_OF.get(given[name]?.trim() ?? "") ?? `?${prefix}`);
      names.clear();
    }
    undone.push(changed);
  };
  const usualName = (written: string, isAttribute: boolean): string => {
    const at = written.indexOf(":");
    if (at < 0 && isAttribute) return written;
    const known = names.get(written);
    if (known !== undefined) return known;
    const own = at < 0 ? "" : written.slice(0, at);
    const prefix = usual.get(own) ?? own;
    const name = prefix === "" ? written : `${prefix}:${written.slice(at + 1)}`;
    // Hostile documents have as many names as elements.
    if (names.size < 10_000) names.set(written, name);
    return name;
  };
  return {
    open(written, given) {
      declare(given);
      const name = usualName(written, false);
      let attributes: Map<string, string> | undefined;
      for (const key in given) {
        if (key.startsWith("xmlns")) continue;
        attributes ??= new Map();
        attributes.set(usualName(key, true), given[key] ?? "");
      }
      return { name, attributes: attributes ?? NONE };
    },
    close() {
      for (const [prefix, before] of undone.pop()?.toReversed() ?? []) {
        if (before === undefined) usual.delete(prefix);
        else usual.set(prefix, before);
        names.clear();
      }
    },
  };
}

const NONE: ReadonlyMap<string, string> = new Map();
