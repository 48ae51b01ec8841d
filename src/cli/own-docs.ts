import accessRules from "../../docs/access-rules.md" with { type: "text" };
import adminApi from "../../docs/admin-api.md" with { type: "text" };
import analytics from "../../docs/analytics.md" with { type: "text" };
import answerQuality from "../../docs/answer-quality.md" with { type: "text" };
import api from "../../docs/api.md" with { type: "text" };
import asking from "../../docs/asking.md" with { type: "text" };
import audit from "../../docs/audit.md" with { type: "text" };
import benchmarks from "../../docs/benchmarks.md" with { type: "text" };
import bundle from "../../docs/bundle.md" with { type: "text" };
import chat from "../../docs/chat.md" with { type: "text" };
import check from "../../docs/check.md" with { type: "text" };
import cli from "../../docs/cli.md" with { type: "text" };
import clients from "../../docs/clients.md" with { type: "text" };
import comparison from "../../docs/comparison.md" with { type: "text" };
import configuration from "../../docs/configuration.md" with { type: "text" };
import connectors from "../../docs/connectors.md" with { type: "text" };
import curatedAnswers from "../../docs/curated-answers.md" with { type: "text" };
import dashboard from "../../docs/dashboard.md" with { type: "text" };
import documents from "../../docs/documents.md" with { type: "text" };
import evaluation from "../../docs/evaluation.md" with { type: "text" };
import gaps from "../../docs/gaps.md" with { type: "text" };
import generations from "../../docs/generations.md" with { type: "text" };
import gettingStarted from "../../docs/getting-started.md" with { type: "text" };
import goldenQuestions from "../../docs/golden-questions.md" with { type: "text" };
import handOver from "../../docs/hand-over.md" with { type: "text" };
import index from "../../docs/index.md" with { type: "text" };
import ingest from "../../docs/ingest.md" with { type: "text" };
import install from "../../docs/install.md" with { type: "text" };
import keysAndLimits from "../../docs/keys-and-limits.md" with { type: "text" };
import llmsTxt from "../../docs/llms-txt.md" with { type: "text" };
import mcp from "../../docs/mcp.md" with { type: "text" };
import members from "../../docs/members.md" with { type: "text" };
import metrics from "../../docs/metrics.md" with { type: "text" };
import models from "../../docs/models.md" with { type: "text" };
import moving from "../../docs/moving.md" with { type: "text" };
import notices from "../../docs/notices.md" with { type: "text" };
import openai from "../../docs/openai.md" with { type: "text" };
import openapi from "../../docs/openapi.md" with { type: "text" };
import operations from "../../docs/operations.md" with { type: "text" };
import privacy from "../../docs/privacy.md" with { type: "text" };
import rankingQuality from "../../docs/ranking-quality.md" with { type: "text" };
import reader from "../../docs/reader.md" with { type: "text" };
import recipes from "../../docs/recipes.md" with { type: "text" };
import retrieval from "../../docs/retrieval.md" with { type: "text" };
import retrievalQuality from "../../docs/retrieval-quality.md" with { type: "text" };
import scaling from "../../docs/scaling.md" with { type: "text" };
import scalingRecipes from "../../docs/scaling-recipes.md" with { type: "text" };
import sealed from "../../docs/sealed.md" with { type: "text" };
import searchApi from "../../docs/search-api.md" with { type: "text" };
import security from "../../docs/security.md" with { type: "text" };
import signedInReaders from "../../docs/signed-in-readers.md" with { type: "text" };
import singleSignOn from "../../docs/single-sign-on.md" with { type: "text" };
import siteSettings from "../../docs/site-settings.md" with { type: "text" };
import sources from "../../docs/sources.md" with { type: "text" };
import storage from "../../docs/storage.md" with { type: "text" };
import troubleshooting from "../../docs/troubleshooting.md" with { type: "text" };
import widget from "../../docs/widget.md" with { type: "text" };

/** Docent's own documentation, inside the binary: file names with their Markdown. */
export const OWN_DOCS: Readonly<Record<string, string>> = {
  "index.md": index,
  "getting-started.md": gettingStarted,
  "install.md": install,
  "ingest.md": ingest,
  "sources.md": sources,
  "connectors.md": connectors,
  "access-rules.md": accessRules,
  "generations.md": generations,
  "golden-questions.md": goldenQuestions,
  "asking.md": asking,
  "audit.md": audit,
  "retrieval.md": retrieval,
  "curated-answers.md": curatedAnswers,
  "dashboard.md": dashboard,
  "analytics.md": analytics,
  "gaps.md": gaps,
  "documents.md": documents,
  "hand-over.md": handOver,
  "chat.md": chat,
  "evaluation.md": evaluation,
  "check.md": check,
  "answer-quality.md": answerQuality,
  "retrieval-quality.md": retrievalQuality,
  "ranking-quality.md": rankingQuality,
  "scaling.md": scaling,
  "scaling-recipes.md": scalingRecipes,
  "sealed.md": sealed,
  "bundle.md": bundle,
  "search-api.md": searchApi,
  "mcp.md": mcp,
  "llms-txt.md": llmsTxt,
  "benchmarks.md": benchmarks,
  "comparison.md": comparison,
  "reader.md": reader,
  "widget.md": widget,
  "clients.md": clients,
  "recipes.md": recipes,
  "openai.md": openai,
  "api.md": api,
  "admin-api.md": adminApi,
  "openapi.md": openapi,
  "models.md": models,
  "notices.md": notices,
  "configuration.md": configuration,
  "signed-in-readers.md": signedInReaders,
  "single-sign-on.md": singleSignOn,
  "site-settings.md": siteSettings,
  "cli.md": cli,
  "keys-and-limits.md": keysAndLimits,
  "members.md": members,
  "security.md": security,
  "privacy.md": privacy,
  "storage.md": storage,
  "operations.md": operations,
  "metrics.md": metrics,
  "moving.md": moving,
  "troubleshooting.md": troubleshooting,
};
