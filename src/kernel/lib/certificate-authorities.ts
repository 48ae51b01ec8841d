import { readFileSync } from "node:fs";
import tls from "node:tls";
import { AppError } from "../errors.ts";

interface CertificateSettings {
  /** A file of certificates (PEM) that are trusted besides the usual ones; empty: none. */
  certificate_authorities: string;
}

/** Reads the certificate authorities that the operator trusts besides the usual ones. */
export function readCertificateAuthorities({ certificate_authorities: file }: CertificateSettings): string[] {
  if (file === "") return [];
  try {
    return [readFileSync(file, "utf8")];
  } catch (cause) {
    throw new AppError("invalid_request", `certificate_authorities: ${file} cannot be read.`, { cause });
  }
}

/** What is trusted where the operator trusts some besides the usual ones; undefined for the usual ones alone. */
export function allAuthorities(added: readonly string[]): string[] | undefined {
  // By the default export: naming the list in the import would read the runtime's certificates at every start.
  return added.length === 0 ? undefined : [...tls.rootCertificates, ...added];
}
