"""Builds other people's docs with MkDocs, without the plugins, extensions and hooks that are not installed here.

Arguments: the configuration, and the folder for the HTML.
"""

import sys

import markdown
from mkdocs.commands.build import build
from mkdocs.config import base, config_options
from mkdocs.plugins import BasePlugin

SWITCHED_OFF = {"social", "optimize", "privacy", "projects", "git-revision-date-localized", "git-committers"}


class Nothing(markdown.Extension):
    """An extension that is not here."""

    def extendMarkdown(self, md):
        pass


build_extension = markdown.Markdown.build_extension


def build_extension_or_nothing(self, name, configs):
    try:
        return build_extension(self, name, configs)
    except (ImportError, AttributeError, KeyError) as error:
        print(f"{name} is left out: {error}", file=sys.stderr)
        return Nothing()


load_plugin = config_options.Plugins.load_plugin_with_namespace


def load_plugin_or_nothing(self, name, config):
    try:
        if name.split("/")[-1] in SWITCHED_OFF:
            raise config_options.ValidationError("it is switched off")
        return load_plugin(self, name, config)
    except config_options.ValidationError as error:
        print(f"{name} is left out: {error}", file=sys.stderr)
        return name, BasePlugin()


try:
    from mkdocs_macros.plugin import MacrosPlugin

    load_modules = MacrosPlugin._load_modules

    def load_modules_or_none(self):
        try:
            load_modules(self)
        except ImportError as error:
            print(f"modules of macros are left out: {error}", file=sys.stderr)
            self.config.update({"module_name": "main", "modules": []})
            load_modules(self)

    MacrosPlugin._load_modules = load_modules_or_none
except ImportError:
    pass

markdown.Markdown.build_extension = build_extension_or_nothing
config_options.Plugins.load_plugin_with_namespace = load_plugin_or_nothing
config = base.load_config(config_file=sys.argv[1], site_dir=sys.argv[2], hooks=[], strict=False)
config.plugins.on_startup(command="build", dirty=False)
build(config)
