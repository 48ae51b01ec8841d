import { withoutComments } from "@docent/kernel/text/code-spans";
import { asList, asRecord, asText } from "@docent/kernel/text/json";
import { escapeDestination, escapeLabel } from "@docent/kernel/text/write-markdown";
import { writeCallout } from "../../writing/writing.ts";
import { wordOf } from "../content.ts";
import { readSource } from "../front-matter.ts";
import { paramOf } from "../site.ts";
import { argumentOf, NOTHING, type ShortcodeContext, type WriteShortcode } from "./writing.ts";

const GLOSSARY = "docs/reference/glossary";
const FEATURE_GATES = "docs/reference/command-line-tools-reference/feature-gates";

/** A part of a folder's page, by its name: a term of the glossary, a feature gate. */
async function readPart(
  { site, page }: ShortcodeContext,
  folder: string,
  name: string,
): Promise<ReturnType<typeof readSource> | undefined> {
  const { mounts } = site.settings;
  const own = mounts.filter(({ language }) => language === page.language);
  for (const { source } of [...own, ...mounts.filter(({ language }) => language.isDefault)]) {
    const text = /^[\w.-]+$/.test(name) ? await site.tree.text(`${source}/${folder}/${name}.md`) : undefined;
    if (text !== undefined) return readSource(text);
  }
  return undefined;
}

/** A word that the glossary explains, as a link to its page. */
const writeTerm: WriteShortcode = async (shortcode, context) => {
  const id = argumentOf(shortcode, ["term_id", "term", "id"], 0) ?? "";
  const term = await readPart(context, GLOSSARY, id);
  const title = wordOf(term?.data["title"]) ?? id.replaceAll("-", " ");
  const text = argumentOf(shortcode, ["text"]) ?? title;
  const href =
    wordOf(term?.data["full_link"]) ?? (term === undefined ? undefined : `/${GLOSSARY}/?all=true#term-${id}`);
  return { inline: href === undefined ? text : `[${escapeLabel(text)}](${escapeDestination(href)})` };
};

const writeDefinition: WriteShortcode = async (shortcode, context) => {
  const id = argumentOf(shortcode, ["term_id"], 0) ?? "";
  const term = await readPart(context, GLOSSARY, id);
  if (term === undefined) {
    context.faults.add(`the glossary has no term "${id.slice(0, 60)}"`);
    return NOTHING;
  }
  const isAll = ["all", "long"].includes(argumentOf(shortcode, ["length"]) ?? "");
  const whole = withoutComments(term.body).trim();
  const shown = isAll ? whole : (whole.split(/\n[ \t]*\n/, 1)[0] ?? "");
  const text = await context.expand(shown.trim(), {
    ...context,
    files: [...context.files, `${GLOSSARY}/${id}`],
  });
  const prepend = argumentOf(shortcode, ["prepend"]);
  return {
    block: prepend === undefined ? text : `${prepend} ${text.charAt(0).toLowerCase()}${text.slice(1)}`,
  };
};

/** A heading's words, which are the same on many pages. */
const writeHeading: WriteShortcode = async (shortcode, context) => {
  const name = argumentOf(shortcode, ["name"], 0) ?? "";
  return { inline: (await stringOf(context, `${name}_heading`)) ?? name };
};

async function stringOf({ site, page }: ShortcodeContext, key: string): Promise<string | undefined> {
  const [main = page.language] = site.settings.languages;
  return (await site.strings(page.language)).get(key) ?? (await site.strings(main)).get(key);
}

const writeString =
  (key: string): WriteShortcode =>
  async (_, context) => {
    const text = await stringOf(context, key);
    return text === undefined ? NOTHING : { block: writeCallout({ kind: "note", body: text }, context) };
  };

const writeFeatureState: WriteShortcode = async (shortcode, context) => {
  const gate = argumentOf(shortcode, ["feature_gate_name"]);
  const label = ((await stringOf(context, "feature_state")) ?? "Feature state").replace(/:$/, "");
  const project =
    argumentOf(shortcode, ["project"]) ?? (await stringOf(context, "feature_state_kubernetes_label"));
  const stages =
    gate === undefined ? [] : asList((await readPart(context, FEATURE_GATES, gate))?.data["stages"]);
  const latest = asRecord(stages.at(-1));
  const state = asText(latest["stage"]) ?? argumentOf(shortcode, ["state"]);
  const from = wordOf(latest["fromversion"]);
  const version =
    from === undefined
      ? argumentOf(shortcode, ["for_k8s_version", "for_version"])
      : `v${from.replace(/^v/, "")}`;
  const words = [
    project,
    version ?? paramOf(context.page, "version"),
    state === undefined ? undefined : `[${state}]`,
  ];
  const said = words.filter((word) => word !== undefined).join(" ");
  const named = gate === undefined ? "" : ` (feature gate \`${gate}\`)`;
  return { block: `**${label}:** ${said.replace(/[[\]]/g, "\\$&")}${named}` };
};

/** A version that is counted from the latest. */
const writeSkew: WriteShortcode = (shortcode, { page }) => {
  const latest = (paramOf(page, "latest") ?? "").replace(/^v/, "");
  const [major = "", minor = ""] = latest.split(".");
  const [name = "", offset = "0", separator = "."] = shortcode.positional;
  const steps: Record<string, number> = { nextMinorVersion: 1, prevMinorVersion: -1, oldestMinorVersion: -2 };
  const base = name.startsWith("currentVersion")
    ? (paramOf(page, "version") ?? latest).replace(/^v/, "")
    : latest;
  if (name === "currentPatchVersion" || latest === "") return { inline: base };
  const start = name.startsWith("currentVersion") ? Number(base.split(".")[1]) : Number(minor);
  const number = start + (steps[name] ?? Number(name.endsWith("AddMinor") ? offset : 0));
  return { inline: `${major}${name.endsWith("AddMinor") ? separator : "."}${number}` };
};

const writeParam =
  (name: string): WriteShortcode =>
  (_, { page }) => ({ inline: paramOf(page, name) ?? "" });

const writeApiReference: WriteShortcode = (shortcode) => {
  const page = argumentOf(shortcode, ["page"], 0) ?? "";
  const anchor = argumentOf(shortcode, ["anchor"], 1);
  const text = argumentOf(shortcode, ["text"], 2) ?? anchor ?? page.slice(page.lastIndexOf("/") + 1);
  const rest = anchor === undefined ? "" : `#${anchor}`;
  return {
    inline: `[${escapeLabel(text)}](${escapeDestination(`/docs/reference/kubernetes-api/${page.replace(/^\/|\/$/g, "")}/${rest}`)})`,
  };
};

const writeTable: WriteShortcode = async (shortcode, context) => {
  const caption = argumentOf(shortcode, ["caption"]);
  const text = (await context.inner(shortcode)).trim();
  return { block: caption === undefined ? text : `${text}\n\n${caption}` };
};

/** The shortcodes of Kubernetes' docs, which the sites of its projects have too. */
export const KUBERNETES: readonly [string, WriteShortcode][] = [
  ["glossary_tooltip", writeTerm],
  ["term", writeTerm],
  ["glossary_definition", writeDefinition],
  ["heading", writeHeading],
  ["feature-state", writeFeatureState],
  ["skew", writeSkew],
  ["latest-version", writeParam("latest")],
  ["latest-semver", writeParam("latest")],
  ["api-reference", writeApiReference],
  ["table", writeTable],
  ["thirdparty-content", writeString("thirdparty_message")],
];
