import type { SiteNavigation } from "@docent/sites/pages/navigation/navigation";
import type { ReaderAddresses, ReaderChoice, ReaderTheme } from "./addresses.ts";
import { type Html, html } from "./html.ts";
import { ICONS } from "./icons.ts";
import { languageName, type ReaderLabels } from "./labels.ts";

/** The most names that a switcher lists: nobody chooses from more. */
const NAMES_MAX = 100;

interface Choices {
  navigation: SiteNavigation;
  /** The page that is shown; empty for the site's first one. */
  path: string;
  choice: ReaderChoice;
  addresses: ReaderAddresses;
  labels: ReaderLabels;
}

/** Links to the same page in other versions and languages; to the first page where it is not in one. */
export function editionSwitchers(choices: Choices): Html | undefined {
  const { navigation, choice, labels } = choices;
  const { versions, languages } = navigation;
  const version =
    versions.length > 1 &&
    choiceOf(choices, { label: labels.version, kind: "version", names: versions, chosen: choice.version });
  const language =
    languages.length > 1 &&
    choiceOf(choices, {
      label: labels.language,
      kind: "language",
      names: languages,
      chosen: choice.language,
    });
  return version || language ? html`<div class="choices">${version}${language}</div>` : undefined;
}

interface OneChoice {
  label: string;
  kind: "version" | "language";
  names: readonly string[];
  chosen: string | undefined;
}

function choiceOf(
  { navigation, path, choice, addresses }: Choices,
  { label, kind, names, chosen }: OneChoice,
) {
  const nameOf = (name: string) => (kind === "language" ? languageName(name) : name);
  const items = names.slice(0, NAMES_MAX).map((name) => {
    const change = { [kind]: name };
    const { version, language } = { ...choice, ...change };
    const target = navigation.pathFor(path, { version, language }) ?? "";
    const current = name === chosen && html` aria-current="true"`;
    const lang = kind === "language" && html` lang="${name}" hreflang="${name}"`;
    return html`<li><a href="${addresses.page(target, change)}"${current}${lang}><bdi>${nameOf(name)}</bdi></a></li>`;
  });
  const shown = chosen === undefined || chosen === "" ? label : nameOf(chosen);
  return html`<details class="choice"><summary aria-label="${label}: ${shown}" title="${label}"><bdi>${shown}</bdi></summary><ul>${items}</ul></details>`;
}

/** Links to the same page in other colours: without a script they are how the theme is chosen. */
export function themeSwitchers(
  query: URLSearchParams,
  theme: ReaderTheme | undefined,
  labels: ReaderLabels,
): Html {
  const link = (name: ReaderTheme | undefined, label: string, icon: Html) => {
    const target = new URLSearchParams(query);
    target.delete("theme");
    if (name !== undefined) target.set("theme", name);
    const current = name === theme && html` aria-current="true"`;
    return html`<a href="?${target.toString()}" data-set-theme="${name ?? ""}"${current} aria-label="${label}" title="${label}">${icon}</a>`;
  };
  return html`<div class="themes" role="group" aria-label="${labels.theme}">${[
    link(undefined, labels.system, ICONS.system),
    link("light", labels.light, ICONS.light),
    link("dark", labels.dark, ICONS.dark),
  ]}</div>`;
}
