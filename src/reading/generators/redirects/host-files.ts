import { asList, asRecord } from "@docent/kernel/text/json";
import { readConfig } from "../config/config.ts";
import type { DocsSite, WantedDocs } from "../docs-site.ts";
import { type DocsTree, joinLocation } from "../docs-tree.ts";

type Redirects = DocsSite["redirects"];

/** As many of one file are read. */
const REDIRECTS_MAX = 20_000;
const PUBLIC_FOLDERS = ["", "static", "public"];

/**
 * The redirects that a site's host makes: Netlify's, Cloudflare's and Vercel's files, beside the generator's
 * configuration or at the top of the source. They are written from the host's root, of which the site may be a part.
 */
export async function hostRedirects(
  tree: DocsTree,
  root: string,
  { siteUrl }: Pick<WantedDocs, "siteUrl">,
): Promise<Redirects> {
  const base = (URL.parse(siteUrl ?? "")?.pathname ?? "").replace(/^\/+|\/+$/g, "");
  const roots = [...new Set([root, ""])];
  const plain = roots.flatMap((each) => PUBLIC_FOLDERS.map((folder) => inFolder(each, folder, "_redirects")));
  const found: Redirects = [];
  for (const location of plain) found.push(...linesOf(await tree.text(location)));
  for (const each of roots) {
    found.push(...(await netlifyRedirects(tree, joinLocation(each, "netlify.toml"))));
    found.push(...(await vercelRedirects(tree, joinLocation(each, "vercel.json"))));
  }
  return found.slice(0, REDIRECTS_MAX).flatMap((redirect) => belowBase(redirect, base));
}

const inFolder = (root: string, folder: string, name: string) =>
  joinLocation(root, folder === "" ? name : `${folder}/${name}`);

/** A status that moves readers: others show a page at the same address, or refuse it. */
const isMove = (status: number) => [301, 302, 303, 307, 308].includes(status);

/** `/from  /to  301`, one a line. Those for some readers alone, by a query, a country or a role, are no old addresses. */
function linesOf(text: string | undefined): Redirects {
  return (text ?? "").split("\n", REDIRECTS_MAX).flatMap((line) => {
    const [from = "", to = "", status = "301", ...conditions] = line
      .replace(/(?:^|\s)#.*$/, "")
      .trim()
      .split(/\s+/);
    if (!from.startsWith("/") || to.includes("=") || conditions.length > 0) return [];
    return isMove(Number(status.replace("!", ""))) ? [{ from, to }] : [];
  });
}

async function netlifyRedirects(tree: DocsTree, location: string): Promise<Redirects> {
  if (!tree.has(location)) return [];
  const { redirects } = asRecord((await readConfig(tree, location))?.value);
  return asList(redirects).flatMap((each) => {
    const { from, to, status = 301, conditions, query } = asRecord(each);
    if (typeof from !== "string" || typeof to !== "string" || conditions !== undefined || query !== undefined)
      return [];
    return isMove(Number(status)) ? [{ from, to }] : [];
  });
}

async function vercelRedirects(tree: DocsTree, location: string): Promise<Redirects> {
  if (!tree.has(location)) return [];
  return sourceRedirects(asRecord((await readConfig(tree, location))?.value)["redirects"]);
}

/** `{ source, destination }`, as Vercel, Next.js and Mintlify have them. Those for some readers alone are left out. */
export const sourceRedirects = (value: unknown): Redirects =>
  asList(value)
    .slice(0, REDIRECTS_MAX)
    .flatMap((each) => {
      const { source, destination, has, missing } = asRecord(each);
      if (typeof source !== "string" || typeof destination !== "string") return [];
      return has === undefined && missing === undefined ? [{ from: source, to: destination }] : [];
    });

/** A redirect of the host as one of the site; none where it begins outside of it. */
function belowBase({ from, to }: { from: string; to: string }, base: string): Redirects {
  if (base === "") return [{ from, to }];
  const inside = below(from, base);
  if (inside === undefined) return [];
  // What leads elsewhere on the host leads out of the site.
  return [{ from: inside, to: to.startsWith("/") ? (below(to, base) ?? `//${to}`) : to }];
}

function below(address: string, base: string): string | undefined {
  const path = address.replace(/^\/+/, "");
  if (path === base) return "/";
  return path.startsWith(`${base}/`) ? path.slice(base.length) : undefined;
}
