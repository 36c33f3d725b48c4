"""The product's settings, in a folder of this run's own and without the caller's configuration."""

import atexit
import os
import shutil
import tempfile

from compliance.project.environment import variables

KEPT = {"DATABASE_URL", "BROKER_URL"}

for each in variables():
    if each.name not in KEPT:
        os.environ.pop(each.name, None)
os.environ["VAR"] = tempfile.mkdtemp(prefix="var-")
atexit.register(shutil.rmtree, os.environ["VAR"], ignore_errors=True)

from compliance.project.settings import *  # noqa: E402, F403

# Test passwords guard nothing.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
