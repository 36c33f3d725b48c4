"""Whether the code that runs is the code of the source files, and what the sources are.

Python prefers a compiled file beside a source to the source itself, and only compares their times
and sizes. So a changed compiled file changes what runs, and no digest of sources shows it.
"""

from __future__ import annotations

import hashlib
import importlib.util
import marshal
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

from django.apps import apps
from django.conf import settings

import games

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import ModuleType

    from compliance.event_log.verifier import Answer


KINDS = frozenset({".py", ".toml"})


def files_in(places: Iterable[Path]) -> list[Path]:
    """List the source and rule files in some folders, or the files themselves, in order."""
    found: set[Path] = set()
    for place in places:
        inside = place.rglob("*") if place.is_dir() else [place]
        found.update(each for each in inside if each.suffix in KINDS)
    return sorted(found)


def digests_of_files(places: Iterable[Path], root: Path) -> dict[str, str]:
    """Return the SHA-256 of each source and rule file, by its path below `root`."""
    return {
        file.relative_to(root).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in files_in(places)
    }


def foreign_code(places: Iterable[Path]) -> dict[Path, str]:
    """Return the files whose code is not that of the source, each with the digest of that code.

    It compares what Python would load, and the functions that this process has loaded.
    """
    loaded = {
        Path(spec.origin): module
        for module in list(sys.modules.values())
        if (spec := getattr(module, "__spec__", None)) is not None and spec.origin
    }
    found = {}
    for file in files_in(places):
        if file.suffix != ".py":
            continue
        try:
            source = compile(file.read_bytes(), str(file), "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            continue  # nothing of it can run; its digest shows that it changed
        codes = set(_codes_in(source))
        foreign = [*_foreign_bytecode(file, source), *_foreign_functions(loaded.get(file), codes)]
        if foreign:
            found[file] = hashlib.sha256(b"".join(map(marshal.dumps, foreign))).hexdigest()
    return found


def _codes_in(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes_in(constant)


def _foreign_bytecode(file: Path, source: CodeType) -> Iterator[CodeType]:
    """Yield the code of a compiled file that Python would prefer, if it is not the source's."""
    kept = Path(importlib.util.cache_from_source(str(file)))
    if not kept.exists():
        return
    loader = SourceFileLoader(file.stem, str(file))
    try:
        code = loader.get_code(file.stem)  # Python's own choice between the two
    except (ImportError, EOFError, ValueError, TypeError):
        return  # Python could not load it, either
    if code is not None and code != source:
        yield code


def _foreign_functions(module: ModuleType | None, codes: set[CodeType]) -> Iterator[CodeType]:
    """Yield the code of a module's functions that is not in its source."""
    if module is None:
        return
    origin = module.__spec__.origin if module.__spec__ else None
    for function in _functions_of(vars(module).values(), module.__name__, deep=True):
        code = function.__code__
        if code.co_filename == origin and code not in codes:  # else made by a library
            yield code


def _functions_of(values: Iterable[Any], name: str, *, deep: bool) -> Iterator[FunctionType]:
    for value in list(values):
        function = _unwrapped(value)
        if isinstance(function, FunctionType):
            if function.__module__ == name:
                yield function
        elif deep and isinstance(value, type) and value.__module__ == name:
            yield from _functions_of(vars(value).values(), name, deep=False)


def _unwrapped(value: Any) -> Any:
    """Return the function in a property, a cache, a method or a compiled kernel."""
    for name in ("py_func", "__func__", "fget", "func", "__wrapped__"):
        inner = getattr(value, name, None) if not isinstance(value, FunctionType) else None
        if isinstance(inner, FunctionType):
            return inner
    return value


def check_software(answer: Answer) -> None:
    """Report each file of this system whose code is not that of its source."""
    root = Path(settings.BASE_DIR)
    own = [Path(each.path) for each in apps.get_app_configs() if Path(each.path).parent == root]
    places = [*own, Path(games.__file__).parent]
    answer.checked += len(files_in(places))
    for file in foreign_code(places):
        answer.broken(
            "the code that runs is not that of this source: remove the folder __pycache__ beside "
            "it, restart, and find out who wrote there",
            file.relative_to(root).as_posix(),
        )
