"""Writes the words of the pages in an XML export of Confluence as HTML, below their titles: ENTITIES OUT"""

import html
import html.entities
import sys
import xml.etree.ElementTree as tree

AC, RI = "{ac}", "{ri}"
# What these hold is not shown: https://confluence.atlassian.com/doc/confluence-storage-format-790796544.html
UNSHOWN = {AC + name for name in ("task-id", "task-status", "placeholder", "emoticon", "image")}
# Parameters that are words of the page.
SHOWN_PARAMETERS = {"title"}
INLINE = {"a", "b", "code", "em", "i", "s", "span", "strong", "sub", "sup", "time", "u", "del", AC + "link",
          AC + "link-body", AC + "plain-text-link-body", AC + "inline-comment-marker"}


def words(element):
    """The words of an element as HTML: a block for each element that is none of a line."""
    tag = element.tag
    if tag in UNSHOWN:
        return ""
    if tag == AC + "parameter" and element.get(AC + "name") not in SHOWN_PARAMETERS:
        return ""
    if tag == RI + "page":
        return ""
    inner = html.escape(element.text or "")
    if tag == "time":
        inner += element.get("datetime", "")
    for child in element:
        inner += words(child) + html.escape(child.tail or "")
    if tag == AC + "link" and element.find(RI + "page") is not None and len(element) == 1:
        inner = html.escape(element.find(RI + "page").get(RI + "content-title", ""))
    is_line = tag in INLINE or (tag == AC + "structured-macro" and element.get(AC + "name") == "status")
    if element.get(AC + "name") == "title" and tag == AC + "parameter":
        return inner
    return inner if is_line else f"<p>{inner}</p>"


def parsed(body):
    """
    The storage format names HTML's entities, and namespaces that it does not declare. Where a section of characters ends
    in it, an export has a space.
    """
    body = body.replace("]] >", "]]>")
    for name, character in html.entities.html5.items():
        if name.endswith(";") and name[:-1] not in ("amp", "lt", "gt", "quot", "apos"):
            body = body.replace(f"&{name}", html.escape(character))
    return tree.fromstring(f'<body xmlns:ac="ac" xmlns:ri="ri">{body}</body>')


def main(entities, out):
    titles, bodies = {}, {}
    for element in tree.parse(entities).getroot().iter("object"):
        of = {each.get("name"): each for each in element.findall("property")}
        if element.get("class") == "Page":
            titles[element.findtext("id")] = of["title"].text
        if element.get("class") == "BodyContent":
            bodies[of["content"].findtext("id")] = of["body"].text
    pages = "".join(f"<h1>{html.escape(title)}</h1>{words(parsed(bodies[id]))}" for id, title in titles.items())
    with open(out, "w", encoding="utf-8") as file:
        file.write(f"<meta charset='utf-8'><body>{pages}</body>")


main(*sys.argv[1:])
