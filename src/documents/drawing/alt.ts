/** What programs write of themselves into a picture's description. */
const BY_MACHINE =
  /(?<!\s)\s*(?:Description automatically generated.*|AI-generated content may be incorrect\.?)$/is;
const FILE = /^\S.{0,200}\.(?:png|svg|jpe?g|gif|webp|avif|bmp|emf|wmf|tiff?)$/i;
const NAME =
  /^(?:picture|image|img|grafik|bild|figure|photo|logo|shape|graphic|object|text ?box|rectangle|group|chart|diagram|table|content placeholder|title|screenshot|[\w-]+ ?placeholder)?[\s_-]*\d*$/i;

/** A picture's description, if it says something: no file's name, and nothing that a program made up. */
export function pictureWords(description: string | undefined): string {
  const words = (description ?? "").replace(BY_MACHINE, "").replace(/\s+/g, " ").trim();
  return FILE.test(words) || NAME.test(words) || /^(?:https?|file):\S+$/i.test(words) ? "" : words;
}
