"""Answers that were given in other tools: read line by line, checked, and kept; what is wrong is listed and kept out."""

from innominate.campaign.imports.importing import ImportReport, import_file
from innominate.campaign.imports.tools import TOOLS

__all__ = ["TOOLS", "ImportReport", "import_file"]
