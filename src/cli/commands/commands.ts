import type { Command, DocumentedCommand, Listed, NamedCommand } from "../command.ts";

interface Entry extends Omit<Listed, "name"> {
  load(): Promise<Command>;
}

/**
 * Every command, in the order in which help and documentation show them. A command's file is loaded when it
 * runs, so that the list needs none, and the needs of one do not slow the start of the others.
 */
const COMMANDS: Readonly<Record<string, Entry>> = {
  try: {
    usage: "<place> [<question>]",
    summary:
      "Read a folder of docs, or any other place that docent sources add takes, and ask it at once, here and in the browser. Nothing is kept unless you say so.",
    load: async () => (await import("./try.ts")).tryOut,
  },
  serve: {
    usage: "",
    summary: "Start the server.",
    load: async () => (await import("./serve/serve.ts")).serve,
  },
  "sites add": {
    usage: "<domain>",
    summary: "Add a documentation site. Its domain is the identifier in the API's address.",
    load: async () => (await import("./sites/sites.ts")).sitesAdd,
  },
  "sites list": {
    usage: "",
    summary: "List the sites.",
    load: async () => (await import("./sites/sites.ts")).sitesList,
  },
  "sites set": {
    usage: "<domain>",
    summary: "Change a site's settings. Settings that are not named stay as they are.",
    load: async () => (await import("./sites/sites.ts")).sitesSet,
  },
  "sites fidelity": {
    usage: "<domain>",
    summary:
      "Look for what readers of a site do not get as its docs have it: markup left over, images, links, and what was left out.",
    load: async () => (await import("./sites/sites.ts")).sitesFidelity,
  },
  "sites remove": {
    usage: "<domain> --yes",
    summary: "Remove a site with its pages and conversations.",
    load: async () => (await import("./sites/sites.ts")).sitesRemove,
  },
  "reader-secrets create": {
    usage: "<domain>",
    summary: "Make a secret with which a site signs tokens for its readers. It is shown only once.",
    load: async () => (await import("./sites/sites.ts")).secretsCreate,
  },
  "reader-secrets list": {
    usage: "<domain>",
    summary: "List the secrets with which a site signs tokens for its readers, without what they are.",
    load: async () => (await import("./sites/sites.ts")).secretsList,
  },
  "reader-secrets end": {
    usage: "<domain> <id>",
    summary: "End a secret. Tokens that were signed with it stop working at once.",
    load: async () => (await import("./sites/sites.ts")).secretsEnd,
  },
  "orgs add": {
    usage: "<name>",
    summary: "Add an organization. The hourly limit applies to each one separately.",
    load: async () => (await import("./orgs.ts")).orgsAdd,
  },
  "orgs list": {
    usage: "",
    summary: "List the organizations.",
    load: async () => (await import("./orgs.ts")).orgsList,
  },
  "keys create": {
    usage: "[<name>]",
    summary: "Create an assistant key: a public key, which may be in a page's source.",
    load: async () => (await import("./keys.ts")).keysCreate,
  },
  "keys list": {
    usage: "",
    summary: "List the assistant keys.",
    load: async () => (await import("./keys.ts")).keysList,
  },
  "keys revoke": {
    usage: "<key, id or name>",
    summary: "Revoke a key. It stops working at once.",
    load: async () => (await import("./keys.ts")).keysRevoke,
  },
  "admin-keys create": {
    usage: "<name>",
    summary: "Create an admin key, for the admin API and analytics. It is shown only once.",
    load: async () => (await import("./keys.ts")).adminKeysCreate,
  },
  "admin-keys list": {
    usage: "",
    summary: "List the admin keys.",
    load: async () => (await import("./keys.ts")).adminKeysList,
  },
  "admin-keys revoke": {
    usage: "<id or name>",
    summary: "Revoke an admin key. It stops working at once.",
    load: async () => (await import("./keys.ts")).adminKeysRevoke,
  },
  "members list": {
    usage: "",
    summary: "List the people who may sign in to the dashboard.",
    load: async () => (await import("./members.ts")).membersList,
  },
  "members invite": {
    usage: "<name>",
    summary: "Invite somebody to the dashboard. Prints a link that works once, to choose a password.",
    load: async () => (await import("./members.ts")).membersInvite,
  },
  "members link": {
    usage: "<name or id>",
    summary: "Print a link to choose a new password, for a member who lost theirs. It works once.",
    load: async () => (await import("./members.ts")).membersLink,
  },
  "members remove": {
    usage: "<name or id>",
    summary: "Remove a member. They are signed out everywhere, at once.",
    load: async () => (await import("./members.ts")).membersRemove,
  },
  "sources add": {
    usage: "<domain> <place>",
    summary:
      "Add a place that a site's docs come from (a folder, a website, an llms.txt, a git repository, an archive, an OpenAPI file, a wiki, a tracker), and read it.",
    load: async () => (await import("./sources.ts")).sourcesAdd,
  },
  "sources list": {
    usage: "<domain>",
    summary: "List where a site's docs come from, and how the last run of each ended.",
    load: async () => (await import("./sources.ts")).sourcesList,
  },
  "sources run": {
    usage: "<domain> [number]",
    summary: "Read a source again, or all of a site's: only what changed is read.",
    load: async () => (await import("./sources.ts")).sourcesRun,
  },
  "sources schedule": {
    usage: "<domain> <number> <every>",
    summary:
      "Say how often a running server reads a source, such as 6h, or never. Nothing is read now, and the source need not be there.",
    load: async () => (await import("./sources.ts")).sourcesSchedule,
  },
  "sources set": {
    usage: "<domain> <number> --published <address>",
    summary:
      "Say where a source's pages are published: the next run takes their addresses, and the ids of their headings, from there. Nothing is read now.",
    load: async () => (await import("./sources.ts")).sourcesSet,
  },
  "sources remove": {
    usage: "<domain> <number> --yes",
    summary: "Take a source's pages out of a site, and the source off its list.",
    load: async () => (await import("./sources.ts")).sourcesRemove,
  },
  "sources ledger": {
    usage: "<domain> <number>",
    summary: "Show what the last run of a source decided about every page and address, and why.",
    load: async () => (await import("./sources.ts")).sourcesLedger,
  },
  ingest: {
    usage: "<domain> <place>",
    summary:
      "Read a folder, or any other place that docent sources add takes, into a site. Run it again after a change: only what changed is read.",
    load: async () => (await import("./ingest.ts")).ingest,
  },
  "generations list": {
    usage: "<domain>",
    summary: "List the states of a site's index that you can go back to.",
    load: async () => (await import("./generations.ts")).generationsList,
  },
  "generations report": {
    usage: "<domain> [number]",
    summary:
      "Show what a generation changed for readers: pages, golden questions, and questions that they asked. Without a number: the one that they see.",
    load: async () => (await import("./generations.ts")).generationsReport,
  },
  "generations rollback": {
    usage: "<domain> [number]",
    summary: "Show readers an earlier state of a site's index: the one before, or one that you name.",
    load: async () => (await import("./generations.ts")).generationsRollback,
  },
  "enrichment show": {
    usage: "<domain>",
    summary: "Show what the model has written for a site's passages, and what that is worth.",
    load: async () => (await import("./enrichment.ts")).enrichmentShow,
  },
  "enrichment measure": {
    usage: "<domain>",
    summary: "Ask a site's kept questions with what the model has written for its passages, and without it.",
    load: async () => (await import("./enrichment.ts")).enrichmentMeasure,
  },
  "enrichment export": {
    usage: "<domain>",
    summary:
      "Write out the questions and search words of a site's passages, a line of JSON for each: for another server, or beside the docs.",
    load: async () => (await import("./enrichment.ts")).enrichmentExport,
  },
  "enrichment import": {
    usage: "<domain> <file>",
    summary:
      "Take over questions and search words from such a file, wherever they were written. Those are kept that lead to their passage.",
    load: async () => (await import("./enrichment.ts")).enrichmentImport,
  },
  "enrichment remove": {
    usage: "<domain>",
    summary: "Remove all that the model has written for a site's passages.",
    load: async () => (await import("./enrichment.ts")).enrichmentRemove,
  },
  "index complete": {
    usage: "<domain>",
    summary:
      "Make what is missing of a site's keyword index, and what an older version made of it. Then make the vectors that its passages have not, or have of another embedding model, and calibrate the site. A server does so by itself.",
    load: async () => (await import("./doctor/doctor.ts")).indexComplete,
  },
  "index repair": {
    usage: "<domain>",
    summary:
      "Check a site's keyword index, and make what is damaged or missing of it, or was made by another version, anew from the stored texts.",
    load: async () => (await import("./doctor/doctor.ts")).indexRepair,
  },
  "golden list": {
    usage: "<domain>",
    summary: "List a site's golden questions, with the pages that answer them.",
    load: async () => (await import("./golden/golden.ts")).goldenList,
  },
  "golden add": {
    usage: "<domain> <question>",
    summary: "Keep a question that readers should find an answer for, with the page that answers it.",
    load: async () => (await import("./golden/golden.ts")).goldenAdd,
  },
  "golden import": {
    usage: "<domain> [file]",
    summary:
      "Add golden questions from a file of docent eval, the evaluation set, liked answers or curated answers.",
    load: async () => (await import("./golden/golden.ts")).goldenImport,
  },
  "golden remove": {
    usage: "<domain> <id>",
    summary: "Remove a golden question.",
    load: async () => (await import("./golden/golden.ts")).goldenRemove,
  },
  "golden run": {
    usage: "<domain>",
    summary: "Ask a site's golden questions of what readers see now.",
    load: async () => (await import("./golden/golden.ts")).goldenRun,
  },
  "golden checks": {
    usage: "<domain>",
    summary: "List what runs made of a site's golden questions, and why what got worse got worse.",
    load: async () => (await import("./golden/golden.ts")).goldenChecks,
  },
  "answers list": {
    usage: "<domain>",
    summary: "List a site's curated answers, and which of them should be looked at.",
    load: async () => (await import("./answers.ts")).answersList,
  },
  "answers show": {
    usage: "<domain> <name>",
    summary: "Show a curated answer: its questions, its state, and what readers get.",
    load: async () => (await import("./answers.ts")).answersShow,
  },
  "answers add": {
    usage: "<domain> <file.md>",
    summary: "Add a curated answer, or replace the one of that name.",
    load: async () => (await import("./answers.ts")).answersAdd,
  },
  "answers remove": {
    usage: "<domain> <name>",
    summary: "Remove a curated answer that was added by hand.",
    load: async () => (await import("./answers.ts")).answersRemove,
  },
  "gaps list": {
    usage: "<domain>",
    summary:
      "List what readers asked and a site's docs do not answer, with questions of the same meaning grouped.",
    load: async () => (await import("./gaps.ts")).gapsList,
  },
  "gaps set": {
    usage: "<domain> <id> <state>",
    summary: "Mark a gap as open, documented or dismissed.",
    load: async () => (await import("./gaps.ts")).gapsSet,
  },
  "notices list": {
    usage: "",
    summary: "List where notices go, and how the last one of each ended.",
    load: async () => (await import("./notices/notices.ts")).noticesList,
  },
  "notices add": {
    usage: "<name> <channel> <address>",
    summary:
      "Tell somebody when a source fails, more questions go unanswered, an answer is out of date, golden questions get worse, a generation changes something, the disk is nearly full, or a backup failed. Channels: webhook, mail, chat (Slack, Mattermost, Rocket.Chat), discord.",
    load: async () => (await import("./notices/notices.ts")).noticesAdd,
  },
  "notices set": {
    usage: "<id>",
    summary: "Change the name of a destination, or what it is told of. Where it leads stays.",
    load: async () => (await import("./notices/notices.ts")).noticesSet,
  },
  "notices remove": {
    usage: "<id>",
    summary: "Send no more notices to a destination.",
    load: async () => (await import("./notices/notices.ts")).noticesRemove,
  },
  "notices try": {
    usage: "<id>",
    summary:
      "Send a sample to a destination, and say what came back. The exit code says whether it was taken.",
    load: async () => (await import("./notices/notices.ts")).noticesTry,
  },
  "notices now": {
    usage: "",
    summary:
      "Show what is wrong now, whether or not anybody is told of it. The exit code says whether anything is.",
    load: async () => (await import("./notices/notices.ts")).noticesNow,
  },
  export: {
    usage: "<domain>",
    summary: "Write a site's conversations to standard output, oldest first.",
    load: async () => (await import("./export.ts")).exportConversations,
  },
  "threads delete": {
    usage: "<domain> [<thread id>]",
    summary: "Delete a conversation, or everything that one reader said. This cannot be undone.",
    load: async () => (await import("./threads.ts")).threadsDelete,
  },
  search: {
    usage: "<domain> <query>",
    summary:
      "Show the passages that a question finds, with their relevance. - reads the question from standard input.",
    load: async () => (await import("./search.ts")).search,
  },
  ask: {
    usage: "<domain> [<question>]",
    summary:
      "Ask a site's docs, and read the answer as it is written. Without a question: a conversation. - reads the question from standard input.",
    load: async () => (await import("./ask/ask.ts")).ask,
  },
  mcp: {
    usage: "<domain>",
    summary:
      "Let an agent on this machine search and read a site's pages: MCP over standard input and output.",
    load: async () => (await import("./mcp.ts")).mcp,
  },
  eval: {
    usage: "<dataset>",
    summary:
      "Measure how well search finds what questions ask for, and what answers cite: with a dataset's folder, or with your own questions (.jsonl, or - for standard input) and --site.",
    load: async () => (await import("./eval/eval.ts")).evaluation,
  },
  check: {
    usage: "<folder>",
    summary:
      "Check a folder of docs without a server: kept questions, links, pages that nobody finds, and what has changed since a git revision.",
    load: async () => (await import("./check/check.ts")).check,
  },
  audit: {
    usage: "",
    summary: "Show who signed in and who changed what, oldest first.",
    load: async () => (await import("./audit.ts")).audit,
  },
  backup: {
    usage: "<file>",
    summary:
      "Write a copy of everything to a file, or to standard output (-), while the server runs. It holds every organization.",
    load: async () => (await import("./backup/backup.ts")).backup,
  },
  "backup verify": {
    usage: "<file>",
    summary:
      "Check a backup, from a file or standard input (-), and say what is in it. Nothing is changed or restored.",
    load: async () => (await import("./backup/backup.ts")).backupVerify,
  },
  restore: {
    usage: "<file>",
    summary:
      "Replace the data directory's database with a backup, from a file or standard input (-). The old database is kept.",
    load: async () => (await import("./backup/backup.ts")).restore,
  },
  "bundle make": {
    usage: "<file>",
    summary: "Write one file with the program, the database, models and documentation, for a closed network.",
    load: async () => (await import("./bundle/bundle.ts")).bundleMake,
  },
  "bundle show": {
    usage: "[file]",
    summary:
      "Say what a bundle holds, and what it builds on. Nothing of it is checked. Without a file: what was installed here last.",
    load: async () => (await import("./bundle/bundle.ts")).bundleShow,
  },
  "bundle verify": {
    usage: "<file> --key <public key>",
    summary: "Check a bundle's signature, and that everything in it is as it was made.",
    load: async () => (await import("./bundle/bundle.ts")).bundleVerify,
  },
  "bundle install": {
    usage: "<file> --key <public key>",
    summary: "Install a bundle, or upgrade by it, while no server runs: whole, or not at all.",
    load: async () => (await import("./bundle/bundle.ts")).bundleInstall,
  },
  "bundle recover": {
    usage: "",
    summary: "Put everything back as it was, where the installation of a bundle was broken off.",
    load: async () => (await import("./bundle/bundle.ts")).bundleRecover,
  },
  "bundle key": {
    usage: "<name>",
    summary: "Make a pair of keys (Ed25519) to sign bundles with, and to check them.",
    load: async () => (await import("./bundle/bundle.ts")).bundleKey,
  },
  move: {
    usage: "--to <postgres://…|directory>",
    summary:
      "Copy everything from SQLite to PostgreSQL, or back, while no server runs. What is there stays as it is.",
    load: async () => (await import("./backup/backup.ts")).move,
  },
  doctor: {
    usage: "",
    summary:
      "Check the data directory, the database, vectors, Ollama, and the sites with their keyword indexes, and say what to do.",
    load: async () => (await import("./doctor/doctor.ts")).doctor,
  },
  config: {
    usage: "",
    summary: "Show every setting: its value, and where it comes from. Secrets are hidden.",
    load: async () => (await import("./config.ts")).config,
  },
  health: {
    usage: "",
    summary: "Ask the server whether it is ready. The exit code says so, for containers.",
    load: async () => (await import("./health/health.ts")).health,
  },
  "service install": {
    usage: "",
    summary:
      "Make Docent a service of systemd or launchd: write its files, with the settings that are named here, and say what to run. Nothing is started.",
    load: async () => (await import("./service/service.ts")).serviceInstall,
  },
  "service status": {
    usage: "",
    summary: "Say whether Docent is a service, and what systemd or launchd says of it.",
    load: async () => (await import("./service/service.ts")).serviceStatus,
  },
  "service uninstall": {
    usage: "",
    summary: "Remove the file that makes Docent a service. Settings and the data directory stay.",
    load: async () => (await import("./service/service.ts")).serviceUninstall,
  },
  completions: {
    usage: "<shell>",
    summary: "Print a script with which a shell completes commands and options: bash, zsh, fish, powershell.",
    load: async () => (await import("./manual/manual.ts")).completions,
  },
  man: {
    usage: "",
    summary: "Print the manual page, with every command, option and setting: docent man | man -l -",
    load: async () => (await import("./manual/manual.ts")).man,
  },
  licenses: {
    usage: "",
    summary: "Show the licence of Docent, and the licences of the code of others that it contains.",
    load: async () => (await import("./licenses.ts")).licenses,
  },
};

/** Enough for the list of commands, and to find the one that a line names. */
export const LISTED: readonly Listed[] = Object.entries(COMMANDS).map(([name, { usage, summary }]) => ({
  name,
  usage,
  summary,
}));

export async function loadCommand(listed: Listed): Promise<NamedCommand> {
  const entry = COMMANDS[listed.name];
  if (entry === undefined) throw new Error(`There is no command ${listed.name}`);
  return { ...listed, ...(await entry.load()) };
}

/** All commands, for documentation. */
export const loadCommands = (): Promise<DocumentedCommand[]> =>
  Promise.all(
    LISTED.map(async (listed) => {
      const { json, ...command } = await loadCommand(listed);
      return { ...command, json: typeof json === "function" ? await json() : json };
    }),
  );
