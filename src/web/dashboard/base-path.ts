/** Where the server's addresses begin, as the document says: empty, or `/docent`. */
export function basePath(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="docent-base"]')?.content ?? "";
}
