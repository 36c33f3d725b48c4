from pathlib import Path

from compliance.project import settings as real
from compliance.project.settings import *  # noqa: F403 - the real ones, with the gallery's addresses

ROOT_URLCONF = "tests.pages.gallery"
DIRS = [real.BASE_DIR / "templates", Path(__file__).parent / "templates"]
TEMPLATES = [{**real.TEMPLATES[0], "DIRS": DIRS}]
