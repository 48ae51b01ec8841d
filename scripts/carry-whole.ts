import { mkdir } from "node:fs/promises";
import { join } from "node:path";

/**
 * Large libraries that few runs need, each behind an `import()` of its own. In a chunk, the bytecode of one is three times
 * its size, for a start that never loads it.
 */
const LIBRARIES = [
  "@asciidoctor/core",
  "nodemailer",
  "temml",
  "pdfjs-dist/legacy/build/pdf.min.mjs",
  "pdfjs-dist/legacy/build/pdf.worker.min.mjs",
];

/** Carries each of them as a file, which is read when the library is imported. */
export async function carryWhole(root: string): Promise<Bun.BunPlugin> {
  const folder = join(root, ".cache", "whole");
  await mkdir(folder, { recursive: true });
  const modules = new Map<string, string>();
  for (const [index, name] of LIBRARIES.entries())
    modules.set(name, await carryingModule(name, root, join(folder, `${index}.js`)));
  return {
    name: "carry-whole",
    setup(build) {
      const filter = new RegExp(`^(?:${LIBRARIES.map((name) => RegExp.escape(name)).join("|")})$`);
      build.onResolve({ filter }, ({ path }) => ({ path, namespace: "whole" }));
      build.onLoad({ filter, namespace: "whole" }, ({ path }) => ({
        contents: modules.get(path) ?? "",
        loader: "js",
      }));
    },
  };
}

/** Bundles a library into a file. Returns a module that imports it, with the same exports. */
async function carryingModule(name: string, root: string, file: string): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [Bun.resolveSync(name, root)],
    target: "bun",
    format: "esm",
    minify: { whitespace: true, syntax: true, identifiers: false },
  });
  const [output] = outputs;
  if (output === undefined) throw new Error(`${name} could not be bundled`);
  await Bun.write(file, output);
  const library: Record<string, unknown> = await import(name);
  const names = Object.keys(library).filter((each) => each !== "default" && each !== "module.exports");
  // What is written for Node.js's older modules has its exports on the default one.
  return [
    `import file from ${JSON.stringify(file)} with { type: "file" };`,
    "const library = await import(file);",
    "const all = { ...library.default, ...library };",
    "export default library.default;",
    ...names.map((each) => `export const ${each} = all[${JSON.stringify(each)}];`),
  ].join("\n");
}
