import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { AppError } from "@docent/kernel/errors";
import { installedHere } from "@docent/running/app/bundle";
import { fingerprintOf, makeKeyPair, openBundle } from "@docent/running/bundle/bundle";
import { z } from "zod";
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

export const bundleKey: Command = {
  words: [1, 1],
  json: { shape: z.object({ privateKey: z.string(), publicKey: z.string(), fingerprint: z.string() }) },
  async run(context) {
    const name = resolve(word(context, 0));
    const [privateFile, publicFile] = [`${name}.pem`, `${name}.pub.pem`];
    const taken = [privateFile, publicFile].find((file) => existsSync(file));
    if (taken !== undefined)
      throw new AppError("conflict", `There is a file ${taken} already.`, {
        hint: "Choose another name: a key that is lost can sign no more.",
      });
    const { privateKey, publicKey } = makeKeyPair();
    writeFileSync(privateFile, privateKey, { mode: 0o600, flag: "wx" });
    writeFileSync(publicFile, publicKey, { flag: "wx" });
    // The process's own mask takes the right to read it from others.
    chmodSync(publicFile, 0o644);
    const fingerprint = fingerprintOf(publicKey);
    if (context.options["json"] === true)
      return printJson(context, { privateKey: privateFile, publicKey: publicFile, fingerprint });
    context.terminal.out(
      `Wrote ${privateFile}: keep it where bundles are made, and nowhere else.\nWrote ${publicFile}: bring it to the other side once, by a way that you trust.\nIts fingerprint: ${fingerprint}\n`,
    );
    return undefined;
  },
};
