import { resolve } from "node:path";
import { installedHere } from "../../../app/bundle.ts";
import { openBundle } from "../../../bundle/bundle.ts";
import { AppError } from "../../../errors.ts";
import { type Command, type Context, word } from "../../command.ts";
import { printJson } from "../../output.ts";
import {
  BUNDLE_SHAPE,
  bundleJson,
  bundleText,
  checkSigned,
  type Described,
  KEY_OPTION_HELP,
  KEY_OPTIONS,
} from "./described.ts";

export { bundleInstall, bundleRecover } from "./install.ts";
export { bundleKey } from "./key.ts";
export { bundleMake } from "./make.ts";

export const bundleShow: Command = {
  words: [0, 1],
  json: { shape: BUNDLE_SHAPE },
  async run(context) {
    const [file] = context.words;
    const bundle = file === undefined ? await installed(context) : await openBundle(resolve(file));
    if (context.options["json"] === true) return printJson(context, bundleJson(bundle));
    context.terminal.out(bundleText(bundle));
    return undefined;
  },
};

/** What is in the data directory, and how it came there. */
async function installed({ surroundings }: Context): Promise<Described> {
  const earlier = await installedHere(surroundings);
  if (earlier !== undefined) return earlier;
  throw new AppError("not_found", `No bundle was installed into ${surroundings.config.data}.`, {
    hint: "docent bundle show <file> says what a bundle holds.",
  });
}

export const bundleVerify: Command = {
  words: [1, 1],
  json: { shape: BUNDLE_SHAPE },
  options: KEY_OPTIONS,
  optionHelp: KEY_OPTION_HELP,
  async run(context) {
    const bundle = await openBundle(resolve(word(context, 0)));
    checkSigned(context, bundle);
    await bundle.check(context.signal);
    if (context.options["json"] === true) return printJson(context, bundleJson(bundle));
    context.terminal.out(`${bundleText(bundle)}Everything in it is as it was made.\n`);
    return undefined;
  },
};
