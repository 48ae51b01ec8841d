import type { JsxTag } from "./tag.ts";

const IMAGE = /\.(?:png|jpe?g|gif|webp|avif|svg)(?:[?#]|$)/i;
const IMPORT = /^[ \t]*import\s+(?:\*\s+as\s+)?([A-Za-z_$][\w$]{0,100})\s+from\s+["']([^"'\n]{1,500})["']/gm;
/** `require("./a.png").default`, `useBaseUrl("/a.png")`, `withBase("/a.png")`. */
const CALL =
  /^(?:require|useBaseUrl|withBase)\(\s*["'`]([^"'`\n]{1,500})["'`]\s*(?:,[^()]{0,200})?\)(?:\.default)?$/;
const LIGHT =
  /\blight\s*:\s*((?:require|useBaseUrl|withBase)\([^()]{0,500}\)(?:\.default)?|["'`][^"'`\n]{1,500}["'`]|[\w$.]+)/;

/** The images that a page imports, by the names that it gives them. */
export type ImportedImages = ReadonlyMap<string, string>;

export function importedImages(source: string): ImportedImages {
  const images = new Map<string, string>();
  if (!source.includes("import")) return images;
  for (const [, name = "", path = ""] of source.matchAll(IMPORT))
    if (IMAGE.test(path)) images.set(name, path);
  return images;
}

/** A tag whose image is written as an expression that can be read, with the image's address in `src`. */
export function withImageSource(tag: JsxTag, imported: ImportedImages): JsxTag {
  const { attributes, expressions } = tag;
  const [written, light] = [expressions.get("src") ?? expressions.get("image"), expressions.get("sources")];
  const source = sourceOf(written ?? LIGHT.exec(light ?? "")?.[1] ?? "", imported);
  return source === undefined ? tag : { ...tag, attributes: new Map([...attributes, ["src", source]]) };
}

function sourceOf(expression: string, imported: ImportedImages): string | undefined {
  const quoted = /^["'`]([^"'`]+)["'`]$/.exec(expression)?.[1];
  return quoted ?? CALL.exec(expression)?.[1] ?? imported.get(expression.replace(/\.(?:src|default)$/, ""));
}

/** Whether a tag shows an image: one of HTML's, or a component with an image's address. */
export function isImage({ name, attributes }: JsxTag): boolean {
  if (name === "img" || name === "Image") return true;
  return /^[A-Z]/.test(name) && IMAGE.test(attributes.get("src") ?? "");
}
