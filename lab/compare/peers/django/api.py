"""The five resources as Django REST framework's documentation shows them: models, serializers, view sets, a router."""

import os
from pathlib import Path

from django.conf import settings

DATA = Path(os.environ["DATA"])

settings.configure(
    DEBUG=False,
    SECRET_KEY="for the comparison alone",
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF="api",
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": DATA / "db.sqlite3", "OPTIONS": {
        "transaction_mode": "IMMEDIATE", "timeout": 20, "init_command": "PRAGMA journal_mode=WAL;"}}},
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.staticfiles", "corsheaders", "django_filters",
                    "rest_framework", "drf_spectacular", "api"],
    MIDDLEWARE=["corsheaders.middleware.CorsMiddleware", "django.middleware.security.SecurityMiddleware",
                "django.middleware.gzip.GZipMiddleware", "django.middleware.http.ConditionalGetMiddleware",
                "django.middleware.common.CommonMiddleware"],
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}],
    CORS_ALLOW_ALL_ORIGINS=True,
    MEDIA_ROOT=DATA / "media",
    MEDIA_URL="media/",
    STATIC_URL="static/",
    REST_FRAMEWORK={
        "DEFAULT_AUTHENTICATION_CLASSES": [],
        "UNAUTHENTICATED_USER": None,
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer",
                                     "rest_framework.renderers.BrowsableAPIRenderer",
                                     "rest_framework_xml.renderers.XMLRenderer"],
        "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser", "rest_framework.parsers.FormParser",
                                   "rest_framework.parsers.MultiPartParser", "rest_framework_xml.parsers.XMLParser"],
        "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend",
                                    "rest_framework.filters.OrderingFilter"],
        "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    },
)

import django  # noqa: E402

django.setup()

from django.core.validators import MinValueValidator  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.db import models  # noqa: E402
from django.urls import include, path, re_path  # noqa: E402
from django.views.static import serve  # noqa: E402
from drf_spectacular.views import SpectacularJSONAPIView  # noqa: E402
from rest_framework import pagination, routers, serializers, viewsets  # noqa: E402

text = lambda **more: models.TextField(blank=True, default="", **more)  # noqa: E731
POSITIVE = [MinValueValidator(0)]


class Pages(pagination.CursorPagination):
    ordering = "id"
    page_size = 100
    page_size_query_param = "page_size"
    max_page_size = 1000


class Member(models.Model):
    username = models.TextField()
    name = text()
    email = text()
    age = models.IntegerField(null=True, blank=True, validators=POSITIVE)


class Customer(models.Model):
    name = models.TextField()
    email = text()
    address = models.JSONField(null=True, blank=True)


class Product(models.Model):
    name = models.TextField()
    category = text()
    price = models.FloatField(null=True, blank=True, validators=POSITIVE)
    sku = models.CharField(max_length=40, unique=True, null=True, blank=True)
    tags = models.JSONField(null=True, blank=True)


class Order(models.Model):
    productId = models.BigIntegerField()
    quantity = models.IntegerField(default=1, validators=[MinValueValidator(1)])
    orderValue = models.FloatField(null=True, blank=True, validators=POSITIVE)
    customerId = models.ForeignKey(Customer, null=True, blank=True, on_delete=models.SET_NULL)


class File(models.Model):
    file = models.FileField(upload_to="files")


router = routers.DefaultRouter()
for kind, of, filters in [
    ("members", Member, {"username": ["exact"], "name": ["exact"], "age": ["exact", "gte", "lt"]}),
    ("customers", Customer, {"name": ["exact"]}),
    ("products", Product, {"name": ["exact"], "category": ["exact"], "sku": ["exact"], "price": ["exact", "gte", "lt"]}),
    ("orders", Order, {"customerId": ["exact"], "quantity": ["exact", "gte", "lt"]}),
    ("files", File, {}),
]:
    meta = type("Meta", (), {"model": of, "fields": "__all__"})
    url = serializers.HyperlinkedIdentityField(view_name=f"{of.__name__.lower()}-detail")
    serializer = type(f"{of.__name__}Serializer", (serializers.ModelSerializer,), {"Meta": meta, "url": url})
    router.register(kind, type(f"{of.__name__}s", (viewsets.ModelViewSet,), {
        "queryset": of.objects.all(), "serializer_class": serializer, "filterset_fields": filters,
        "ordering_fields": "__all__", "pagination_class": Pages}))

urlpatterns = [
    path("", include(router.urls)),
    path("schema/", SpectacularJSONAPIView.as_view()),
    re_path(r"^media/(?P<path>.*)$", serve, {"document_root": settings.MEDIA_ROOT}),
]
application = get_wsgi_application()
