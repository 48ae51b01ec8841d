import { resolve } from "node:path";
import { openBundle } from "../../../bundle/bundle.ts";
import { type Command, word } from "../../command.ts";
import { printJson } from "../../output.ts";
import {
  BUNDLE_SHAPE,
  bundleJson,
  bundleText,
  checkSigned,
  KEY_OPTION_HELP,
  KEY_OPTIONS,
} from "./described.ts";

export { bundleInstall, bundleRecover } from "./install.ts";
export { bundleKey } from "./key.ts";
export { bundleMake } from "./make.ts";

export const bundleShow: Command = {
  words: [1, 1],
  json: { shape: BUNDLE_SHAPE },
  async run(context) {
    const bundle = await openBundle(resolve(word(context, 0)));
    if (context.options["json"] === true) return printJson(context, bundleJson(bundle));
    context.terminal.out(bundleText(bundle));
    return undefined;
  },
};

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
