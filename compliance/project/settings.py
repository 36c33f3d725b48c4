"""Django's settings, computed only from the environment."""

from csp.constants import NONCE, NONE, SELF

from compliance.project.broker import celery_url, on_one_machine, transport_options
from compliance.project.configuration import (
    DESCRIPTION,
    checkpoint_file,
    database_settings,
    keep_from_others,
    keep_memory_from_others,
    single_sign_on,
    swagger_ui,
)
from compliance.project.environment import ROOT, read_environment
from compliance.project.keys import (
    demonstration_report_key,
    demonstration_secret,
    demonstration_signing_key,
)
from compliance.project.logs import logging_to_stderr
from compliance.project.mail import mail_settings
from compliance.project.messages import TASK_SECONDS
from compliance.project.schedule import SCHEDULE
from compliance.secret import Secret

keep_from_others()
ENVIRONMENT = read_environment()
PRODUCTION = ENVIRONMENT.production
if PRODUCTION:
    keep_memory_from_others()

# Name and operator of this installation
BASE_DIR = ROOT
VAR = ENVIRONMENT.var
AGENCY_NAME = ENVIRONMENT.agency
DEBUG = False
ALLOWED_HOSTS = ENVIRONMENT.hosts
# Django rejects an empty key; in production the system checks report a missing one with the others.
SECRET_KEY = ENVIRONMENT.secret_key.reveal() or (
    "none" if PRODUCTION else demonstration_secret(VAR)
)
SECRET_KEY_FALLBACKS = [each.reveal() for each in ENVIRONMENT.secret_key_fallbacks]
# Encryption keys. A demonstration created before these keys encrypted with its secret.
SECOND_FACTOR_KEYS = ENVIRONMENT.second_factor_keys
WEBHOOK_KEYS = ENVIRONMENT.webhook_keys
if not PRODUCTION:
    _earlier = [Secret(SECRET_KEY)]
    SECOND_FACTOR_KEYS = SECOND_FACTOR_KEYS or [
        Secret(demonstration_secret(VAR, "second-factors")),
        *_earlier,
    ]
    WEBHOOK_KEYS = WEBHOOK_KEYS or [Secret(demonstration_secret(VAR, "webhooks")), *_earlier]
BACKUP_KEY = ENVIRONMENT.backup_key
SIGNING_KEY = ENVIRONMENT.signing_key or ("" if PRODUCTION else str(demonstration_signing_key(VAR)))
SIGNING_TOKEN = ENVIRONMENT.signing_token
SIGNING_TOKEN_PIN = ENVIRONMENT.signing_token_pin
RETIRED_KEYS = ENVIRONMENT.retired_keys
REPORT_KEY = ENVIRONMENT.report_key or (
    str(demonstration_report_key(VAR)) if not PRODUCTION and ENVIRONMENT.uses("REPORT_KEY") else ""
)
REPORT_CERTIFICATES = ENVIRONMENT.report_certificates
REPORT_KEY_PASSPHRASE = ENVIRONMENT.report_key_passphrase
REPORT_TOKEN = ENVIRONMENT.report_token
RETIRED_CERTIFICATES = ENVIRONMENT.retired_certificates
TIMESTAMP_URL = ENVIRONMENT.timestamp_url
TIMESTAMP_CERTIFICATES = ENVIRONMENT.timestamp_certificates
LOG_ORIGIN = ENVIRONMENT.log_origin

AUTH_USER_MODEL = "compliance.Person"

INSTALLED_APPS = [
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.humanize",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "allauth.usersessions",
    "django.forms",
    "django_cotton",
    "django_htmx",
    "django_tables2",
    "rest_framework",
    "drf_spectacular",
    "django_structlog",
    "compliance",
    "audits",
    "reports",
    "compliance.project",
]
MIDDLEWARE = [
    "compliance.ui.middleware.HeadersMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "compliance.ui.middleware.RequestLogMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "compliance.people.sessions.SessionEndMiddleware",
    "compliance.people.sessions.SignedOutMiddleware",
    "compliance.people.devices.KnownDeviceMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "allauth.usersessions.middleware.UserSessionsMiddleware",
    "compliance.ui.access.WhoAsksMiddleware",
    "compliance.ui.middleware.NotKeptMiddleware",
    "compliance.ui.middleware.SmallBodiesMiddleware",
    "compliance.people.second_factor.SecondFactorMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "compliance.ui.middleware.DamagedFileMiddleware",
]
ROOT_URLCONF = "compliance.project.urls"
WSGI_APPLICATION = "compliance.project.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "compliance.ui.frame.frame",
                "compliance.notifications.pages.new_notices",
            ],
            "builtins": ["compliance.ui.filters"],
        },
    }
]

