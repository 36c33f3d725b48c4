"""Kernels: plain when imported, compiled on demand, cached under the digest of their sources."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest
from numba.core.caching import UserProvidedCacheLocator

from games import kernel as kernel_module
from games.kernel import cache_directory, compiled, is_kernel, kernel, sources_digest
from games.pyramid_poker.settle import settle_main


@kernel
def doubled(number: int) -> int:
    return 2 * number


@kernel
def doubled_twice(number: int) -> int:
    return doubled(doubled(number))


@kernel
def summed_down(number: int) -> int:
    return number + summed_down(number - 1) if number > 0 else 0


def plain(number: int) -> int:
    return number


def test_a_kernel_stays_the_plain_function():
    assert doubled_twice(3) == 12
    assert is_kernel(settle_main)
    assert not is_kernel(plain)
    assert not is_kernel(compiled(doubled))


def test_the_twin_calls_the_twins_of_the_kernels_it_calls():
    twin = compiled(doubled_twice)
    assert twin(3) == 12
    assert twin is compiled(doubled_twice)
    assert hasattr(twin, "py_func")
    assert hasattr(twin.py_func.__globals__["doubled"], "py_func")


def test_a_function_that_is_no_kernel_is_not_compiled():
    with pytest.raises(TypeError, match="plain is not marked"):
        compiled(plain)


def test_the_cache_is_named_by_every_source_of_the_engine(tmp_path, monkeypatch):
    (tmp_path / "one.py").write_text("A = 1\n")
    monkeypatch.setattr(kernel_module, "GAMES", tmp_path)
    monkeypatch.delenv("KERNEL_CACHE", raising=False)
    sources_digest.cache_clear()
    before = cache_directory()
    assert before.parent == tmp_path.parent / "var" / "kernels"
    sources_digest.cache_clear()
    assert cache_directory() == before
    (tmp_path / "one.py").write_text("A = 2\n")
    sources_digest.cache_clear()
    assert cache_directory() != before
    monkeypatch.setenv("KERNEL_CACHE", str(tmp_path / "elsewhere"))
    assert cache_directory().parent == tmp_path / "elsewhere"
    monkeypatch.undo()
    sources_digest.cache_clear()


COMPILES = """
from games.kernel import compiled
from tests.games.test_kernel import doubled
print("compiling", flush=True)
assert compiled(doubled)(3) == 6
"""


def test_one_process_at_a_time_keeps_what_it_compiled(tmp_path):
    environment = {**os.environ, "KERNEL_CACHE": str(tmp_path)}
    cache = tmp_path / cache_directory().name
    cache.mkdir()
    with subprocess.Popen(
        [sys.executable, "-c", COMPILES], env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        with (cache / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            assert process.stdout is not None
            assert process.stdout.readline() == "compiling\n"
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(timeout=5)
            assert not list(tmp_path.rglob("*.nbi"))
        assert process.wait(timeout=60) == 0
    assert list(tmp_path.rglob("test_kernel.doubled*.nbi"))


def test_one_of_two_processes_compiles_and_other_loads(tmp_path):
    environment = {**os.environ, "KERNEL_CACHE": str(tmp_path)}
    counts = f"{COMPILES}\nprint(sum(compiled(doubled).stats.cache_misses.values()))"
    both = [
        subprocess.Popen(
            [sys.executable, "-c", counts], env=environment, stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    output = [process.communicate(timeout=100)[0].split()[-1] for process in both]
    assert sorted(output) == ["0", "1"]


def test_on_a_full_disk_a_kernel_is_compiled_and_not_kept(tmp_path):
    environment = {**os.environ, "KERNEL_CACHE": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    fill = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))\n{COMPILES}"
    done = subprocess.run(
        [sys.executable, "-c", fill], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "compiling\n", "")
    assert not [path for path in tmp_path.rglob("*.nb*") if path.stat().st_size]


def test_no_kernel_is_kept_without_its_folder(tmp_path):
    environment = {**os.environ, "KERNEL_CACHE": str(tmp_path)}
    cache = tmp_path / cache_directory().name
    cache.mkdir()
    (cache / UserProvidedCacheLocator.get_suitable_cache_subpath(__file__)).touch()
    done = subprocess.run([sys.executable, "-c", COMPILES], env=environment, check=False)
    assert done.returncode == 0
    assert not list(Path(__file__).parent.rglob("test_kernel.doubled*.nbi"))
