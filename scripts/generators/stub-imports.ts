import { readdirSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { join } from "node:path";

/** What a site's own scripts import by name, from packages. */
const IMPORT =
  /\bimport\s+(?:type\s+)?(?:([\w$]+)\s*,?\s*)?(?:\{([^}]*)\}|\*\s+as\s+[\w$]+)?\s*(?:from)?\s*["']([^"'.@][^"']*|@(?!theme|site|docusaurus|generated)[^"']*)["']/g;

/** What a package exports that is not there: what gives back what it is given. */
const GIVES_BACK = "(given) => given ?? stub";

/**
 * Puts empty packages where the scripts of somebody's site look for those that are not installed, so that it can be
 * built without them. Installed ones are linked.
 */
export async function stubImports(
  source: string,
  site: string,
  installed: string,
  stubbed = GIVES_BACK,
): Promise<void> {
  const names = new Map<string, Set<string>>();
  for (const file of new Bun.Glob("**/*.{ts,tsx,mts,js,jsx,mjs,md,mdx,astro,vue}").scanSync({
    cwd: site,
    dot: true,
  })) {
    if (file.includes("node_modules")) continue;
    for (const [, , list = "", specifier = ""] of (await Bun.file(join(site, file)).text()).matchAll(
      IMPORT,
    )) {
      if (isBuiltin(specifier) || specifier.startsWith("/")) continue;
      const exported = names.get(specifier) ?? new Set();
      names.set(specifier, exported);
      for (const each of list.split(","))
        exported.add(
          each
            .trim()
            .replace(/^type\s+/, "")
            .split(/\s+as\s+/)[0] ?? "",
        );
    }
  }
  const folder = join(source, "node_modules");
  await mkdir(folder, { recursive: true });
  for (const entry of readdirSync(installed)) {
    const isScope = entry.startsWith("@");
    const packages = isScope ? readdirSync(join(installed, entry)).map((name) => join(entry, name)) : [entry];
    if (isScope) await mkdir(join(folder, entry), { recursive: true });
    for (const each of packages) await symlink(join(installed, each), join(folder, each));
  }
  for (const [specifier, exported] of names) await stub(folder, specifier, { exported, stubbed });
}

async function stub(
  folder: string,
  specifier: string,
  { exported, stubbed }: { exported: ReadonlySet<string>; stubbed: string },
): Promise<void> {
  const [scope = "", second = ""] = specifier.split("/");
  const name = specifier.startsWith("@") ? `${scope}/${second}` : scope;
  const isMade = await Bun.file(join(folder, name, ".stub")).exists();
  if (!isMade && (await Bun.file(join(folder, name, "package.json")).exists())) return;
  const inside = specifier.slice(name.length + 1) || "index";
  const lines = [`const stub = ${stubbed};`, "export default stub;"];
  for (const each of exported)
    if (/^[A-Za-z_$][\w$]*$/.test(each) && each !== "default") lines.push(`export const ${each} = stub;`);
  await Bun.write(join(folder, name, ".stub"), "");
  await Bun.write(
    join(folder, name, "package.json"),
    JSON.stringify({
      name,
      type: "module",
      main: "index.js",
      exports: { ".": "./index.js", "./*": "./*.js" },
    }),
  );
  await Bun.write(join(folder, name, `${inside}.js`), lines.join("\n"));
  // It may be asked for by a script that computes what it imports.
  if (!(await Bun.file(join(folder, name, "index.js")).exists()))
    await Bun.write(join(folder, name, "index.js"), lines.slice(0, 2).join("\n"));
}
