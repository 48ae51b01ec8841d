import { mkdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { $ } from "bun";
import manifest from "../package.json" with { type: "json" };
import { bundleWeb } from "../src/faces/bundle.ts";
import { carryWhole } from "./carry-whole.ts";

// Makes the binaries. `bun scripts/build.ts` makes dist/docent for this machine; scripts/release makes those of every
// platform, and all that goes with them.

export interface Target {
  /** Bun's name for the platform. */
  bun: Bun.Build.CompileTarget;
  /** The name of the file. */
  name: string;
  platform: "linux" | "darwin" | "win32";
  arch: "x64" | "arm64";
  /** The package with sqlite-vec's library; musl has none, so that its binary searches by keywords only. */
  vectors: string | undefined;
}

export const TARGETS: readonly Target[] = [
  {
    bun: "bun-linux-x64-modern",
    name: "linux-x64",
    platform: "linux",
    arch: "x64",
    vectors: "sqlite-vec-linux-x64",
  },
  {
    bun: "bun-linux-x64-baseline",
    name: "linux-x64-baseline",
    platform: "linux",
    arch: "x64",
    vectors: "sqlite-vec-linux-x64",
  },
  {
    bun: "bun-linux-arm64",
    name: "linux-arm64",
    platform: "linux",
    arch: "arm64",
    vectors: "sqlite-vec-linux-arm64",
  },
  { bun: "bun-linux-x64-musl", name: "linux-x64-musl", platform: "linux", arch: "x64", vectors: undefined },
  {
    bun: "bun-linux-arm64-musl",
    name: "linux-arm64-musl",
    platform: "linux",
    arch: "arm64",
    vectors: undefined,
  },
  {
    bun: "bun-darwin-arm64",
    name: "macos-arm64",
    platform: "darwin",
    arch: "arm64",
    vectors: "sqlite-vec-darwin-arm64",
  },
  {
    bun: "bun-darwin-x64",
    name: "macos-x64",
    platform: "darwin",
    arch: "x64",
    vectors: "sqlite-vec-darwin-x64",
  },
  {
    bun: "bun-windows-x64",
    name: "windows-x64",
    platform: "win32",
    arch: "x64",
    vectors: "sqlite-vec-windows-x64",
  },
];

const root = join(import.meta.dir, "..");
const dist = join(root, "dist");
/** The releases for this kind of machine, which can be run here. */
const hostTargets = TARGETS.filter(
  ({ platform, arch, vectors }) =>
    platform === process.platform && arch === process.arch && vectors !== undefined,
).map((target) => target.bun);

async function commit(): Promise<string> {
  const result = await $`git -C ${root} rev-parse --short HEAD`.quiet().nothrow();
  return result.exitCode === 0 ? result.text().trim() : "no commit";
}

async function compile(
  outfile: string,
  target: Pick<Target, "platform" | "vectors"> & { bun?: Target["bun"] },
): Promise<void> {
  // Bytecode saves the parsing of modules, half of the start time, for 6 MB of file. Not for other platforms: Bun has made
  // bytecode for them on which the binary crashed (oven-sh/bun#18416), and it cannot be run here.
  const bytecode = target.bun === undefined || hostTargets.includes(target.bun);
  const replaced = [carryVectors(target), carryWeb(await writeWeb()), carryCMaps()];
  const result = await Bun.build({
    entrypoints: [join(root, "src/main.ts")],
    target: "bun",
    format: "esm",
    bytecode,
    minify: { whitespace: true, syntax: true, identifiers: false },
    sourcemap: "none",
    // Code that is imported later is loaded later: a command that needs no server starts in half the time.
    splitting: true,
    define: {
      DOCENT_COMMIT: JSON.stringify(await commit()),
    },
    plugins: [...replaced.map(({ plugin }) => plugin), await carryWhole(root)],
    compile: {
      outfile,
      autoloadDotenv: false,
      autoloadBunfig: false,
      // Until src/cli/cli.ts says that the start is over.
      jitPolicy: 16,
      // What a server needs lies together in the file, so that it has 5 MB less of it in memory: scripts/bytecode/record.ts.
      bytecodeOrder: bytecode && join(root, "scripts/bytecode/order.txt"),
      // Beyond this, Bun answers by itself and reports nothing. The server accepts less:
      // src/doors/server.ts.
      execArgv: ["--max-http-header-size=65536"],
      ...(target.bun ? { target: target.bun } : {}),
    },
  });
  if (!result.success) throw new AggregateError(result.logs, `${outfile} could not be built`);
  const missed = replaced.filter(({ isReplaced }) => !isReplaced()).map(({ plugin }) => plugin.name);
  if (missed.length > 0) throw new Error(`no module was replaced by ${missed.join(", ")}: was a file moved?`);
}

/** A plugin that puts a module in the place of a file, and whether it did. */
interface Replacing {
  plugin: Bun.BunPlugin;
  isReplaced(): boolean;
}

function replacing(name: string, file: RegExp, contents: string): Replacing {
  let isReplaced = false;
  const plugin: Bun.BunPlugin = {
    name,
    setup(build) {
      build.onLoad({ filter: file }, () => {
        isReplaced = true;
        return { contents, loader: "ts" };
      });
    },
  };
  return { plugin, isReplaced: () => isReplaced };
}

/**
 * Replaces src/storage/sqlite/files/vector-library.ts by a module that carries the target platform's library.
 */
function carryVectors({ platform, vectors }: Pick<Target, "platform" | "vectors">): Replacing {
  const ending = { linux: "so", darwin: "dylib", win32: "dll" }[platform];
  const carrying =
    vectors === undefined
      ? "const library = undefined;"
      : `import library from "${vectors}/vec0.${ending}" with { type: "file" };`;
  const contents = `${carrying}\nexport const vectorLibrary = async () => library;`;
  return replacing("carry-vectors", /vector-library\.ts$/, contents);
}

/** Replaces src/reading/documents/pdf/cmaps.ts by a module that carries the tables of pdf.js, a file each: few are ever read. */
function carryCMaps(): Replacing {
  const folder = join(root, "node_modules", "pdfjs-dist", "cmaps");
  const names = [...new Bun.Glob("*.bcmap").scanSync(folder)].sort();
  const imports = names.map(
    (name, index) => `import file${index} from ${JSON.stringify(join(folder, name))} with { type: "file" };`,
  );
  const entries = names.map((name, index) => `[${JSON.stringify(name)}, file${index}]`);
  const contents = `${imports.join("\n")}
    const files = new Map([${entries.join(", ")}]);
    export const readCMap = async (name) => (files.has(name) ? Bun.file(files.get(name)).bytes() : undefined);`;
  return replacing("carry-cmaps", /[\\/]documents[\\/]pdf[\\/]cmaps\.ts$/, contents);
}

/** Bundles the browser code into files for the binary. Returns their paths and content types. */
async function writeWeb(): Promise<{ name: string; contentType: string; path: string }[]> {
  const folder = join(root, ".cache", "web");
  await rm(folder, { recursive: true, force: true });
  const files = await bundleWeb();
  return Promise.all(
    files.map(async ({ name, contentType, bytes }) => {
      const path = join(folder, name);
      await Bun.write(path, bytes);
      return { name, contentType, path };
    }),
  );
}

/** Replaces src/faces/bundled.ts by a module that carries the files instead of bundling them. */
function carryWeb(files: { name: string; contentType: string; path: string }[]): Replacing {
  const imports = files.map(
    ({ path }, index) => `import file${index} from ${JSON.stringify(path)} with { type: "file" };`,
  );
  const entries = files.map(
    ({ name, contentType }, index) =>
      `{ name: ${JSON.stringify(name)}, contentType: ${JSON.stringify(contentType)}, path: file${index} }`,
  );
  const contents = `${imports.join("\n")}
    const files = [${entries.join(", ")}];
    export const readBundled = () => Promise.all(files.map(async ({ path, ...file }) => ({ ...file, bytes: await Bun.file(path).bytes() })));`;
  return replacing("carry-web", /[\\/]faces[\\/]bundled\.ts$/, contents);
}

/** Fetches another platform's library, checked against the lock file's hash, without installing it here. */
async function fetchVectors(name: string): Promise<void> {
  const target = join(root, "node_modules", name);
  if (await Bun.file(join(target, "package.json")).exists()) return;
  const version = manifest.dependencies["sqlite-vec"];
  const folder = join(root, ".cache", "vectors");
  await mkdir(folder, { recursive: true });
  const packed = (
    await $`npm pack ${`${name}@${version}`} --silent --pack-destination ${folder}`.text()
  ).trim();
  const file = join(folder, basename(packed));
  await checkIntegrity(name, file);
  await mkdir(target, { recursive: true });
  await $`tar -xzf ${file} -C ${target} --strip-components=1`;
}

async function checkIntegrity(name: string, file: string): Promise<void> {
  const lock = await Bun.file(join(root, "bun.lock")).text();
  const expected = new RegExp(`"${name}@[^\\n]*"(sha512-[^"]+)"`).exec(lock)?.[1];
  const hash = new Bun.CryptoHasher("sha512").update(await Bun.file(file).arrayBuffer()).digest("base64");
  if (expected !== `sha512-${hash}`) throw new Error(`${name} is not what bun.lock says it is`);
}

/** Builds the binary of a platform, whose library is fetched where it is not here. */
export async function buildFor(target: Target, outfile: string): Promise<void> {
  if (target.vectors) await fetchVectors(target.vectors);
  await compile(outfile, target);
}

function report(line: string): void {
  process.stdout.write(`${line}\n`);
}

if (import.meta.main) {
  const { platform, arch } = process;
  if (platform !== "linux" && platform !== "darwin" && platform !== "win32")
    throw new Error(`${platform} is not built for`);
  if (arch !== "x64" && arch !== "arm64") throw new Error(`${arch} is not built for`);
  const here = TARGETS.find((target) => target.platform === platform && target.arch === arch);
  const outfile = join(dist, platform === "win32" ? "docent.exe" : "docent");
  await compile(outfile, { platform, vectors: here?.vectors });
  report(`${outfile}  ${Math.round(Bun.file(outfile).size / 1_000_000)} MB`);
}
