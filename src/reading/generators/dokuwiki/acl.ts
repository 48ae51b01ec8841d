/** Who may read what, as a wiki's `conf/acl.auth.php` says it. */
export interface ReadRights {
  /** Whether everyone may read a page: `ops:servers:start`. */
  isForAll(id: string): boolean;
}

const READ = 1;

/** Without a list, everything is for everyone. */
export const OPEN: ReadRights = { isForAll: () => true };
/** A list that cannot be read is one that nobody passes. */
export const CLOSED: ReadRights = { isForAll: () => false };

/**
 * Reads a list of rights for those who have not signed in. The line of the page itself counts, or else that of the nearest
 * namespace around it; what no line is for, nobody may read.
 */
export function readAcl(text: string): ReadRights {
  const levels = new Map<string, number>();
  for (const line of text.split("\n")) {
    const [place, who, level] = line.replace(/#.*$/, "").trim().split(/\s+/);
    if (place === undefined || who?.toUpperCase() !== "@ALL" || !/^\d{1,3}$/.test(level ?? "")) continue;
    levels.set(place, Math.max(levels.get(place) ?? 0, Number(level)));
  }
  return {
    isForAll(id) {
      const names = id.split(":");
      const places = [
        id,
        ...names.map((_, index) => [...names.slice(0, names.length - 1 - index), "*"].join(":")),
      ];
      const found = places.find((place) => levels.has(place));
      return found !== undefined && (levels.get(found) ?? 0) >= READ;
    },
  };
}

/** Whether a wiki's settings say that rights are not looked at. */
export const ignoresAcl = (settings: string) =>
  /^[ \t]*\$conf\[['"]useacl['"]\]\s*=\s*(?:0|false|'0')\s*;/im.test(settings);
