/** The words of a `:::` line as Markdown: `:::tip[Good to know]` says "Good to know", `:::` says nothing. */
export function directiveTitle(line: string): string[] {
  const rest = line
    .replace(/^:+[ \t]*/, "")
    .replace(/:+$/, "")
    .trim();
  const bracket = /^[\w-]{1,60}\[([^\]]{1,500})\]/.exec(rest)?.[1];
  const title = bracket ?? /^[\w-]{1,60}[ \t]+([^={}"<>]{1,500})$/.exec(rest)?.[1];
  return title === undefined ? [] : [`**${title.trim()}**`];
}
