/** A link as people write it in one line: its words, then its address. */
export interface LabelledLink {
  label: string;
  href: string;
}

/** Reads `GitHub https://github.com/acme`. What has no address keeps its words, for the settings to refuse. */
export function readLabelledLink(line: string): LabelledLink {
  const [, label = "", href = ""] = /^\s*(.*?)\s*(\S*)\s*$/.exec(line) ?? [];
  return { label, href };
}

export const writeLabelledLink = ({ label, href }: LabelledLink): string => `${label} ${href}`.trim();
