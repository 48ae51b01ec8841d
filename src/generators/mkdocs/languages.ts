import { asList, asRecord, asText } from "../../text/json.ts";
import { folderOf, joinLocation, nameOf, stemOf } from "../docs-tree.ts";
import type { MkDocsSettings } from "./settings.ts";

/** A language that the plugin `i18n` publishes. */
export interface Language {
  code: string;
  isDefault: boolean;
  isBuilt: boolean;
  /** What its addresses begin with: "" for the default one. */
  prefix: string;
}

/** Tells the language of a file, and its name without it. */
export interface Languages {
  /** Of a file, from its place below the folder of pages. */
  of(below: string): { name: string; language: Language | undefined };
}

export function createLanguages({ plugins }: MkDocsSettings): Languages {
  const options = plugins.get("i18n");
  const languages = asList(options?.["languages"]).map((each) => languageOf(asRecord(each)));
  if (languages.length === 0) return { of: (name) => ({ name, language: undefined }) };
  const byCode = new Map(languages.map((language) => [language.code, language]));
  const usual = languages.find(({ isDefault }) => isDefault);
  const isByFolder = asText(options?.["docs_structure"]) === "folder";
  return {
    of(below) {
      if (isByFolder) {
        const [code = "", ...rest] = below.split("/");
        const language = byCode.get(code);
        return language === undefined ? { name: below, language: usual } : { name: rest.join("/"), language };
      }
      const name = nameOf(below);
      const stem = stemOf(name);
      const language = byCode.get(stem.slice(stem.lastIndexOf(".") + 1));
      if (language === undefined || !stem.includes(".")) return { name: below, language: usual };
      const plain = stem.slice(0, stem.lastIndexOf(".")) + name.slice(stem.length);
      return { name: joinLocation(folderOf(below), plain), language };
    },
  };
}

function languageOf(said: Readonly<Record<string, unknown>>): Language {
  const code = asText(said["locale"]) ?? "";
  const isDefault = said["default"] === true;
  return { code, isDefault, isBuilt: said["build"] !== false, prefix: isDefault ? "" : code };
}
