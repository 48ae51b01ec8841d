import { resolve } from "node:path";
import { AppError } from "@docent/kernel/errors";
import { installBundleHere, recoverHere } from "@docent/running/app/bundle";
import { type Bundle, type Kept, openBundle } from "@docent/running/bundle/bundle";
import { z } from "zod";
import { type Command, type Context, textOption, word } from "../../command.ts";
import { printJson, printNote } from "../../output.ts";
import { checkSigned, KEY_OPTION_HELP, KEY_OPTIONS } from "./described.ts";
import { ownProgram } from "./make.ts";

const MODELS_FOLDER_HELP =
  "Ollama's folder on this machine, to copy models into; without it, Ollama is asked";
const RECOVERED = {
  nothing: "",
  "taken back": "An installation that was broken off was taken back.",
  finished: "An installation that was nearly done was finished.",
};

export const bundleInstall: Command = {
  words: [1, 1],
  json: {
    shape: z.object({
      id: z.string(),
      madeAt: z.string(),
      recovered: z.string(),
      binary: z.string().nullable(),
      models: z.array(z.string()),
      /** Where the database and the program are that were here before. */
      keptDatabase: z.string().nullable(),
      keptBinary: z.string().nullable(),
    }),
  },
  options: {
    ...KEY_OPTIONS,
    to: { type: "string" },
    "without-binary": { type: "boolean" },
    "keep-database": { type: "boolean" },
    "models-folder": { type: "string" },
    older: { type: "boolean" },
  },
  optionHelp: {
    ...KEY_OPTION_HELP,
    to: "where the program goes; the one that runs is replaced by default",
    "without-binary": "leave the program that is here as it is",
    "keep-database": "leave the database that is here as it is",
    "models-folder": MODELS_FOLDER_HELP,
    older: "go back: take a bundle that was made before the one that was installed here last",
  },
  async run(context) {
    const file = resolve(word(context, 0));
    const bundle = await openBundle(file);
    const signedBy = checkSigned(context, bundle);
    const binary = binaryPlace(context, bundle);
    printNote(context, "Checking the bundle");
    await bundle.check(context.signal);
    const folder = textOption(context, "models-folder");
    const { recovered, ...kept } = await installBundleHere(context.surroundings, bundle, {
      binary,
      keepsDatabase: context.options["keep-database"] === true,
      modelsFolder: folder === undefined ? undefined : resolve(folder),
      signedBy,
      takesOlder: context.options["older"] === true,
      signal: context.signal,
      onStep: (says) => printNote(context, says),
    });
    // In the log of what was installed: that of what was there before is kept with it.
    if (bundle.manifest.database !== null && context.options["keep-database"] !== true)
      await context.record({ kind: "backup.restored", subject: { name: file } });
    const models = bundle.manifest.models.map(({ name }) => name);
    if (context.options["json"] === true)
      return printJson(context, {
        id: bundle.id,
        madeAt: bundle.manifest.madeAt,
        recovered,
        binary: binary ?? null,
        models,
        keptDatabase: kept.database ?? null,
        keptBinary: kept.binary ?? null,
      });
    if (recovered !== "nothing") printNote(context, RECOVERED[recovered]);
    context.terminal.out(installedText(bundle, kept));
    return undefined;
  },
};

/** What was installed, and where that is which it took the place of. */
const installedText = ({ manifest: { madeAt, docent } }: Bundle, kept: Kept): string =>
  [
    `Installed the bundle of ${madeAt}, made by Docent ${docent}.`,
    kept.database === undefined
      ? []
      : [
          `The database that was here is in ${kept.database}, with its members, keys, settings and conversations.`,
          `To go back to it: docent restore ${kept.database}`,
        ],
    kept.binary === undefined ? [] : [`The program that was here is ${kept.binary}.`],
    "Start the server now.",
    "",
  ]
    .flat()
    .join("\n");

/** Where the bundle's program goes. Raises `invalid_request` for one that could not run here. */
function binaryPlace(context: Context, { manifest: { files, platform } }: Bundle): string | undefined {
  if (context.options["without-binary"] === true || !files.some(({ path }) => path === "bin/docent"))
    return undefined;
  const here = `${process.platform}-${process.arch}`;
  if (platform !== null && platform !== here)
    throw new AppError("invalid_request", `The bundle's program is for ${platform}, and this is ${here}.`, {
      hint: "Make the bundle with --binary and the program for here, or install the rest with --without-binary.",
    });
  const named = textOption(context, "to");
  const place = named === undefined ? ownProgram() : resolve(named);
  if (place !== undefined) return place;
  throw new AppError("invalid_request", "Say where the program goes.", {
    hint: "Such as --to /usr/local/bin/docent; or leave it out with --without-binary.",
  });
}

export const bundleRecover: Command = {
  words: [0, 0],
  json: { shape: z.object({ recovered: z.string() }) },
  options: { "models-folder": { type: "string" } },
  optionHelp: { "models-folder": MODELS_FOLDER_HELP },
  async run(context) {
    const folder = textOption(context, "models-folder");
    const recovered = await recoverHere(context.surroundings, {
      modelsFolder: folder === undefined ? undefined : resolve(folder),
      signal: context.signal,
    });
    if (context.options["json"] === true) return printJson(context, { recovered });
    context.terminal.out(`${RECOVERED[recovered] || "No installation was broken off."}\n`);
    return undefined;
  },
};
