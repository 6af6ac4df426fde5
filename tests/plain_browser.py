"""A browser without scripts: it shows pages, presses buttons of their forms and follows their links."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from django.test import Client

VOID_ELEMENTS = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
SVG_PATTERN = re.compile(r"<svg.*?</svg>", re.DOTALL)
CONTROL_PATTERN = re.compile(r"<(?:a|button|form|input)\b")
SENT_INPUT_TYPES = {"text", "hidden", "email", "number", "password", "search"}


@dataclass
class Form:
    """A form with what is filled in."""

    action: str
    method: str
    fields: dict[str, str] = field(default_factory=dict)


@dataclass
class Button:
    """A button that can be seen, with its attributes."""

    attributes: dict[str, str]
    form: str
    text: str = ""

    def has_class(self, name: str) -> bool:
        return name in self.attributes.get("class", "").split()


class ParsedPage(HTMLParser):
    """What of a page matters to somebody who has only forms and links."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.html = html
        self.forms: dict[str, Form] = {}
        self.controls: list[tuple[str, dict[str, str]]] = []
        self.buttons: list[Button] = []
        self.links: list[str] = []
        self.open_elements: list[tuple[str, bool]] = []
        self.current_form = ""
        self.current_button: Button | None = None
        # Half of a page of the table, or more, is outlines of tiles.
        self.feed(SVG_PATTERN.sub(lambda drawing: drawing[0] if CONTROL_PATTERN.search(drawing[0]) else "", html))
        for form, attributes in self.controls:
            self.forms[form].fields[attributes["name"]] = attributes.get("value", "")

    def form_sent_by(self, button: Button, address: str) -> Form:
        """Return what a press on the button sends from the page of this address, and where to."""
        form = self.forms[button.form]
        own = {button.attributes["name"]: button.attributes.get("value", "")} if "name" in button.attributes else {}
        action = button.attributes.get("formaction") or form.action or address.partition("?")[0]
        return Form(action, form.method, form.fields | own)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        hidden = "hidden" in attributes or any(out_of_sight for _tag, out_of_sight in self.open_elements)
        if tag not in VOID_ELEMENTS:
            self.open_elements.append((tag, hidden))
        if tag == "form":
            self.current_form = attributes.get("id") or f"form {len(self.forms)}"
            self.forms[self.current_form] = Form(attributes.get("action", ""), attributes.get("method", "get"))
        elif tag == "input" and "name" in attributes and is_sent(attributes):
            self.controls.append((attributes.get("form", self.current_form), attributes))
        elif tag == "button" and not hidden and attributes.get("type", "submit") == "submit":
            self.current_button = Button(attributes, attributes.get("form", self.current_form))
            self.buttons.append(self.current_button)
        elif tag == "a" and not hidden and "href" in attributes:
            self.links.append(attributes["href"])

    def handle_endtag(self, tag: str) -> None:
        while self.open_elements and self.open_elements.pop()[0] != tag:
            pass
        if tag == "form":
            self.current_form = ""
        elif tag == "button":
            self.current_button = None

    def handle_data(self, data: str) -> None:
        if self.current_button:
            self.current_button.text += data


def is_sent(attributes: dict[str, str]) -> bool:
    """Return whether a form sends this input with its current value."""
    return attributes.get("type", "text") in SENT_INPUT_TYPES or "checked" in attributes


class PlainBrowser:
    """One person's browser. The site's check of forged forms is on."""

    def __init__(self, address: str) -> None:
        self.client = Client(enforce_csrf_checks=True)
        self.status = 0
        self.go(address)

    def go(self, address: str) -> None:
        self.show(self.client.get(address, follow=True), address)

    def show(self, response: Any, address: str) -> None:
        chain = getattr(response, "redirect_chain", [])
        self.address = chain[-1][0] if chain else address
        self.status = response.status_code
        assert self.status < 500, self.address
        self.page = ParsedPage(response.content.decode())

    def reload(self) -> None:
        self.go(self.address)

    def press(self, button: Button) -> None:
        """Send the button's form, with the button's own value."""
        form = self.page.form_sent_by(button, self.address)
        send = self.client.post if form.method.lower() == "post" else self.client.get
        self.show(send(form.action, form.fields, follow=True), form.action)
