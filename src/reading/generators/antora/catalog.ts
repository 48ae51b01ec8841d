import { type DocsTree, joinLocation } from "../docs-tree.ts";
import type { Component } from "./components.ts";
import type { Playbook } from "./playbook.ts";

/** A file of a component by what Antora calls its coordinates. */
export interface Resource {
  location: string;
  component: Component;
  module: string;
  family: string;
  /** Below the folder of its family. */
  relative: string;
}

/** What a reference is written in: what it leaves out is the same as there. */
type Context = Pick<Resource, "component" | "module" | "relative">;

/** The files of all components. */
export interface Catalog {
  resources: readonly Resource[];
  at(location: string): Resource | undefined;
  /** The file that `version@component:module:family$relative` means. */
  resolve(spec: string, context: Context, family: string): Resource | undefined;
  /** Notes where a page was before. */
  addAlias(spec: string, page: Resource): string | undefined;
  /** The address of a page, without slashes around it. */
  pathOf(page: Pick<Resource, "component" | "module" | "relative">): string;
}

const SPEC = /^(?:([^@:$]+)@)?(?:(?:([^@:$]+):)?([^@:$]+)?:)?(?:([^@:$]+)\$)?([^:$][^@:$]*)$/;
const FAMILIES = new Map([
  ["pages", "page"],
  ["partials", "partial"],
  ["examples", "example"],
  ["images", "image"],
  ["attachments", "attachment"],
]);

export function createCatalog(tree: DocsTree, components: readonly Component[], playbook: Playbook): Catalog {
  const resources = components.flatMap((component) =>
    tree.below(component.root).flatMap((file) => resourceAt(file, component) ?? []),
  );
  const byKey = new Map(resources.map((each) => [keyOf(each), each]));
  const byLocation = new Map(resources.map((each) => [each.location, each]));
  const byName = new Map(components.map((each) => [each.name, each]));
  const aliases = new Map<string, Resource>();

  function read(spec: string, context: Context, usual: string): Omit<Resource, "location"> | undefined {
    const [whole, version, name, module, family = usual, written = ""] = SPEC.exec(spec) ?? [];
    const component = name === undefined ? context.component : byName.get(name);
    if (whole === undefined || component === undefined) return undefined;
    // Other versions are not read, and what they hold is taken to be here as well.
    if (version !== undefined && !isVersion(component, version)) return undefined;
    const usualModule = name === undefined ? context.module : "ROOT";
    return { component, module: module ?? usualModule, family, relative: relativeOf(written, context) };
  }
  const pathOf: Catalog["pathOf"] = ({ component, module, relative }) =>
    addressOf({ component, module, relative }, playbook);
  return {
    resources,
    at: (location) => byLocation.get(location),
    resolve(spec, context, family) {
      const id = read(spec, context, family);
      if (id === undefined) return undefined;
      return byKey.get(keyOf(id)) ?? (id.family === "page" ? aliases.get(keyOf(id)) : undefined);
    },
    addAlias(spec, page) {
      const id = read(spec.endsWith(".adoc") ? spec : `${spec}.adoc`, page, "page");
      if (id === undefined || byKey.has(keyOf(id)) || aliases.has(keyOf(id))) return undefined;
      aliases.set(keyOf(id), page);
      return pathOf(id);
    },
    pathOf,
  };
}

const isVersion = ({ version }: Component, written: string) => (written === "_" ? "" : written) === version;

const keyOf = ({ component, module, family, relative }: Omit<Resource, "location">) =>
  `${component.name}:${module}:${family}$${relative}`;

/** A file by its place below `modules`; undefined for what Antora does not read. */
function resourceAt(location: string, component: Component): Resource | undefined {
  const below = component.root === "" ? location : location.slice(component.root.length + 1);
  const [modules, module, ...rest] = below.split("/");
  if (modules !== "modules" || module === undefined) return undefined;
  const places = rest[0] === "assets" ? rest.slice(1) : rest;
  const family = FAMILIES.get(places[0] ?? "");
  if (family === undefined || places.length < 2) return undefined;
  if (family === "page" && places[1] === "_partials")
    return { location, component, module, family: "partial", relative: places.slice(2).join("/") };
  if (family === "page" && !location.endsWith(".adoc")) return undefined;
  return { location, component, module, family, relative: places.slice(1).join("/") };
}

function relativeOf(written: string, context: Context): string {
  if (!written.includes("/")) return written;
  const segments = written.split("/");
  const from = segments[0] === "." ? context.relative.split("/").slice(0, -1) : [];
  const found: string[] = [];
  for (const name of [...from, ...segments]) {
    if (name === "..") found.pop();
    else if (name !== "" && name !== ".") found.push(name);
  }
  return found.join("/");
}

function addressOf(
  { component, module, relative }: Pick<Resource, "component" | "module" | "relative">,
  { extensionStyle, latestSegment }: Playbook,
): string {
  const version = component.version === "master" ? "" : component.version;
  // Where several versions are published, the one that is read is the latest.
  const segment = version === "" || component.isPrerelease ? version : (latestSegment ?? version);
  const folders = [component.name === "ROOT" ? "" : component.name, segment, module === "ROOT" ? "" : module];
  const stem = relative.replace(/\.adoc$/, "");
  const base = folders.filter((each) => each !== "").join("/");
  const page = stem.replace(/(^|\/)index$/, "");
  if (page === "" || page.endsWith("/") || page !== stem) return joinLocation(base, page.replace(/\/$/, ""));
  return joinLocation(base, extensionStyle === "default" ? `${page}.html` : page);
}
