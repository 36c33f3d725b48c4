"""Django's settings, made from the environment; nothing here depends on who runs it otherwise."""

from csp.constants import NONCE, NONE, SELF

from compliance.project.api_description import DESCRIPTION
from compliance.project.broker import TASK_SECONDS, celery_url, on_one_machine, transport_options
from compliance.project.environment import ROOT, held_checkpoint, read_environment
from compliance.project.keys import (
    demonstration_report_key,
    demonstration_secret,
    demonstration_signing_key,
)
from compliance.project.logs import logging_to_stderr
from compliance.project.mail import mail_settings
from compliance.project.own_files import keep_from_others
from compliance.project.schedule import SCHEDULE
from compliance.project.single_sign_on import single_sign_on
from compliance.project.swagger_ui import swagger_ui

keep_from_others()
ENVIRONMENT = read_environment()
PRODUCTION = ENVIRONMENT.production

# What this is and who runs it
BASE_DIR = ROOT
VAR = ENVIRONMENT.var
AGENCY_NAME = ENVIRONMENT.agency
DEBUG = False
ALLOWED_HOSTS = ENVIRONMENT.hosts
# Django takes no empty key; in production the system checks refuse a missing one with the others.
SECRET_KEY = ENVIRONMENT.secret_key or ("none" if PRODUCTION else demonstration_secret(VAR))
SIGNING_KEY = ENVIRONMENT.signing_key or ("" if PRODUCTION else str(demonstration_signing_key(VAR)))
RETIRED_KEYS = ENVIRONMENT.retired_keys
REPORT_KEY = ENVIRONMENT.report_key or ("" if PRODUCTION else str(demonstration_report_key(VAR)))
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
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "compliance.project.request_log.RequestLogMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "compliance.web.accounts.session_end.SessionEndMiddleware",
    "compliance.web.accounts.signed_out.SignedOutMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "allauth.usersessions.middleware.UserSessionsMiddleware",
    "compliance.web.who_asks.WhoAsksMiddleware",
    "compliance.web.not_kept.NotKeptMiddleware",
    "compliance.web.small_bodies.SmallBodiesMiddleware",
    "compliance.web.accounts.second_factor.SecondFactorMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "compliance.web.damaged_file.DamagedFileMiddleware",
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
                "compliance.web.frame.frame",
            ],
            "builtins": ["compliance.web.dates", "compliance.web.names"],
        },
    }
]

FORM_RENDERER = "compliance.web.forms.FormRenderer"
# The largest form is that of one game at 200 tables, with two limits for each of its wagers.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2500
DJANGO_TABLES2_TEMPLATE = "tables/table.html"
CSRF_FAILURE_VIEW = "compliance.web.errors.forged"

# The database: a file on one machine, PostgreSQL when work is shared
DATABASES = {"default": ENVIRONMENT.database}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        # A transaction that will write takes its lock at once: with SQLite's default half of the
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
    # A server that does not answer at all is not waited for; how long a request waits for one
    # that is slow, `patience.py` says.
    DATABASES["default"].setdefault("OPTIONS", {}).setdefault("connect_timeout", 5)
HELD_CHECKPOINT = held_checkpoint(VAR, DATABASES["default"])
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# What was tried at the door and which codes were used: one memory for every process of the web
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "cache",
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    }
}

# Language and time: stored in UTC, shown in the agency's zone
LANGUAGE_CODE = "en-us"
USE_I18N = False
USE_TZ = True
TIME_ZONE = ENVIRONMENT.time_zone

# Pages fetch nothing from outside and run no script without this response's nonce
STATIC_URL = "static/"
STATIC_ROOT = VAR / "static"
STATICFILES_DIRS = [
    ROOT / "compliance" / "assets" / "static",
    VAR / "assets" / "static",
    ("swagger-ui", swagger_ui()),
]
# The second of these folders is what `build_assets` makes: before its first run it is not there.
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
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = PRODUCTION
SECURE_HSTS_SECONDS = 31_536_000 if PRODUCTION else 0
SECURE_SSL_REDIRECT = PRODUCTION
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
if ENVIRONMENT.behind_proxy:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
# The visitor's address is the last, which the proxy adds; anybody can write what stands before it.
ALLAUTH_TRUSTED_PROXY_COUNT = int(ENVIRONMENT.behind_proxy)

