import { asRecord, asText, isRecord, jsonIn } from "@docent/kernel/text/json";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import { isComputed, knownIn, readConfig, readScript } from "../config/config.ts";
import { type DocsTree, folderOf, joinLocation, nameOf, resolveLocation } from "../docs-tree.ts";
import type { EleventySettings } from "./settings.ts";

export type Data = Readonly<Record<string, unknown>>;

/** A page's front matter and body. */
interface Source {
  data: Data;
  body: string;
  fault?: string | undefined;
}

const OTHER_FRONT = /^---[ \t]*(js|javascript|json)[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

/** Splits off front matter, which may be a script, and is then read as data. */
export async function readSource(text: string): Promise<Source> {
  const [whole, kind, written = ""] = OTHER_FRONT.exec(text) ?? [];
  if (whole === undefined) return splitFrontMatter(text);
  const body = text.slice(whole.length);
  // Who may read a page is said there too: where that cannot be read, it is for nobody.
  const unread = /\bgroups?\b/.test(written) ? { groups: {} } : {};
  if (kind === "json") {
    const value = jsonIn(written);
    return isRecord(value)
      ? { data: value, body }
      : { data: unread, body, fault: "front matter is not valid JSON" };
  }
  const isObject = /^\s*\{/.test(written);
  const script = isObject
    ? `export default (${written})`
    : written.replace(/^(?=(?:const|let|var|function)\b)/gm, "export ");
  const { value, named, fault } = await readScript(script, async () => undefined);
  return {
    data: isObject ? asRecord(knownIn(value)) : named,
    body,
    ...(fault === undefined ? {} : { fault }),
  };
}

/** What is said of pages outside of them. */
interface DataCascade {
  /** All of it for one page, with its own front matter. */
  dataOf(location: string, own: Data): Promise<Data>;
}

const FILES_MAX = 500;
const LAYOUTS_DEEP_MAX = 8;

export async function createCascade(tree: DocsTree, settings: EleventySettings): Promise<DataCascade> {
  const shared = merged(await globalData(tree, settings), settings.globalData);
  const files = new Map<string, Promise<Data>>();
  const read = (location: string) => {
    const known = files.get(location) ?? dataIn(tree, location);
    files.set(location, known);
    return known;
  };
  return {
    async dataOf(location, own) {
      let around: Data = {};
      for (const file of placesOf(location, settings))
        if (tree.has(file)) around = merged(around, await read(file));
      const said = merged(around, own);
      const layouts = await layoutData(tree, settings, asText(said["layout"]) ?? asText(shared["layout"]));
      return merged(merged(shared, layouts), said);
    },
  };
}

/** The files of data for a page, the outermost first. */
function placesOf(location: string, { input, dataSuffixes, dataName }: EleventySettings): string[] {
  const places: string[] = [];
  const stem = location.replace(/\.\w+$/, "");
  const add = (base: string, suffixes: readonly string[]) => {
    for (const suffix of suffixes.toReversed()) {
      places.push(`${base}${suffix}.json`);
      if (suffix !== "") places.push(...["mjs", "cjs", "js"].map((end) => `${base}${suffix}.${end}`));
    }
  };
  const folders: string[] = [];
  for (let folder = folderOf(location); ; folder = folderOf(folder)) {
    folders.unshift(folder);
    if (folder === input || folder === "") break;
  }
  for (const folder of folders) {
    if (dataName !== undefined)
      add(
        joinLocation(folder, dataName),
        dataSuffixes.filter((each) => each !== ""),
      );
    else if (folder !== "") add(joinLocation(folder, nameOf(folder)), dataSuffixes);
  }
  add(stem, dataSuffixes);
  return places;
}

async function dataIn(tree: DocsTree, location: string): Promise<Data> {
  const value = knownIn((await readConfig(tree, location))?.value);
  return isRecord(value) && !isComputed(value) ? value : {};
}

async function globalData(tree: DocsTree, { dataFolder }: EleventySettings): Promise<Data> {
  const data: Record<string, unknown> = Object.create(null);
  const files = tree.below(dataFolder).filter((file) => /\.(?:json|ya?ml|[cm]?js)$/.test(file));
  for (const location of files.slice(0, FILES_MAX)) {
    const below = location.slice(dataFolder.length + 1);
    // What lies deeper is named by its folders, which few pages do.
    if (below.includes("/")) continue;
    const file = await readConfig(tree, location);
    const name = below.replace(/(?:\.11tydata)?\.\w+$/, "");
    if (file !== undefined && file.fault === undefined) data[name] = file.value;
  }
  return data;
}

/** What the front matter of a page's layout says, and of the layouts around that. */
async function layoutData(
  tree: DocsTree,
  { layouts }: EleventySettings,
  name: string | undefined,
): Promise<Data> {
  let data: Data = {};
  let wanted = name;
  for (let depth = 0; wanted !== undefined && depth < LAYOUTS_DEEP_MAX; depth++) {
    const place = resolveLocation(layouts, wanted) ?? "";
    const location = ["", ".njk", ".liquid", ".html", ".md"]
      .map((end) => place + end)
      .find((each) => tree.has(each));
    const text = location === undefined ? undefined : await tree.text(location);
    if (text === undefined) break;
    const own = (await readSource(text)).data;
    data = merged(own, data);
    wanted = asText(own["layout"]);
  }
  return data;
}

const DEEP_MAX = 5;

/** One record over another, with those inside of them. */
function merged(below: Data, above: Data, depth = 0): Data {
  const made: Record<string, unknown> = Object.assign(Object.create(null), below);
  for (const [name, value] of Object.entries(above)) {
    const under = made[name];
    const isBoth =
      isRecord(under) && isRecord(value) && !isComputed(under) && !isComputed(value) && depth < DEEP_MAX;
    made[name] = isBoth ? merged(under, value, depth + 1) : value;
  }
  return made;
}
