"""The entry point for the web server."""

import os

from django.core.wsgi import get_wsgi_application

from compliance.project.start import be_patient_for_so_long, forget_secrets

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.project.settings")

application = get_wsgi_application()
forget_secrets()
be_patient_for_so_long()

# Models can be imported only now.
from compliance.project.operations.heartbeat import keep_comparing_clock  # noqa: E402

keep_comparing_clock("web")
