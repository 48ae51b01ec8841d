import type { Slugger } from "../../markdown/anchors.ts";
import { asRecord, asText, isRecord, jsonIn } from "../../text/json.ts";
import { isComputed, knownIn } from "../config/config.ts";
import { type DocsTree, folderOf, joinLocation } from "../docs-tree.ts";

/** Whether a site is one of VuePress 1: its repository says so, or else a theme that is set as only version 1 has it. */
export async function isVersion1(
  tree: DocsTree,
  root: string,
  config: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  for (let folder = root; ; folder = folderOf(folder)) {
    const wanted = wantedVersion(await tree.text(joinLocation(folder, "package.json")));
    if (wanted !== undefined) return /^\D{0,3}[01](?:\.|$)/.test(wanted);
    if (folder === "") break;
  }
  const theme = knownIn(config["theme"]);
  const isCalled = isRecord(config["theme"]) && !isComputed(config["theme"]);
  return config["themeConfig"] !== undefined && !isCalled && !isRecord(theme);
}

function wantedVersion(text: string | undefined): string | undefined {
  const json = asRecord(jsonIn(text ?? ""));
  const wanted = { ...asRecord(json["dependencies"]), ...asRecord(json["devDependencies"]) };
  return ["vuepress", "@vuepress/core", "@vuepress/cli"].flatMap((name) => asText(wanted[name]) ?? []).at(0);
}

/** Letters that are written with others, and have no accent to be taken off. */
const LETTERS: Readonly<Record<string, string>> = {
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ħ: "h",
  ł: "l",
  ŧ: "t",
  ı: "i",
};
const SPECIAL = /[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g;

/**
 * The ids of version 1: a repeated one is `a-2` and the next `a-3`, whatever else the page has, and only Latin letters
 * lose their accents.
 */
export function createVersion1Slugger(): Slugger {
  const counts = new Map<string, number>();
  return {
    unique(words) {
      const id = words
        .replace(/\p{Script=Latin}\p{Mark}*/gu, plainLetter)
        .replace(SPECIAL, "-")
        .replace(/^-|-$/g, "")
        .replace(/^(?=\d)/, "_")
        .toLowerCase();
      const count = (counts.get(id) ?? 0) + 1;
      counts.set(id, count);
      return count === 1 ? id : `${id}-${count}`;
    },
    claim: (anchor) => anchor,
  };
}

function plainLetter(letter: string): string {
  const plain = letter.normalize("NFD").replace(/\p{Mark}/gu, "");
  return LETTERS[plain.toLowerCase()] ?? plain;
}
