import { decodePercent } from "../../text/decode-percent.ts";
import type { DocumentPackage } from "../package/package.ts";
import { attributeOf, childOf, descendantsOf, parseXml } from "../xml/xml.ts";

/** Ways of hiding fonts, which say nothing of the words. */
const OF_FONTS = /idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC/;

/** The files of a book that are encrypted so that only some programs can show them. */
export async function encryptedFiles(source: DocumentPackage): Promise<ReadonlySet<string>> {
  const content = await source.read("META-INF/encryption.xml");
  const root = content === undefined ? undefined : parseXml(content).root;
  return new Set(
    descendantsOf(root, "enc:EncryptedData").flatMap((data) => {
      const method = attributeOf(childOf(data, "enc:EncryptionMethod"), "Algorithm") ?? "";
      const file = attributeOf(childOf(data, "enc:CipherData", "enc:CipherReference"), "URI");
      return file === undefined || OF_FONTS.test(method) ? [] : [decodePercent(file)];
    }),
  );
}
