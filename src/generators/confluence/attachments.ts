/** Where attachments lie in an export: by the id of their page, and their own. Those that are read become pages. */
const ATTACHMENT =
  /^attachments\/(\d+)\/[^/]+\.(?:pdf|do[ct][xm]|o[dt][tps]|rtf|p[po][ts][xm]|xl[st][xm]|[ct]sv|epub|eml|msg)$/i;

/** Finds the address of an attached document; undefined for what belongs to a page that is not published. */
export const createDocumentPath =
  (root: string, pageIds: ReadonlySet<string>) =>
  (location: string): string | undefined => {
    const below = root === "" ? location : location.slice(root.length + 1);
    const pageId = ATTACHMENT.exec(below)?.[1];
    return pageId !== undefined && pageIds.has(pageId) && isIn(root, location) ? below : undefined;
  };

const isIn = (root: string, location: string) => root === "" || location.startsWith(`${root}/`);