# People sign in with a mail address and a password or a passkey; nobody registers
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "compliance.web.accounts.adapters.AccountAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"  # an invitation's mail has shown whose the address is
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
ACCOUNT_LOGIN_ON_PASSWORD_RESET = False
ACCOUNT_SESSION_REMEMBER = False
ACCOUNT_REAUTHENTICATION_TIMEOUT = 300
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if PRODUCTION else "http"
SOCIALACCOUNT_ADAPTER = "compliance.web.accounts.adapters.SingleSignOnAdapter"
SOCIALACCOUNT_EMAIL_AUTHENTICATION = True
SOCIALACCOUNT_EMAIL_AUTHENTICATION_AUTO_CONNECT = True
SOCIALACCOUNT_OPENID_CONNECT_URL_PREFIX = ""
SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": single_sign_on(ENVIRONMENT.oidc)}}
MFA_ADAPTER = "compliance.web.accounts.adapters.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not PRODUCTION  # http://localhost is no secure origin
USERSESSIONS_TRACK_ACTIVITY = True
PASSWORD_HASHERS = ["compliance.web.accounts.hashing.InTurn"]
# NIST SP 800-63B: length counts, composition does not; what is known or derived is refused.
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

# The archive of everything handed in or made
ARCHIVE_URL = ENVIRONMENT.archive

# Where reports are left for others, and the address that mails lead back to
REPORTS_URL = ENVIRONMENT.reports
SITE_URL = ENVIRONMENT.site or (
    f"https://{ALLOWED_HOSTS[0]}" if PRODUCTION else f"http://localhost:{ENVIRONMENT.port}"
)

# Whether anybody may read what was approved
READING_ROOM = ENVIRONMENT.reading_room

# Mail
_mail = mail_settings(ENVIRONMENT.mail)
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
BROKER_URL = ENVIRONMENT.broker
WORKERS = ENVIRONMENT.workers
CELERY_BROKER_URL = celery_url(BROKER_URL)
CELERY_BROKER_TRANSPORT_OPTIONS = transport_options(BROKER_URL, VAR / "broker")
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_DEFAULT_QUEUE = "compliance"
CELERY_TASK_IGNORE_RESULT = True
# A task is acknowledged when it is done, and put back when its process is killed. Without the
# second a killed process takes its task along, on every broker.
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_TIME_LIMIT = TASK_SECONDS
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 2, "interval_start": 0.1, "interval_step": 0.4}
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CONCURRENCY = WORKERS
# With a folder the worker is one process: a killed child of Celery's blocking pool leaves the
# pool's queue locked for ever. What restarts the one process is its parent.
CELERY_WORKER_POOL = "solo" if on_one_machine(BROKER_URL) else "prefork"
CELERY_TIMEZONE = TIME_ZONE
# Beat keeps nothing on disk: what must be caught up stands in the database.
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"
CELERY_BEAT_SCHEDULE = SCHEDULE

FOUR_EYES_ABOVE = ENVIRONMENT.four_eyes_above

# Years after which bytes are removed, by class
RETENTION = ENVIRONMENT.retention

# Who looks at documents for viruses
CLAMD_URL = ENVIRONMENT.clamd

# Figures for Prometheus
METRICS_TOKEN = ENVIRONMENT.metrics_token

# Programs: what each key may ask for in a minute, and how much of that at once
API_RATE = ENVIRONMENT.api_rate
API_AT_ONCE = max(API_RATE // 4, 1)
# Where programs may be told of things, beside the public internet
WEBHOOK_NETWORKS = ENVIRONMENT.webhook_networks
REST_FRAMEWORK = {
    "EXCEPTION_HANDLER": "compliance.api.problems.handle",
    "DEFAULT_SCHEMA_CLASS": "compliance.api.description.Described",
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
}
SPECTACULAR_SETTINGS = DESCRIPTION

# Logs: structured, with the request's id, which follows into tasks
DJANGO_STRUCTLOG_CELERY_ENABLED = True
LOGGING = logging_to_stderr(as_json=PRODUCTION)
