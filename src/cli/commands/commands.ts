import type { Command } from "../command.ts";

/**
 * Every command, in the order in which help and documentation show them. A command's file is loaded when it
 * runs, so that the needs of one do not slow the start of the others.
 */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import("./serve/serve.ts")).serve,
  "sites add": async () => (await import("./sites/sites.ts")).sitesAdd,
  "sites list": async () => (await import("./sites/sites.ts")).sitesList,
  "sites set": async () => (await import("./sites/sites.ts")).sitesSet,
  "sites remove": async () => (await import("./sites/sites.ts")).sitesRemove,
  "reader-secrets create": async () => (await import("./sites/sites.ts")).secretsCreate,
  "reader-secrets list": async () => (await import("./sites/sites.ts")).secretsList,
  "reader-secrets end": async () => (await import("./sites/sites.ts")).secretsEnd,
  "orgs add": async () => (await import("./orgs.ts")).orgsAdd,
  "orgs list": async () => (await import("./orgs.ts")).orgsList,
  "keys create": async () => (await import("./keys.ts")).keysCreate,
  "keys list": async () => (await import("./keys.ts")).keysList,
  "keys revoke": async () => (await import("./keys.ts")).keysRevoke,
  "admin-keys create": async () => (await import("./keys.ts")).adminKeysCreate,
  "admin-keys list": async () => (await import("./keys.ts")).adminKeysList,
  "admin-keys revoke": async () => (await import("./keys.ts")).adminKeysRevoke,
  "members list": async () => (await import("./members.ts")).membersList,
  "members invite": async () => (await import("./members.ts")).membersInvite,
  "members link": async () => (await import("./members.ts")).membersLink,
  "members remove": async () => (await import("./members.ts")).membersRemove,
  "sources add": async () => (await import("./sources.ts")).sourcesAdd,
  "sources list": async () => (await import("./sources.ts")).sourcesList,
  "sources run": async () => (await import("./sources.ts")).sourcesRun,
  "sources remove": async () => (await import("./sources.ts")).sourcesRemove,
  "sources ledger": async () => (await import("./sources.ts")).sourcesLedger,
  ingest: async () => (await import("./ingest.ts")).ingest,
  "generations list": async () => (await import("./generations.ts")).generationsList,
  "generations rollback": async () => (await import("./generations.ts")).generationsRollback,
  "enrichment show": async () => (await import("./enrichment.ts")).enrichmentShow,
  "enrichment measure": async () => (await import("./enrichment.ts")).enrichmentMeasure,
  "enrichment remove": async () => (await import("./enrichment.ts")).enrichmentRemove,
  "index complete": async () => (await import("./doctor/doctor.ts")).indexComplete,
  "index repair": async () => (await import("./doctor/doctor.ts")).indexRepair,
  "answers list": async () => (await import("./answers.ts")).answersList,
  "answers show": async () => (await import("./answers.ts")).answersShow,
  "answers add": async () => (await import("./answers.ts")).answersAdd,
  "answers remove": async () => (await import("./answers.ts")).answersRemove,
  "gaps list": async () => (await import("./gaps.ts")).gapsList,
  "gaps set": async () => (await import("./gaps.ts")).gapsSet,
  export: async () => (await import("./export.ts")).exportConversations,
  "threads delete": async () => (await import("./threads.ts")).threadsDelete,
  search: async () => (await import("./search.ts")).search,
  ask: async () => (await import("./ask.ts")).ask,
  mcp: async () => (await import("./mcp.ts")).mcp,
  eval: async () => (await import("./eval/eval.ts")).evaluation,
  audit: async () => (await import("./audit.ts")).audit,
  backup: async () => (await import("./copies/copies.ts")).backup,
  restore: async () => (await import("./copies/copies.ts")).restore,
  move: async () => (await import("./copies/copies.ts")).move,
  doctor: async () => (await import("./doctor/doctor.ts")).doctor,
  config: async () => (await import("./config.ts")).config,
  health: async () => (await import("./health.ts")).health,
  licenses: async () => (await import("./licenses.ts")).licenses,
};

export const COMMAND_NAMES: readonly string[] = Object.keys(COMMANDS);

export const loadCommand = async (name: string): Promise<Command | undefined> => COMMANDS[name]?.();

/** All commands, for help and documentation. */
export const loadCommands = (): Promise<Command[]> =>
  Promise.all(Object.values(COMMANDS).map((load) => load()));
