/** Names that stand for themselves, in the letters that they are written in. In the plural, an `s` follows. */
const ACRONYMS = new Map(
  `ACL AI API AWS CDN CI CLI CMS CORS CPU CRD CRUD CSP CSS CSV CVE DB DNS DSL DSN ETL FAQ GCP GPU GUI HTML HTTP HTTPS
  IAM IDE IP IPC JSON JSX JVM JWT LDAP LLM LSP LTS MCP MDX MFA ML MVP OCR OIDC ORM OS OTP PDF PHP PWA QA RAG RAM RBAC
  REPL REST RFC RLS RPC RSS RTL S3 SAML SCIM SDK SEO SLA SMS SMTP SQL SSE SSG SSH SSL SSO SSR SVG TCP TLS TOC TSX TTL
  UDP UI URI URL USB UTF UUID UX VM VPC VPN WASM XML XSS YAML
  GitHub GitLab GraphQL gRPC iOS JavaScript macOS MySQL OAuth OAuth2 OpenAPI OpenID PostgreSQL SQLite TypeScript
  WebAssembly WebSocket`
    .split(/\s+/)
    .map((name) => [name.toLowerCase(), name]),
);

/** The words of a file's or a folder's name, as a heading has them: `getting-started` is "Getting started". */
export function wordsOfName(name: string): string {
  const words = name
    .replace(/[-_\s]+/g, " ")
    .trim()
    .split(" ")
    .map(asWritten)
    .join(" ");
  const first = words.split(/[ /]/)[0] ?? "";
  // A name that begins small, such as "iOS", does so at the beginning as well.
  const isOwn = ACRONYMS.get(first.toLowerCase()) === first;
  return isOwn ? words : words.charAt(0).toUpperCase() + words.slice(1);
}

/** A word of a path has its parts apart. Words with capitals of their own are as somebody wrote them. */
const asWritten = (word: string): string =>
  word
    .split("/")
    .map((part) => (part === part.toLowerCase() ? acronymIn(part) : part))
    .join("/");

function acronymIn(word: string): string {
  const whole = ACRONYMS.get(word);
  const one = word.endsWith("s") ? ACRONYMS.get(word.slice(0, -1)) : undefined;
  return whole ?? (one === undefined ? word : `${one}s`);
}

interface FreeNameOptions {
  /** What two names have in common that count as one. Default: the name. */
  keyOf?: (name: string) => string;
  numbered?: (stem: string, number: number) => string;
  /** The first number. */
  from?: number;
}

/**
 * Gives each name once: a name, or its stem with the first number that is free. However many have the same stem, each is
 * found at once. Names may be added to `taken`, and none is taken away.
 */
export function createFreeNames(
  taken: Set<string> = new Set(),
  {
    keyOf = (name) => name,
    numbered = (stem, number) => `${stem}-${number}`,
    from = 2,
  }: FreeNameOptions = {},
): (name: string, stem?: string) => string {
  /** The first number that may be free. */
  const numbers = new Map<string, number>();
  return (name, stem = name) => {
    let free = name;
    let number = numbers.get(keyOf(stem)) ?? from;
    while (taken.has(keyOf(free))) {
      free = numbered(stem, number);
      number += 1;
      numbers.set(keyOf(stem), number);
    }
    taken.add(keyOf(free));
    return free;
  };
}
