import { list, type Setting } from "./setting.ts";

/** What admin keys may name as a source. The CLI may name anything. */
export const SOURCE_SETTINGS = {
  source_roots: list(
    "source_roots",
    "Folders of this machine below which admin keys may name a folder or file as a source, each with its organization: acme=/srv/acme, or *=/srv/shared for all. A folder alone belongs to the only organization, and to nobody where there are several. None by default.",
  ),
  source_variables: list(
    "source_variables",
    "What an admin key of the server may name for a source to sign in with: environment variables, each with its host, such as DOCS_TOKEN@docs.example.com. None by default.",
  ),
} as const satisfies Record<string, Setting>;
