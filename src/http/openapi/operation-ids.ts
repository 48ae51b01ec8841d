/**
 * What each operation is called, by its method and path: a verb, then what it is done to, in the words of the
 * documentation. Programs that are made from the document have functions of these names, so that a name stays once it
 * is given.
 */
export const OPERATION_IDS: Readonly<Record<string, string>> = {
  // Readers
  "POST /v2/assistant/{domain}/message": "sendMessage",
  "POST /v1/assistant/{domain}/message": "sendMessageV1",
  "POST /v1/search/{domain}": "searchPassages",
  "POST /v1/page/{domain}": "getPage",
  "GET /v1/widget/{domain}": "getWidget",
  "POST /v1/feedback/{domain}": "giveFeedback",
  "POST /v1/events/{domain}": "noteEvent",

  // OpenAI's protocol, in its own words
  "POST /v1/chat/completions": "createChatCompletion",
  "POST /v1/responses": "createResponse",
  "GET /v1/models": "listModels",
  "GET /v1/models/{model}": "getModel",

  // What readers asked
  "GET /v1/analytics/{domain}/overview": "getOverview",
  "GET /v1/analytics/{domain}/conversations": "listTurns",
  "GET /v1/analytics/{domain}/conversations/{id}": "getTurn",
  "DELETE /v1/analytics/{domain}/conversations/{id}": "deleteThreadOfTurn",
  "POST /v1/analytics/{domain}/conversations/{id}/evaluation": "addEvaluationQuestion",
  "GET /v1/analytics/{domain}/evaluation": "listEvaluationQuestions",
  "DELETE /v1/analytics/{domain}/evaluation/{id}": "removeEvaluationQuestion",
  "GET /v1/analytics/{domain}/evaluation-set": "downloadEvaluationSet",
  "GET /v1/analytics/{domain}/assistant": "listConversations",
  "GET /v1/analytics/{domain}/assistant/threads/{id}": "getThread",
  "GET /v1/analytics/{domain}/assistant/caller-stats": "countCallers",
  "GET /v1/analytics/{domain}/searches": "listSearches",
  "GET /v1/analytics/{domain}/feedback": "listFeedback",
  "GET /v1/analytics/{domain}/export": "exportConversations",
  "GET /v1/analytics/{domain}/gaps": "listGaps",
  "GET /v1/analytics/{domain}/gaps/{id}": "getGap",
  "POST /v1/analytics/{domain}/gaps/{id}": "setGapState",

  // Organizations and sites
  "GET /v1/admin/summary": "getSummary",
  "GET /v1/admin/ollama": "getModelStatus",
  "GET /v1/admin/organizations": "listOrganizations",
  "POST /v1/admin/organizations": "addOrganization",
  "GET /v1/admin/sites": "listSites",
  "POST /v1/admin/sites": "addSite",
  "GET /v1/admin/sites/{domain}": "getSite",
  "PATCH /v1/admin/sites/{domain}": "changeSite",
  "DELETE /v1/admin/sites/{domain}": "removeSite",
  "GET /v1/admin/models": "listChatModels",
  "GET /v1/admin/defaults": "getSiteDefaults",
  "POST /v1/admin/sites/{domain}/try": "trySite",

  // Keys and members
  "GET /v1/admin/keys": "listAssistantKeys",
  "POST /v1/admin/keys": "createAssistantKey",
  "DELETE /v1/admin/keys/{id}": "revokeAssistantKey",
  "GET /v1/admin/admin-keys": "listAdminKeys",
  "POST /v1/admin/admin-keys": "createAdminKey",
  "DELETE /v1/admin/admin-keys/{id}": "revokeAdminKey",
  "GET /v1/admin/members": "listMembers",
  "POST /v1/admin/members": "inviteMember",
  "PATCH /v1/admin/members/{id}": "changeMember",
  "DELETE /v1/admin/members/{id}": "removeMember",
  "POST /v1/admin/members/{id}/link": "createMemberLink",

  // Sources, and what was read of them
  "GET /v1/admin/source-rules": "getSourceRules",
  "GET /v1/admin/sites/{domain}/sources": "listSources",
  "POST /v1/admin/sites/{domain}/sources": "addSource",
  "GET /v1/admin/sites/{domain}/sources/{number}": "getSource",
  "PATCH /v1/admin/sites/{domain}/sources/{number}": "changeSource",
  "DELETE /v1/admin/sites/{domain}/sources/{number}": "removeSource",
  "GET /v1/admin/sites/{domain}/sources/{number}/ledger": "listLedgerEntries",
  "POST /v1/admin/sites/{domain}/uploads": "uploadArchive",
  "PUT /v1/admin/sites/{domain}/uploads/{number}": "replaceArchive",
  "GET /v1/admin/sites/{domain}/sources/{number}/runs": "listRuns",
  "POST /v1/admin/sites/{domain}/sources/{number}/runs": "startRun",
  "GET /v1/admin/sites/{domain}/sources/{number}/runs/{run}": "getRun",
  "GET /v1/admin/sites/{domain}/runs": "listRunsUnderWay",
  "GET /v1/admin/sites/{domain}/pages": "listPages",
  "GET /v1/admin/sites/{domain}/page": "getIndexedPage",
  "POST /v1/admin/sites/{domain}/explain": "explainSearch",
  "GET /v1/admin/sites/{domain}/generations": "listGenerations",
  "POST /v1/admin/sites/{domain}/generations/rollback": "rollBackGeneration",

  // Curated answers
  "GET /v1/admin/sites/{domain}/answers": "listCuratedAnswers",
  "GET /v1/admin/sites/{domain}/answers/{name}": "getCuratedAnswer",
  "PUT /v1/admin/sites/{domain}/answers/{name}": "writeCuratedAnswer",
  "DELETE /v1/admin/sites/{domain}/answers/{name}": "deleteCuratedAnswer",

  // What readers said, and the server itself
  "DELETE /v1/admin/sites/{domain}/threads/{id}": "deleteThread",
  "DELETE /v1/admin/sites/{domain}/readers/{fp}": "deleteReader",
  "GET /v1/admin/backup": "downloadBackup",
  "POST /v1/admin/backup": "downloadBackupByForm",
  "GET /v1/admin/server": "getServer",

  // Signing in
  "GET /v1/session": "getSession",
  "POST /v1/session": "signIn",
  "DELETE /v1/session": "signOut",
  "POST /v1/session/link": "lookAtLink",
  "PUT /v1/session/link": "redeemLink",
  "PUT /v1/session/password": "changePassword",
  "GET /v1/session/sessions": "listSessions",
  "DELETE /v1/session/sessions/{id}": "endSession",

  // Agents, and whoever looks after the server
  "POST /mcp/{domain}": "sendMcpMessage",
  "GET /health/live": "checkLiveness",
  "GET /health/ready": "checkReadiness",
  "GET /openapi.json": "getOpenapiDocument",
  "GET /metrics": "getMetrics",
};

/** What an operation is called. One without a name is called by its method and path, and fails a test. */
export function operationId(method: string, path: string): string {
  const key = `${method.toUpperCase()} ${path}`;
  return OPERATION_IDS[key] ?? key;
}
