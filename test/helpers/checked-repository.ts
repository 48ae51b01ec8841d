const LONG = `Backups are written every night at two, and kept for thirty days in the second building. A restore
needs the key of the vault, which the two keepers have. Ask one of them by telephone, never by mail, and say which day
you want to go back to. The restore itself takes about an hour for every hundred gigabytes that are stored.`;

const page = (title: string, body: string) =>
  `---\ndescription: What the page on ${title.toLowerCase()} says.\n---\n\n# ${title}\n\n${body}\n`;

/** Docs in which nothing is wrong. */
export const CLEAN: Readonly<Record<string, string>> = {
  "mkdocs.yml": "site_name: Acme\nnav:\n  - index.md\n  - install.md\n  - backups.md\n  - proxy.md\n",
  "docs/index.md": page("Acme server", "The Acme server keeps parcels. Begin with [installing](install.md)."),
  "docs/install.md": page(
    "Installing on Linux",
    "Unpack the archive below `/opt`, then start the service with `systemctl start acme`.\n\n## Requirements\n\nTwo gigabytes of memory.",
  ),
  "docs/backups.md": page("Nightly backups", `${LONG}\n\nSee the [requirements](install.md#requirements).`),
  "docs/proxy.md": page(
    "Behind a reverse proxy",
    "Name the address of nginx in `trusted_proxies`, so that the addresses of visitors are believed.",
  ),
  "docent-questions.jsonl": '{"question": "How do I install Acme on Linux?", "expected": "install"}\n',
};

/** Docs in which each rule that needs no revision finds something once, but for that of titles. */
export const FAULTY: Readonly<Record<string, string>> = {
  ...CLEAN,
  "mkdocs.yml": `markdown_extensions:\n  - attr_list\n${CLEAN["mkdocs.yml"]}  - copy.md\n  - twice.md\n  - untitled.md\n  - plain.md\n  - odd.md\n  - links.md\n`,
  "docs/links.md": page(
    "Where things are",
    "Read [the guide](missing.md).\n\nRead [on](install.md#nowhere).\n\n![A map](map.png)",
  ),
  "docs/lonely.md": page("Weather in the yard", "It rains on Tuesdays."),
  "docs/copy.md": page("Copies at night", LONG),
  "docs/twice.md": page(
    "Ports and names",
    "## Port {#same}\n\nIt is 80.\n\n## Name {#same}\n\nIt is acme.\n\n## Example\n\nOne.\n\n## Example\n\nTwo.",
  ),
  "docs/untitled.md": "---\ndescription: Nobody knows its name.\n---\n\nWords without a heading.\n",
  "docs/plain.md": page("Colours of parcels", "They are brown."),
  "docs/odd.md": "---\ndescription: [never closed\n---\n# Odd front matter\n\nRead all the same.\n",
  "docent-questions.jsonl": [
    CLEAN["docent-questions.jsonl"],
    '{"question": "What colours do parcels have?", "expected": "proxy"}\n',
    '{"question": "Which opera did Verdi compose for Cairo?", "expected": ["plain", "untitled", "odd", "proxy", "twice", "install", "index", "backups", "copy", "links", "lonely"]}\n',
    '{"question": "How do I install Acme on Linux?", "expected": ["install", "gone"]}\n',
  ].join("\n"),
};
