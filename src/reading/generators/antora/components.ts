import { asList, asRecord, asText } from "@docent/kernel/text/json";
import { readConfig } from "../config/config.ts";
import type { Unknown } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, nameOf } from "../docs-tree.ts";
import type { Playbook } from "./playbook.ts";
import { type AttributeValue, attributesIn } from "./playbook.ts";

/** A component in one version, as its `antora.yml` describes it. */
export interface Component {
  /** The folder of that file. */
  root: string;
  name: string;
  /** "" where the docs have none. */
  version: string;
  title: string;
  isPrerelease: boolean;
  /** Its menus, in order. */
  nav: string[];
  startPage: string | undefined;
  attributes: Readonly<Record<string, AttributeValue>>;
}

const COMPONENTS_MAX = 500;
const MAIN_MENU = "modules/ROOT/nav.adoc";

/** The components of a source, those that the playbook names where it names some. */
export async function readComponents(
  tree: DocsTree,
  playbook: Playbook,
): Promise<{ components: Component[]; unknowns: Unknown[] }> {
  const unknowns: Unknown[] = [];
  const components: Component[] = [];
  // A template of a description has no pages beside it.
  const all = tree.files.filter(
    (file) => nameOf(file) === "antora.yml" && tree.below(joinLocation(folderOf(file), "modules")).length > 0,
  );
  const named = all.filter((file) => playbook.startPaths?.includes(folderOf(file)));
  for (const location of (named.length > 0 ? named : all).slice(0, COMPONENTS_MAX)) {
    const file = await readConfig(tree, location);
    if (file?.fault !== undefined)
      unknowns.push({
        question: `What does ${location} say? ${file.fault}`,
        guess: `a component without a name in its addresses, whose menu is ${MAIN_MENU}`,
      });
    const said = file?.fault === undefined ? file?.value : { name: "ROOT", nav: [MAIN_MENU] };
    const component = componentIn(asRecord(said), folderOf(location));
    if (component === undefined) continue;
    const { version } = asRecord(file?.value);
    if (version === true || (typeof version === "object" && version !== null))
      unknowns.push({
        question: `Which version are the docs of ${component.name}? Git's names say it to Antora.`,
        guess: "none",
      });
    components.push(component);
  }
  return { components, unknowns };
}

function componentIn(value: Readonly<Record<string, unknown>>, root: string): Component | undefined {
  const name = scalar(value["name"]);
  if (name === undefined || name === "") return undefined;
  return {
    root,
    name,
    version: scalar(value["version"]) ?? "",
    title: scalar(value["title"]) ?? name,
    isPrerelease: value["prerelease"] !== undefined && value["prerelease"] !== false,
    nav: asList(value["nav"])
      .flatMap((each) => asText(each) ?? [])
      .map((each) => joinLocation(root, each)),
    startPage: asText(value["start_page"]),
    attributes: attributesIn(asRecord(asRecord(value["asciidoc"])["attributes"])),
  };
}

const scalar = (value: unknown) =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : undefined;

/** Of each component the version that is wanted, or else the latest. */
export function chosenVersions(components: readonly Component[], wanted: string | undefined): Component[] {
  return [...Map.groupBy(components, ({ name }) => name).values()].flatMap((versions) => {
    const own = versions.find(({ version }) => version === wanted);
    return own ?? latestOf(versions) ?? [];
  });
}

/** The version that Antora calls the latest: without a version, or the highest one that is released. */
function latestOf(versions: readonly Component[]): Component | undefined {
  const released = versions.filter(({ isPrerelease }) => !isPrerelease);
  return (released.length > 0 ? released : versions).toSorted((a, b) =>
    compareVersions(a.version, b.version),
  )[0];
}

const NUMBERED = /^v?\d+(?:\.\d+)*(?:-.*)?$/;

/** Sorts the latest first, as Antora does: words before numbers, and no version last. */
function compareVersions(a: string, b: string): number {
  if (a === b) return 0;
  if (a === "" || b === "") return a === "" ? -1 : 1;
  const [isNumberA, isNumberB] = [NUMBERED.test(a), NUMBERED.test(b)];
  if (isNumberA !== isNumberB) return isNumberA ? 1 : -1;
  if (!isNumberA) return -a.localeCompare(b, "en", { numeric: true });
  const [plainA = "", preA] = a.replace(/^v/, "").split(/-(.*)/s);
  const [plainB = "", preB] = b.replace(/^v/, "").split(/-(.*)/s);
  const numbersA = plainA.split(".").map(Number);
  const numbersB = plainB.split(".").map(Number);
  for (let at = 0; at < 3; at++) {
    const difference = (numbersB[at] ?? 0) - (numbersA[at] ?? 0);
    if (difference !== 0) return difference;
  }
  if (preA === undefined || preB === undefined) return preA === undefined ? -1 : 1;
  return -preA.localeCompare(preB, "en", { numeric: true });
}