FORM_RENDERER = "compliance.ui.forms.FormRenderer"
# The largest form is for one game at 200 tables, with two limits for each of its wagers.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2500
DJANGO_TABLES2_TEMPLATE = "tables/table.html"
CSRF_FAILURE_VIEW = "compliance.ui.errors.forged"

# The database: a file on one machine, PostgreSQL when work is shared
DATABASES = {"default": database_settings(ENVIRONMENT)}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        # A transaction that will write takes its lock at once: with SQLite's default, half of the
        # contended ones fail, because a reader cannot wait to become the writer.
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA recursive_triggers=ON;"
        ),
    }
else:
    DATABASES["default"]["CONN_MAX_AGE"] = 60
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    # Do not wait for a server that does not respond at all; `start.py` limits how long a request
    # waits for a slow one.
    DATABASES["default"].setdefault("OPTIONS", {}).setdefault("connect_timeout", 5)
KEPT_CHECKPOINT = checkpoint_file(VAR, DATABASES["default"])
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Sign-in attempts and used codes: one cache for every process of the web
CACHES = {
    "default": {
        "BACKEND": "compliance.ui.json_cache.JsonCache",
        "LOCATION": "cache",
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    }
}

# Language and time: stored in UTC, shown in the agency's time zone
LANGUAGE_CODE = "en-us"
USE_I18N = False
USE_TZ = True
TIME_ZONE = ENVIRONMENT.time_zone

# Pages load nothing from outside and run no script without this response's nonce
STATIC_URL = "static/"
STATIC_ROOT = VAR / "static"
STATICFILES_DIRS = [
    ROOT / "compliance" / "ui" / "assets" / "static",
    VAR / "assets" / "static",
    ("swagger-ui", swagger_ui()),
]
# `build_assets` creates the second of these folders: it does not exist before the first run.
SILENCED_SYSTEM_CHECKS = ["staticfiles.W004"]
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF, NONCE],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = PRODUCTION
if PRODUCTION:
    # Browsers accept such a cookie only from this host, over TLS, for all paths (RFC 6265bis,
    # 4.1.3.2), so that no other host of the domain can plant one.
    SESSION_COOKIE_NAME = "__Host-session"
    CSRF_COOKIE_NAME = "__Host-csrf"
# Not preloaded: that list applies to every host of the domain, and leaving it takes months.
SECURE_HSTS_SECONDS = 31_536_000 if PRODUCTION else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = PRODUCTION
SECURE_SSL_REDIRECT = PRODUCTION
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
if ENVIRONMENT.behind_proxy:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
# The visitor's address is the last, which the proxy adds; anyone can forge what comes before it.
ALLAUTH_TRUSTED_PROXY_COUNT = int(ENVIRONMENT.behind_proxy)

# People sign in with an email address and a password or a passkey; there is no registration
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "compliance.people.sign_in.AccountAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"  # the invitation's email proved who owns the address
# Wrong attempts are counted in `compliance/people/sign_in_limits.py`: these limits ignore devices,
# and a person at the same address, or one who knows an account's name, could lock its owner out.
ACCOUNT_RATE_LIMITS = {"login": None, "login_failed": None, "reset_password": None}
ACCOUNT_FORMS = {"reset_password": "compliance.people.sign_in.ResetForm"}
MFA_RATE_LIMITS = {"webauthn_login": None}
MFA_FORMS = {
    "authenticate": "compliance.people.sign_in.CodeForm",
    "reauthenticate": "compliance.people.sign_in.ConfirmCodeForm",
}
DEVICE_COOKIE_NAME = "__Host-device" if PRODUCTION else "device"
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
ACCOUNT_LOGIN_ON_PASSWORD_RESET = False
ACCOUNT_SESSION_REMEMBER = False
ACCOUNT_REAUTHENTICATION_TIMEOUT = 300
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if PRODUCTION else "http"
SOCIALACCOUNT_ADAPTER = "compliance.people.sign_in.SingleSignOnAdapter"
SOCIALACCOUNT_EMAIL_AUTHENTICATION = True
SOCIALACCOUNT_EMAIL_AUTHENTICATION_AUTO_CONNECT = True
SOCIALACCOUNT_OPENID_CONNECT_URL_PREFIX = ""
SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": single_sign_on(ENVIRONMENT.oidc.reveal())}}
MFA_ADAPTER = "compliance.people.sign_in.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not PRODUCTION  # http://localhost is not a secure origin
SECOND_FACTOR = ENVIRONMENT.second_factor
SIGNATURES_REQUIRED_FROM = ENVIRONMENT.signatures_required_from
USERSESSIONS_TRACK_ACTIVITY = True
PASSWORD_HASHERS = ["compliance.people.sign_in.InTurn"]
# NIST SP 800-63B: require length, not composition; reject known or derived passwords.
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 15},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ("name", "email")},
    },
]
SESSION_COOKIE_AGE = SESSION_LASTS = 12 * 60 * 60
SESSION_IDLES = 30 * 60
SESSION_EXPIRE_AT_BROWSER_CLOSE = True
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"

