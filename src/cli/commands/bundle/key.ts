import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { fingerprintOf, makeKeyPair } from "../../../bundle/bundle.ts";
import { AppError } from "../../../errors.ts";
import { type Command, word } from "../../command.ts";
import { printJson } from "../../output.ts";

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
