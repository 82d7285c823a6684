"""Builds the native part of the rules when the package is installed. Without a compiler the rules run in Python, slower."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDER = Path("src/innominate/detect/rules/native")


class Native(BuildHookInterface[Any]):
    """Compiles the C files beside themselves."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile; what comes of it goes into the wheel."""
        if self.target_name != "wheel":
            return
        folder = Path(self.root) / FOLDER
        for old in (*folder.glob("_native*.so"), *folder.glob("_native*.pyd")):
            old.unlink()
        try:
            _compile(Path(self.root))
        except Exception as error:  # whatever a compiler does not like
            self.app.display_warning(f"The native part of the rules was not built, so they are slower: {error}")
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["artifacts"] += [f"{FOLDER}/_native*.so", f"{FOLDER}/_native*.pyd"]


def _compile(root: Path) -> None:
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
