import index from "../../docs/index.md" with { type: "text" };

/** Docent's own documentation, inside the binary: file names with their Markdown. */
export const OWN_DOCS: Readonly<Record<string, string>> = { "index.md": index };
