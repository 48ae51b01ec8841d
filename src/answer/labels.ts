/** A title as the words of a Markdown link: nothing in it ends the link, begins code or is a tag. */
export const escapeLabel = (title: string) => title.replace(/[[\]\\`<]/g, "\\$&").replace(/\s+/g, " ");
