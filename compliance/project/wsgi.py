"""What the web server calls."""

import os

from django.core.wsgi import get_wsgi_application

from compliance.project.patience import be_patient_for_so_long

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.project.settings")

application = get_wsgi_application()
be_patient_for_so_long()
