import { statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { AppError } from "@docent/kernel/errors";
import { VERSION } from "@docent/kernel/version";
import { makeBundleHere } from "@docent/running/app/bundle";
import { cycloneDx, openBundle, platformOf, readBase, spdx } from "@docent/running/bundle/bundle";
import license from "../../../../LICENSE" with { type: "text" };
import { type Command, type Context, textOption, textsOption, word } from "../../command.ts";
import { printJson } from "../../output.ts";
import thirdParty from "../../third-party.txt" with { type: "text" };
import { BUNDLE_SHAPE, bundleJson, bundleText, readKey } from "./described.ts";

export const bundleMake: Command = {
  words: [1, 1],
  json: { shape: BUNDLE_SHAPE },
  options: {
    binary: { type: "string" },
    "without-binary": { type: "boolean" },
    "without-database": { type: "boolean" },
    "with-model": { type: "string", multiple: true },
    "models-folder": { type: "string" },
    since: { type: "string" },
    sign: { type: "string" },
  },
  optionHelp: {
    binary: "the program for the other side; this one by default",
    "without-binary": "leave the program out",
    "without-database": "leave the database out",
    "with-model": "a model of Ollama's to bring, such as llama3.2:3b; may be repeated",
    "models-folder": "where Ollama keeps its models; OLLAMA_MODELS or ~/.ollama/models by default",
    since: "an older bundle, or its manifest.json: what the other side has of it is left out",
    sign: "the private key (PEM) to sign with",
  },
  async run(context) {
    const target = resolve(word(context, 0));
    const since = textOption(context, "since");
    const sign = textOption(context, "sign");
    const { surroundings, signal } = context;
    await makeBundleHere(surroundings, context.openParts, target, {
      docent: VERSION,
      binary: await binaryOf(context),
      withDatabase: context.options["without-database"] !== true,
      models: { folder: modelsFolderOf(context), names: textsOption(context, "with-model") ?? [] },
      texts: await textsOf(surroundings.clock()),
      since: since === undefined ? undefined : await readBase(resolve(since)),
      privateKey: sign === undefined ? undefined : readKey(resolve(sign)),
      temporaryFolder: context.temporaryFolder().path,
      signal,
    });
    const bundle = await openBundle(target);
    // The bundle holds every organization, as a backup does.
    if (bundle.manifest.database !== null)
      await context.record({ kind: "backup.taken", subject: { name: target } });
    if (context.options["json"] === true) return printJson(context, bundleJson(bundle));
    context.terminal.out(`${bundleText(bundle)}Wrote ${target}.\n`);
    return undefined;
  },
};

/** Ollama's folder: named, or where Ollama itself would look. */
function modelsFolderOf(context: Context): string {
  const named = textOption(context, "models-folder") ?? context.surroundings.environment["OLLAMA_MODELS"];
  return named ? resolve(named) : join(homedir(), ".ollama", "models");
}

async function binaryOf(context: Context) {
  if (context.options["without-binary"] === true) return undefined;
  const named = textOption(context, "binary");
  const file = named === undefined ? ownProgram() : resolve(named);
  if (file === undefined)
    throw new AppError(
      "invalid_request",
      "This Docent runs from source, and is no program that could be carried.",
      {
        hint: "Name one with --binary, or leave it out: --without-binary.",
      },
    );
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isFile() !== true) throw new AppError("not_found", `There is no program ${file}.`);
  return { file, bytes: found.size, platform: await platformOf(file) };
}

/** The compiled program that runs; undefined where the runtime was given sources. */
export const ownProgram = (): string | undefined =>
  Bun.main.startsWith("/$bunfs/") || Bun.main.startsWith("B:/~BUN/") ? process.execPath : undefined;

/** What is small and always goes along, by its path. */
async function textsOf(at: number): Promise<Record<string, string>> {
  const { OWN_DOCS } = await import("../../own-docs.ts");
  const bill = { version: VERSION, at };
  return {
    LICENSE: license,
    "licenses/third-party.txt": thirdParty,
    "sbom/docent.spdx.json": `${JSON.stringify(spdx(bill), undefined, 2)}\n`,
    "sbom/docent.cdx.json": `${JSON.stringify(cycloneDx(bill), undefined, 2)}\n`,
    ...Object.fromEntries(Object.entries(OWN_DOCS).map(([name, text]) => [`docs/${name}`, text])),
  };
}
