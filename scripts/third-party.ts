import { readdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** Third-party code in the binary. */
interface Carried {
  name: string;
  version: string;
  /** In the author's words. */
  license: string;
  /** The text of its licence; undefined where its package has none. */
  text: string | undefined;
}

const ROOT = join(import.meta.dir, "..");
/** Licences that allow a program under any other to carry the code, as long as it says so. */
export const PERMISSIVE = [
  "MIT",
  "MIT-0",
  "ISC",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "Apache-2.0",
  "MIT OR Apache",
];
const ENTRIES = [
  { target: "bun", file: "src/main.ts" },
  { target: "browser", file: "src/faces/dashboard/main.tsx" },
] as const;
/** The innermost package of a path. */
const PACKAGE_FOLDER = /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const manifestSchema = z.object({ name: z.string(), version: z.string(), license: z.string() });

/** Third-party code that is not from npm. */
const BESIDES = `Bun ${process.versions.bun}, the runtime: MIT. It carries JavaScriptCore (LGPL-2.0) and others, which
https://bun.sh/docs/project/licensing lists with their licences and sources.

SQLite, in Bun: in the public domain.

The builtin vectors are distilled from all-MiniLM-L6-v2 of sentence-transformers: Apache-2.0.

What the words of other languages mean was learned from the universal-sentence-encoder-multilingual (Apache-2.0) and from
translated texts of Debian and LibreOffice (MPL-2.0). Which words are frequent is from wordfreq by Robyn Speer, whose data
are under CC BY-SA 4.0: https://creativecommons.org/licenses/by-sa/4.0/`;

/** All third-party code in the binary, with its licences. */
export async function thirdPartyText(): Promise<string> {
  const carried = await readCarried();
  const apache = carried.find(({ text }) => text?.includes("TERMS AND CONDITIONS FOR USE"))?.text;
  if (apache === undefined) throw new Error("no package holds the whole text of Apache-2.0");
  const sections = [...Map.groupBy(carried, ({ text }) => text)].map(([text, packages]) =>
    [packages.map(titleOf).join("\n"), text ?? "No words of a licence stand in these packages."].join("\n\n"),
  );
  const parts = [
    "What Docent carries of others",
    BESIDES,
    ...sections,
    ...(await fontTables(carried)),
    `Apache-2.0, in full\n\n${apache}`,
  ];
  return `${parts.join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

/** The tables of fonts that come with pdf.js are Adobe's, under a licence of their own. */
async function fontTables(carried: readonly Carried[]): Promise<string[]> {
  if (!carried.some(({ name }) => name === "pdfjs-dist")) return [];
  const text = await Bun.file(join(ROOT, "node_modules/pdfjs-dist/cmaps/LICENSE")).text();
  return [`The tables of Chinese, Japanese and Korean fonts in pdfjs-dist (BSD-3-Clause)\n\n${text.trim()}`];
}

/** The packages with code in the binary, by name. */
export async function readCarried(): Promise<Carried[]> {
  const folders = (await Promise.all(ENTRIES.map(packageFolders))).flat();
  const carried = await Promise.all([...new Set(folders)].map(readPackage));
  const byTitle = new Map(carried.map((each) => [titleOf(each), each]));
  return [...byTitle].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each);
}

/**
 * The folders of the packages that end up in a bundle: an installed package that nothing bundles is not
 * listed.
 */
async function packageFolders({ target, file }: (typeof ENTRIES)[number]): Promise<string[]> {
  const { metafile } = await Bun.build({
    entrypoints: [join(ROOT, file)],
    target,
    minify: true,
    metafile: true,
    define: { "process.env.NODE_ENV": '"production"' },
  });
  return Object.keys(metafile?.inputs ?? {}).flatMap((path) => {
    const inside = path.indexOf("node_modules/");
    return inside < 0 ? [] : (PACKAGE_FOLDER.exec(path.slice(inside)) ?? []);
  });
}

async function readPackage(folder: string): Promise<Carried> {
  const path = join(ROOT, folder);
  const manifest = manifestSchema.parse(await Bun.file(join(path, "package.json")).json());
  const file = readdirSync(path).find((name) => /^licen[cs]e(?:\.(?:md|txt))?$/i.test(name));
  const text = file === undefined ? undefined : (await Bun.file(join(path, file)).text()).trim();
  return { ...manifest, text };
}

const titleOf = ({ name, version, license }: Carried) => `${name} ${version} (${license})`;

/** What a bill of materials says of the same packages: the lock file has their digests. */
export async function packagesText(): Promise<string> {
  const lock = await Bun.file(join(ROOT, "bun.lock")).text();
  const digestOf = (name: string, version: string) =>
    lock
      .split(`["${name}@${version}",`)[1]
      ?.split("\n")[0]
      ?.match(/"sha512-([^"]+)"/)?.[1];
  const carried = (await readCarried()).map(({ name, version, license }) => ({
    name,
    version,
    license: license === "MIT OR Apache" ? "MIT OR Apache-2.0" : license,
    sha512: digestOf(name, version),
  }));
  const runtime = { name: "bun", version: process.versions.bun, license: "MIT" };
  return `${JSON.stringify([runtime, ...carried], undefined, 2)}\n`;
}
