/** A link as people write it in one line: its words, then its address. */
export interface LabelledLink {
  label: string;
  href: string;
}

/** Reads `GitHub https://github.com/acme`. What has no address keeps its words, for the settings to refuse. */
export function readLabelledLink(line: string): LabelledLink {
  const words = line.trim();
  const href = /(?<!\S)\S+$/.exec(words)?.[0] ?? "";
  return { label: words.slice(0, words.length - href.length).trimEnd(), href };
}

export const writeLabelledLink = ({ label, href }: LabelledLink): string => `${label} ${href}`.trim();
