import { AppError, type FaultDetail } from "@docent/kernel/errors";
import { matchAddresses } from "@docent/kernel/lib/address";
import { faultsIn } from "@docent/kernel/lib/schema-faults";
import { z } from "zod";
import { memberRulesSchema } from "./member-rules.ts";

const FILE_CHARACTERS_MAX = 200_000;
const PROVIDERS_MAX = 20;
/** What the audit log calls other ways to sign in. */
const TAKEN_NAMES = ["password", "link", "proxy"];
const CREDENTIALS = ["authorization", "cookie", "host", "x-docent-reader"];

const text = z.string().min(1).max(500);
const path = z.string().min(1).max(4000);
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

const issuer = z.string().refine((value) => {
  const url = URL.parse(value);
  if (url === null || url.search !== "" || url.hash !== "" || url.username !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && LOOPBACK.test(url.hostname));
}, "must be the provider's issuer, an https address such as https://id.example.com/realms/main");

const host = z
  .string()
  .regex(
    /^(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d{1,5})?$/i,
    "must be a host such as keys.example.com, without https://",
  );

const headerName = z
  .string()
  .regex(/^[a-z0-9-]{1,100}$/i, "must be the name of a header, such as x-forwarded-user")
  .transform((name) => name.toLowerCase())
  .refine((name) => !CREDENTIALS.includes(name), "is a header that says something else");

const scopes = z
  .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/, "must be one scope, without a blank"))
  .max(50);

const providerSchema = z.lazy(() =>
  z
    .strictObject({
      name: z
        .string()
        .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "must have 1 to 40 of a-z, 0-9 and -")
        .refine((name) => !TAKEN_NAMES.includes(name), `must be none of ${TAKEN_NAMES.join(", ")}`),
      label: z.string().min(1).max(60),
      issuer,
      client_id: text,
      client_secret_file: path.optional(),
      client_secret_env: text.optional(),
      scopes: scopes
        .refine((named) => named.includes("openid"), "must hold openid")
        .default(["openid", "profile", "email"]),
      groups_claim: text.default("groups"),
      name_claim: text.optional(),
      ca_file: path.optional(),
      /** Hosts that its discovery document may name besides its own. */
      hosts: z.array(host).max(20).default([]),
      clock_skew_seconds: z.int().min(0).max(300).default(60),
      members: memberRulesSchema.optional(),
      readers: z.boolean().default(false),
      mcp_audience: text.optional(),
      /** What agents ask for, where it is something else than `scopes`. */
      mcp_scopes: scopes.optional(),
    })
    .refine((one) => one.client_secret_file === undefined || one.client_secret_env === undefined, {
      path: ["client_secret_env"],
      message: "write either client_secret_file or client_secret_env, not both",
    })
    .refine((one) => one.mcp_audience !== one.client_id, {
      path: ["mcp_audience"],
      message: "must not be the client_id: what is given to sign in would open MCP too",
    })
    .refine((one) => one.mcp_scopes === undefined || one.mcp_audience !== undefined, {
      path: ["mcp_scopes"],
      message: "agents ask for nothing without mcp_audience: add it",
    })
    .refine((one) => one.members !== undefined || one.readers || one.mcp_audience !== undefined, {
      path: ["members"],
      message: "nobody signs in with it: add members, readers: true, or mcp_audience",
    }),
);

const proxySchema = z.lazy(() =>
  z
    .strictObject({
      from: z
        .array(
          z.string().refine((entry) => matchAddresses([entry]).fault === undefined, {
            message: "must be an address or a network, such as 10.0.0.7 or 10.1.0.0/16",
          }),
        )
        .min(1, "must name the addresses of the proxy")
        .max(100),
      user_header: headerName,
      name_header: headerName.optional(),
      groups_header: headerName.optional(),
      groups_separator: z.string().length(1).default(","),
      logout_url: z
        .string()
        .refine((url) => /^https?:$/.test(URL.parse(url)?.protocol ?? ""), "must be an http or https address")
        .optional(),
      members: memberRulesSchema.optional(),
      readers: z.boolean().default(false),
    })
    .refine((one) => one.members !== undefined || one.readers, {
      path: ["members"],
      message: "nobody signs in by it: add members, or readers: true",
    }),
);

const fileSchema = z.strictObject({
  providers: z
    .array(providerSchema)
    .max(PROVIDERS_MAX)
    .superRefine((all, context) => {
      for (const field of ["name", "issuer"] as const)
        for (const [index, one] of all.entries())
          if (all.findIndex((other) => other[field] === one[field]) < index)
            context.addIssue({
              code: "custom",
              path: [index, field],
              message: "another provider has it too",
            });
    })
    .default([]),
  proxy: proxySchema.optional(),
});

