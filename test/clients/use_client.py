"""Uses the client that openapi-python-client has made, as a program of a site's owner would."""

import os
from io import BytesIO
from zipfile import ZipFile

from docent_client import AuthenticatedClient
from docent_client.api.admin_assistant_keys import create_assistant_key, revoke_assistant_key
from docent_client.api.admin_backup import download_backup
from docent_client.api.admin_curated_answers import get_curated_answer, write_curated_answer
from docent_client.api.admin_pages import explain_search, list_pages
from docent_client.api.admin_sites import add_site, change_site, get_site, list_sites, remove_site
from docent_client.api.admin_sources import add_source, list_ledger_entries, list_sources, upload_archive
from docent_client.api.analytics import download_evaluation_set, export_conversations, list_turns
from docent_client.api.assistant import send_message
from docent_client.api.search import get_page, search_passages
from docent_client.models import (
    Error,
    ErrorCode,
    Explain,
    ExportConversationsFormat,
    KeyState,
    Message,
    MessageRole,
    NewAssistantKey,
    NewSite,
    NewSource,
    Outcome,
    PageByPath,
    Question,
    SearchQuery,
    Site,
    SiteChange,
    SiteRemoval,
    SiteSettingsChange,
    Source,
    TextPart,
    WrittenAnswer,
)
from docent_client.types import File

url = os.environ["DOCENT_URL"]
reader = AuthenticatedClient(base_url=url, token=os.environ["DOCENT_KEY"])
owner = AuthenticatedClient(base_url=url, token=os.environ["DOCENT_ADMIN_KEY"])
operator = AuthenticatedClient(base_url=url, token=os.environ["DOCENT_SERVER_KEY"])

# A reader searches, reads a page, and asks.
found = search_passages.sync("docent", client=reader, body=SearchQuery(query="install on linux", page_size=3))
assert isinstance(found, list) and 1 <= len(found) <= 3, found
for start, end in found[0].metadata.highlights:
    assert 0 <= start < end <= len(found[0].content)
page = get_page.sync("docent", client=reader, body=PageByPath(path=found[0].path))
assert not isinstance(page, Error) and page is not None and page.content, page
missing = get_page.sync("docent", client=reader, body=PageByPath(path="no/such/page"))
assert isinstance(missing, Error) and missing.code == ErrorCode.NOT_FOUND, missing
parts = [TextPart(type_="text", text="How do I add a site?")]
question = Question(fp="python", messages=[Message(id="1", role=MessageRole.USER, parts=parts)])
answer = send_message.sync_detailed("docent", client=reader, body=question)
assert answer.status_code == 200 and b'"type":"finish"' in answer.content, answer

# Its owner sees the turn, and why it was answered as it was.
turns = list_turns.sync("docent", client=owner)
assert not isinstance(turns, Error) and turns is not None, turns
assert turns.conversations[0].question == "How do I add a site?"
assert isinstance(turns.conversations[0].outcome, Outcome)
explained = explain_search.sync("docent", client=owner, body=Explain(question="How do I add a site?"))
assert explained is not None and not isinstance(explained, Error) and explained.passages, explained
exported = export_conversations.sync("docent", client=owner, format_=ExportConversationsFormat.CSV)
assert isinstance(exported, str) and "How do I add a site?" in exported, exported
assert download_evaluation_set.sync("docent", client=owner) == ""

# A site comes, is changed, has sources, and goes.
site = add_site.sync(client=owner, body=NewSite(domain="handbook", name="Handbook"))
assert isinstance(site, Site) and site.url is None and site.settings.widget.theme == "auto", site
change = SiteChange(settings=SiteSettingsChange(contact="docs@example.com"))
changed = change_site.sync("handbook", client=owner, body=change)
assert isinstance(changed, Site) and changed.settings.contact == "docs@example.com", changed
source = add_source.sync("handbook", client=owner, body=NewSource(place="https://docs.example.com", every_ms=None))
assert isinstance(source, Source) and source.every_ms is None and source.last_run is None, source
archive = BytesIO()
with ZipFile(archive, "w") as zip_file:
    zip_file.writestr("index.md", "# Handbook\n\nWe meet on Mondays.\n")
sent = File(payload=BytesIO(archive.getvalue()))
uploaded = upload_archive.sync("handbook", client=owner, body=sent, name="handbook.zip")
assert isinstance(uploaded, Source) and uploaded.kind == "upload", uploaded
listed = list_sources.sync("handbook", client=owner)
assert isinstance(listed, list) and [each.number for each in listed] == [source.number, uploaded.number], listed
written = WrittenAnswer(markdown="---\nquestion: When do we meet?\n---\nOn Mondays.")
write_curated_answer.sync("handbook", "meetings", client=owner, body=written)
answers = get_curated_answer.sync("handbook", "meetings", client=owner)
assert isinstance(answers, list) and answers[0].questions == ["When do we meet?"], answers
gone = remove_site.sync_detailed("handbook", client=owner, body=SiteRemoval(confirm="handbook"))
assert gone.status_code == 204, gone
assert isinstance(get_site.sync("handbook", client=owner), Error)
sites = list_sites.sync(client=owner)
assert isinstance(sites, list) and [each.domain for each in sites] == ["docent"], sites

# What is kept of the demo's pages, a key that comes and goes, and a backup.
pages = list_pages.sync("docent", client=owner, limit=2)
assert pages is not None and not isinstance(pages, Error) and pages.has_more and pages.next_cursor, pages
more = list_pages.sync("docent", client=owner, limit=2, cursor=pages.next_cursor)
assert more is not None and not isinstance(more, Error) and more.pages[0].path > pages.pages[1].path, more
assert list_ledger_entries.sync("docent", 1, client=owner) is not None
key = create_assistant_key.sync(client=owner, body=NewAssistantKey(name="python", sites=["docent"]))
assert key is not None and not isinstance(key, Error) and key.state == KeyState.ACTIVE, key
revoked = revoke_assistant_key.sync(key.id, client=owner)
assert revoked is not None and not isinstance(revoked, Error) and revoked.state == KeyState.REVOKED, revoked
refused = download_backup.sync(client=owner)
assert isinstance(refused, Error) and refused.code == ErrorCode.FORBIDDEN, refused
backup = download_backup.sync(client=operator)
assert isinstance(backup, File) and backup.payload.read(15) == b"SQLite format 3", backup

print("all is well")