# The archive of everything submitted or generated
ARCHIVE_URL = ENVIRONMENT.archive

# Where reports are published, and the address used in links in emails
REPORTS_URL = ENVIRONMENT.reports
SITE_URL = ENVIRONMENT.site or (
    f"https://{ALLOWED_HOSTS[0]}" if PRODUCTION else f"http://localhost:{ENVIRONMENT.port}"
)

# Whether anyone may read what was approved
READING_ROOM = ENVIRONMENT.reading_room

# Email
_mail = mail_settings(ENVIRONMENT.mail.reveal())
EMAIL_BACKEND = _mail["EMAIL_BACKEND"]
EMAIL_FILE_PATH = _mail.get("EMAIL_FILE_PATH")
EMAIL_HOST = _mail.get("EMAIL_HOST", "")
EMAIL_PORT = _mail.get("EMAIL_PORT", 0)
EMAIL_HOST_USER = _mail.get("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = _mail.get("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS = _mail.get("EMAIL_USE_TLS", False)
EMAIL_USE_SSL = _mail.get("EMAIL_USE_SSL", False)
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = SERVER_EMAIL = ENVIRONMENT.mail_from

# The worker and its broker
# Celery needs it in plain text; everything else checks only its type.
_broker = ENVIRONMENT.broker.reveal()
BROKER_URL = str(ENVIRONMENT.broker)
WORKERS = ENVIRONMENT.workers
CELERY_BROKER_URL = celery_url(_broker)
CELERY_BROKER_TRANSPORT_OPTIONS = transport_options(BROKER_URL, VAR / "broker")
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_TASK_DEFAULT_QUEUE = "compliance"
CELERY_TASK_IGNORE_RESULT = True
# A task is acknowledged when it is done, and requeued when its process is killed. Without the
# second, a killed process loses its task, on every broker.
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_TIME_LIMIT = TASK_SECONDS
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 2, "interval_start": 0.1, "interval_step": 0.4}
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CONCURRENCY = WORKERS
# With a folder, the worker is one process: a killed child of Celery's blocking pool leaves the
# pool's queue locked forever. The parent restarts the one process.
CELERY_WORKER_POOL = "solo" if on_one_machine(BROKER_URL) else "prefork"
# A control message would make a worker reveal its settings, passwords included, or stop, for anyone
# who reaches the broker.
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_TIMEZONE = TIME_ZONE
# Beat keeps nothing on disk: the database records what must be caught up.
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"
CELERY_BEAT_SCHEDULE = SCHEDULE

SECOND_APPROVAL_ABOVE = ENVIRONMENT.second_approval_above

# Years after which files are removed, by class
RETENTION = ENVIRONMENT.retention

# Where the event log is sent
SIEM_URL = ENVIRONMENT.siem
SIEM_CA = ENVIRONMENT.siem_ca
SIEM_PERSONAL_DATA = ENVIRONMENT.siem_personal_data

# Whose cosignatures the event log needs
WITNESSES = ENVIRONMENT.witnesses

# The virus scanner for documents
CLAMD_URL = ENVIRONMENT.clamd

# Metrics for Prometheus
METRICS_TOKEN = ENVIRONMENT.metrics_token

# API: how many requests each key may make per minute, and how many at once
API_RATE = ENVIRONMENT.api_rate
API_AT_ONCE = max(API_RATE // 4, 1)
# Networks that webhooks may reach in addition to the public internet
WEBHOOK_NETWORKS = ENVIRONMENT.webhook_networks
REST_FRAMEWORK = {
    "EXCEPTION_HANDLER": "compliance.api.problems.handle",
    "DEFAULT_SCHEMA_CLASS": "compliance.api.description.Described",
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
}
SPECTACULAR_SETTINGS = DESCRIPTION

# Logs: structured, with the request ID, which is passed on to tasks
DJANGO_STRUCTLOG_CELERY_ENABLED = True
LOGGING = logging_to_stderr(as_json=PRODUCTION, hidden=ENVIRONMENT.secrets())
DEFAULT_EXCEPTION_REPORTER_FILTER = "compliance.project.errors.NamesOnlyFilter"
