/**
 * Things of one kind, such as systems or languages, of which a reader uses one: asking about another replaces
 * the first, rather than adding to it.
 */
interface Kind {
  name: string;
  /** Kinds of one group can replace each other where a question has none of the same kind. */
  group: string;
  members: RegExp;
}

const kind = (name: string, members: string, { group = name, flags = "giu" } = {}): Kind => ({
  name,
  group,
  members: new RegExp(`(?<![\\p{L}\\p{N}@/_-])(?:${members})(?![\\p{L}\\p{N}_-]|\\.\\p{L})`, flags),
});

const KINDS: Kind[] = [
  kind(
    "system",
    "windows(?: server)?(?: \\d{1,4})?|linux|mac ?os(?: x)?|mac|os ?x|ubuntu|debian|fedora|rhel|centos|alpine|arch linux|" +
      "freebsd|android|ios|wsl2?|raspberry pi",
    { group: "platform" },
  ),
  kind("host", "docker(?:[ -]compose)?|podman|kubernetes|k8s|helm|nomad|systemd|bare metal", {
    group: "platform",
  }),
  kind("cloud", "aws|gcp|google cloud|azure|heroku|vercel|netlify|cloudflare|fly\\.io", {
    group: "platform",
  }),
  kind(
    "package manager",
    "npm|yarn|pnpm|pip|pipx|poetry|conda|homebrew|brew|apt|dnf|yum|pacman|winget|chocolatey|choco|scoop|cargo|maven|gradle",
  ),
  kind(
    "language",
    "python|javascript|js|node(?:\\.?js)?|typescript|golang|rust|java|kotlin|c#|csharp|\\.net|c\\+\\+|ruby|php|swift|scala|elixir|dart",
  ),
  // Only with a capital: in lower case it is a verb.
  kind("language", "Go", { flags: "gu" }),
  kind("shell", "bash|zsh|fish|powershell|pwsh|cmd(?:\\.exe)?|nushell"),
  kind("web server", "nginx|caddy|apache|traefik|haproxy|envoy"),
  kind("database", "sqlite|postgres(?:ql)?|mysql|mariadb|mongodb|redis|sql server|oracle|duckdb"),
  kind(
    "framework",
    "react|vue|svelte|angular|solid(?:js)?|next\\.?js|nuxt|remix|preact|django|flask|fastapi",
  ),
  kind("forge", "github|gitlab|bitbucket|gitea|forgejo"),
  kind("messenger", "e-?mails?|mails?|slack|discord|teams|telegram|sms"),
  kind("format", "json|ya?ml|toml|xml|csv|parquet|markdown|mdx|html"),
  kind("protocol", "rest|grpc|graphql|websockets?|mqtt"),
  kind("browser", "chrome|firefox|safari|edge"),
  kind("version", "(?:version |v)\\d+(?:\\.\\d+){0,3}|\\d+\\.(?:\\d+\\.)?(?:\\d+|x)"),
];

/** A member of a kind that a text names, such as "Linux". */
interface Alternative {
  kind: string;
  group: string;
  text: string;
  start: number;
}

/** The alternatives that a text names, in order. */
export function alternativesIn(text: string): Alternative[] {
  return KINDS.flatMap(({ name, group, members }) =>
    [...text.matchAll(members)].map((match) => ({ kind: name, group, text: match[0], start: match.index })),
  ).sort((a, b) => a.start - b.start);
}

/** A text without its alternatives. */
export function withoutAlternatives(text: string): string {
  return KINDS.reduce((rest, { members }) => rest.replace(members, " "), text);
}

/** The alternatives in a text that a question replaces by another of the same kind, or else group. */
function rivalsIn(text: string, question: string): { rival: Alternative; asked: Alternative }[] {
  const there = alternativesIn(text);
  return alternativesIn(question).flatMap((asked) => {
    const others = there.filter(({ text: name }) => name.toLowerCase() !== asked.text.toLowerCase());
    const same = others.filter((each) => each.kind === asked.kind);
    const rivals = same.length > 0 ? same : others.filter((each) => each.group === asked.group);
    return rivals.map((rival) => ({ rival, asked }));
  });
}

/** The text with its rivals replaced by the question's alternatives; undefined where it has none. */
export function withAlternatives(text: string, question: string): string | undefined {
  const pairs = rivalsIn(text, question);
  const [first] = pairs;
  if (first === undefined) return undefined;
  const asked = [...new Set(pairs.map((pair) => pair.asked.text))].join(" ");
  const rivals = [...new Set(pairs.map(({ rival }) => rival))].sort((a, b) => a.start - b.start);
  const last = rivals.at(-1) ?? first.rival;
  const from = rivals[0] ?? first.rival;
  const between = withoutAlternatives(text.slice(from.start, last.start));
  // "on Linux or macOS" becomes "on Windows".
  const isOneList = /^(?:[\s,/]|\b(?:or|and|und|oder|et|ou|y|o)\b)*$/i.test(between);
  const replaced = isOneList ? from.start : last.start;
  return text.slice(0, replaced) + asked + text.slice(last.start + last.text.length);
}

/** The text without the alternatives that the question replaces. */
export function withoutRivals(text: string, question: string): string {
  let rest = text;
  for (const { rival } of rivalsIn(text, question).toSorted((a, b) => b.rival.start - a.rival.start)) {
    const before = rest
      .slice(0, rival.start)
      .replace(/\b(?:on|in|with|for|under|using|from|via|at|auf|unter|mit|sur|avec|en|con)\s+$/i, "");
    rest = before + rest.slice(rival.start + rival.text.length);
  }
  return rest.replace(/\s+/g, " ").trim();
}
