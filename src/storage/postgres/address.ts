import { AppError } from "../../errors.ts";
import type { StorageWarning } from "../storage.ts";

const EXAMPLE = "postgres://user:password@host/docent";

/** Raises `invalid_request` for what is no address of a PostgreSQL database. Never says what is in it. */
export function checkAddress(address: string): void {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url !== undefined && ["postgres:", "postgresql:"].includes(url.protocol) && url.pathname.length > 1)
    return;
  throw new AppError("invalid_request", "database_url is not the address of a PostgreSQL database.", {
    hint: `Write it as ${EXAMPLE}. In a password, % and @ and : and / are written as %25, %40, %3A and %2F.`,
  });
}

const LOCAL = /^(?:localhost|127(?:\.\d+){3}|\[::1\])?$/;
const VERIFIED = new Set(["verify-full", "verify-ca"]);

/** Who could read along on the way to the database, or pass for it; undefined where nobody could. */
export function transportWarning(address: string): StorageWarning | undefined {
  const { hostname, searchParams } = new URL(address);
  const mode = searchParams.get("sslmode") ?? "disable";
  if (LOCAL.test(hostname) || searchParams.has("path") || VERIFIED.has(mode)) return undefined;
  const hint =
    "Add ?sslmode=verify-full to database_url, and &sslrootcert=<file> where the certificate is signed by your own authority.";
  if (mode === "disable")
    return {
      says: `What goes to PostgreSQL on ${hostname} is not encrypted: the password, docs and questions.`,
      hint,
    };
  return {
    says: `sslmode=${mode} trusts whoever answers as ${hostname}: it may be another than your PostgreSQL.`,
    hint,
  };
}