/** A provider as the file has it, with its secret and its certificate authority read. */
export interface ProviderSettings
  extends Omit<z.output<typeof providerSchema>, "client_secret_file" | "client_secret_env" | "ca_file"> {
  /** Undefined: a public client. */
  client_secret: string | undefined;
  /** PEM. */
  certificate_authority: string | undefined;
}
export type ProxySettings = z.output<typeof proxySchema>;

/** Who may say who somebody is, as the operator's file names them. */
export interface SignInFile {
  providers: readonly ProviderSettings[];
  proxy: ProxySettings | undefined;
}

interface Readers {
  environment: Readonly<Record<string, string | undefined>>;
  /** Throws where the file cannot be read. */
  readFile: (path: string) => string;
}

/** Reads the sign-in file; without a path nobody is named. Raises `invalid_request` with every fault and its place. */
export function readSignInFile(file: string, readers: Readers): SignInFile {
  if (file === "") return Object.freeze({ providers: [], proxy: undefined });
  const written = parse(file, readOrRaise(file, "", file, readers));
  const { success, data, error } = fileSchema.safeParse(written ?? {});
  if (!success) {
    const { details, count } = faultsIn(error);
    throw fault(file, details, count);
  }
  const providers = data.providers.map((each, index) => complete(file, `providers[${index}]`, each, readers));
  return deepFreeze({ providers, proxy: data.proxy });
}

function complete(
  file: string,
  place: string,
  { client_secret_file, client_secret_env, ca_file, ...rest }: z.output<typeof providerSchema>,
  readers: Readers,
): ProviderSettings {
  const read = (name: string, path: string) => readOrRaise(file, `${place}.${name}`, path, readers);
  const fromEnvironment =
    client_secret_env === undefined ? undefined : readers.environment[client_secret_env];
  if (client_secret_env !== undefined && !fromEnvironment)
    throw fault(file, [
      { path: `${place}.client_secret_env`, message: `${client_secret_env} is not in the environment` },
    ]);
  const secret =
    client_secret_file === undefined ? fromEnvironment : read("client_secret_file", client_secret_file);
  if (secret?.trim() === "")
    throw fault(file, [{ path: `${place}.client_secret_file`, message: `${client_secret_file} is empty` }]);
  return {
    ...rest,
    client_secret: secret?.trim(),
    certificate_authority: ca_file === undefined ? undefined : read("ca_file", ca_file),
  };
}

function readOrRaise(file: string, place: string, path: string, { readFile }: Readers): string {
  try {
    return readFile(path);
  } catch (cause) {
    if (place !== "") throw fault(file, [{ path: place, message: `${path} cannot be read` }]);
    throw new AppError("invalid_request", `sign_in_file: ${file} cannot be read.`, {
      hint: "Name a file that the server's own account may read.",
      cause,
    });
  }
}

function parse(file: string, written: string): unknown {
  if (written.length > FILE_CHARACTERS_MAX)
    throw fault(file, [{ path: "", message: `it has more than ${FILE_CHARACTERS_MAX} characters` }]);
  try {
    return Bun.YAML.parse(written);
  } catch (cause) {
    const words = cause instanceof Error ? cause.message.replace(/^YAML Parse error: /, "") : "";
    throw fault(file, [{ path: `near line ${faultyLine(written)}`, message: `it is no YAML: ${words}` }]);
  }
}

const LINES_LOOKED_AT = 2000;

/** The line behind the longest part that is YAML: the parser does not say where it stopped. */
function faultyLine(written: string): number {
  const lines = written.split("\n");
  for (let count = Math.min(lines.length, LINES_LOOKED_AT) - 1; count > 0; count--) {
    try {
      Bun.YAML.parse(lines.slice(0, count).join("\n"));
      return count + 1;
    } catch {
      // A shorter part is looked at next.
    }
  }
  return 1;
}

function fault(file: string, details: FaultDetail[], count = details.length): AppError {
  const lines = details.map(({ path: place, message }) => (place === "" ? message : `${place}: ${message}`));
  const more = count > details.length ? [`and ${count - details.length} more`] : [];
  return new AppError("invalid_request", `sign_in_file: ${file}:\n  ${[...lines, ...more].join("\n  ")}`, {
    details,
    hint: "docs/single-sign-on.md has a whole file, and what each line means.",
  });
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const each of Object.values(value)) deepFreeze(each);
  }
  return value;
}
