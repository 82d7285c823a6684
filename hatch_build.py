"""Builds the native part of the rules and compiles the modules of concealment when the package is installed.

Without a compiler Python does the same, slower.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDER = Path("src/innominate/detect/rules/native")
BUILT = ("src/innominate/**/*.so", "src/innominate/**/*.pyd")


class Native(BuildHookInterface[Any]):
    """Puts what it builds beside the sources."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile; what comes of it goes into the wheel."""
        if self.target_name != "wheel":
            return
        root = Path(self.root)
        for old in (path for pattern in BUILT for path in root.glob(pattern)):
            old.unlink()
        for what, build in (("The native part of the rules", _rules), ("Concealment", _concealment)):
            try:
                build(root)
            except (Exception, SystemExit) as error:  # whatever a compiler does not like; mypyc exits
                self.app.display_warning(f"{what} was not compiled, so it is slower: {error}")
        if any(True for pattern in BUILT for _ in root.glob(pattern)):
            build_data["pure_python"] = False
            build_data["infer_tag"] = True
            build_data["artifacts"] += BUILT


def _rules(root: Path) -> None:
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    sources = sorted(str(path.relative_to(root)) for path in (root / FOLDER).glob("*.c"))
    module = Extension("innominate.detect.rules.native._native", sources, depends=[f"{FOLDER}/native.h"])
    command = build_ext(Distribution({"name": "innominate", "package_dir": {"": "src"}, "ext_modules": [module]}))
    with tempfile.TemporaryDirectory() as temporary:
        command.build_temp = command.build_lib = temporary
        command.inplace = True
        command.ensure_finalized()
        command.run()


def _concealment(root: Path) -> None:
    sys.path.insert(0, str(root / "tools"))
    import compiled

    compiled.build(root)
