/** A `:::` line. */
export interface Directive {
  colons: number;
  /** In lower case; undefined for a line that ends what another one began. */
  name: string | undefined;
  /** Its words, as Markdown. */
  title: string | undefined;
  /** It begins and ends on the same line. */
  isWhole: boolean;
}

/** Reads a `:::` line: `:::tip[Good to know]` is a tip of that title, `:::` ends it. */
export function readDirective(line: string): Directive {
  const colons = /^:*/.exec(line.trim())?.[0].length ?? 0;
  const written = line.trim().slice(colons).trim();
  const rest = written.replace(/:+$/, "").trim();
  const bracket = /^[\w-]{1,60}\[([^\]]{1,500})\]/.exec(rest)?.[1];
  const title = bracket ?? /^[\w-]{1,60}[ \t]+([^={}"<>]{1,500})$/.exec(rest)?.[1];
  return {
    colons,
    name: /^[\w-]{1,60}/.exec(rest)?.[0].toLowerCase(),
    title: title?.trim(),
    isWhole: written.endsWith(":::"),
  };
}

/** The words of a `:::` line as Markdown: `:::tip[Good to know]` says "Good to know", `:::` says nothing. */
export function directiveTitle(line: string): string[] {
  const { title } = readDirective(line);
  return title === undefined ? [] : [`**${title}**`];
}
