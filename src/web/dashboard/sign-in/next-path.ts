/**
 * Where to go after signing in: a path of this app, whatever the address asked for. Anything that a browser could read as
 * another site leads home.
 */
export function nextPath(asked: string | null): string {
  if (asked === null || !asked.startsWith("/")) return "/";
  // Browsers read a backslash as a slash, and leave out tabs and line ends: none of them is in a path that is ours.
  if (asked.startsWith("//") || /[\\\p{Cc}]/u.test(asked)) return "/";
  const here = "http://here.invalid";
  const url = URL.parse(asked, here);
  if (url === null || url.origin !== here || url.pathname.startsWith("//")) return "/";
  return url.pathname === "/sign-in" ? "/" : url.pathname + url.search;
}
