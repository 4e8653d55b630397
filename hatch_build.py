"""Compiles what is worth compiling, where there is a compiler; without one the package works all the same."""

from __future__ import annotations

import compileall
import sys
import warnings
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MODULES = {
    "haenyeo.html._scanner": "src/haenyeo/html/scanner/scanner.c",
    "haenyeo.html._surroundings": "src/haenyeo/html/surroundings.c",
    "haenyeo.read._kernel": "src/haenyeo/read/kernel/kernel.c",
    "haenyeo.find._seen": "src/haenyeo/find/seen.c",
    "haenyeo.find.traps._fingerprint": "src/haenyeo/find/traps/fingerprint.c",
    "haenyeo.find.learned.features._compiled": "src/haenyeo/find/learned/features/compiled/features.c",
    "haenyeo.store._writing": "src/haenyeo/store/writing.c",
    "haenyeo.find.learned._weighing": "src/haenyeo/find/learned/compiled/weighing.c",
}


class CompileHook(BuildHookInterface[Any]):
    """Puts the compiled modules beside the Python ones."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile before the wheel is filled, or before the source folder is linked.

        A linked folder gets its bytecode now: where nothing may be written later, each start would compile it anew.
        """
        if version == "editable":
            compileall.compile_dir("src/haenyeo", quiet=2)
        for path in self._compiled():
            build_data["artifacts"].append(path)
            build_data["pure_python"] = False
            build_data["infer_tag"] = True

    def _compiled(self) -> list[str]:
        from setuptools import Distribution, Extension
        from setuptools.errors import BaseError

        extensions = [
            Extension(name, [source], depends=list(map(str, Path(source).parent.glob("*.h"))), optional=True)
            for name, source in MODULES.items()
        ]
        with warnings.catch_warnings(action="ignore"):  # setuptools advises against what it does itself
            distribution = Distribution({"name": "haenyeo", "ext_modules": extensions, "package_dir": {"": "src"}})
            command: Any = distribution.get_command_obj("build_ext")
            command.inplace = True
            command.build_temp = "build/compiled"
            try:
                command.ensure_finalized()
                command.run()
            except BaseError as error:
                print(f"haenyeo: nothing compiled, the slower way is taken: {error}", file=sys.stderr)  # noqa: T201
            outputs = [Path(path) for path in command.get_outputs()]
        return [path.as_posix() for path in outputs if path.exists()]
