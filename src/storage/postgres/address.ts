import { readFileSync } from "node:fs";
import { AppError } from "@docent/kernel/errors";
import type { StorageWarning } from "../storage.ts";

const EXAMPLE = "postgres://user:password@host/docent";
export const ENCODED = "In a password, % and @ and : and / are written as %25, %40, %3A and %2F.";
const MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"];

const PORT = "5432";
/** Parameters by which the driver goes elsewhere than the address says, in any spelling; `path` alone names a socket. */
const PLACES = ["host", "port", "path", "socket"];

/**
 * The address, with what PostgreSQL's own programs read from the environment where it says nothing: of encryption, and not
 * of the place. That is all in the address, for the driver would take it from PGHOST and PGPORT, which nobody has looked at.
 */
export function withEnvironment(
  address: string,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  for (const [name, variable] of [
    ["sslmode", "PGSSLMODE"],
    ["sslrootcert", "PGSSLROOTCERT"],
  ] as const) {
    const value = environment[variable];
    if (value && !url.searchParams.has(name)) url.searchParams.set(name, value);
  }
  url.hostname ||= "localhost";
  url.port ||= PORT;
  return url.href;
}

/** Raises `invalid_request` for what is no address of a PostgreSQL database. Never says what is in it. */
export function checkAddress(address: string): void {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !["postgres:", "postgresql:"].includes(url.protocol) || !isComplete(url))
    throw invalid("database_url is not the address of a PostgreSQL database.", {
      hint: `Write it as ${EXAMPLE}, with one host. ${ENCODED}`,
    });
  for (const [name, value] of url.searchParams)
    if (PLACES.includes(name.toLowerCase()) && (name !== "path" || value === ""))
      throw invalid(`The parameter ${name} in database_url names a place, and the address names one.`, {
        hint: `Write host and port before the database: ${EXAMPLE}. For a socket, write ?path=/run/postgresql.`,
      });
  const mode = url.searchParams.get("sslmode");
  if (mode !== null && !MODES.includes(mode))
    throw invalid("The sslmode in database_url is none that there is.", {
      hint: `Write sslmode=verify-full, or one of ${MODES.join(", ")}.`,
    });
  checkAuthority(url.searchParams.get("sslrootcert"));
}

const invalid = (message: string, options: { hint: string; cause?: unknown }) =>
  new AppError("invalid_request", message, options);

function isComplete({ username, password, pathname }: URL): boolean {
  if (pathname.length < 2) return false;
  try {
    return [username, password, pathname].every((part) => decodeURIComponent(part).length >= 0);
  } catch {
    return false;
  }
}

function checkAuthority(file: string | null): void {
  if (file === null) return;
  const hint =
    "Name the file of your own authority's certificate, in PEM; without sslrootcert, the usual authorities are trusted.";
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    throw invalid(`The file ${file}, which sslrootcert names, cannot be read.`, { hint, cause });
  }
  if (!text.includes("-----BEGIN CERTIFICATE-----"))
    throw invalid(`The file ${file}, which sslrootcert names, has no certificate in it.`, { hint });
}

const LOCAL = /^(?:localhost|127(?:\.\d+){3}|\[::1\])?$/;

/** Who could read along on the way to the database, or pass for it; undefined where nobody could. */
export function transportWarning(address: string): StorageWarning | undefined {
  const { hostname, searchParams } = new URL(address);
  if (LOCAL.test(hostname) || searchParams.has("path")) return undefined;
  const mode = searchParams.get("sslmode") || "disable";
  const says = trusting(mode, hostname, searchParams.has("sslrootcert"));
  if (says === undefined) return undefined;
  return {
    says,
    hint: "Write sslmode=verify-full in database_url (…/docent?sslmode=verify-full), and &sslrootcert=<file> where the certificate is signed by your own authority.",
  };
}

function trusting(mode: string, hostname: string, hasAuthority: boolean): string | undefined {
  const whoever = `trusts whoever answers as ${hostname}: it may be another than your PostgreSQL.`;
  switch (mode) {
    case "disable":
      return `What goes to PostgreSQL on ${hostname} is not encrypted: the password, docs and questions.`;
    case "allow":
    case "prefer":
      return `sslmode=${mode} encrypts only where the other side offers it, and ${whoever}`;
    case "require":
      return hasAuthority ? undefined : `sslmode=require ${whoever}`;
    case "verify-ca":
      return hasAuthority
        ? undefined
        : `sslmode=verify-ca without sslrootcert ${whoever} Any certificate of a public authority will do.`;
    default:
      return undefined;
  }
}
