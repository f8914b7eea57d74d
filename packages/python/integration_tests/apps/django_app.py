"""A Django app whose paths fail in different ways. Served by WSGI as ``application``, by ASGI as ``asgi``."""

import os
from typing import Any, Iterator

from django.conf import settings
from django.core.asgi import get_asgi_application
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.core.wsgi import get_wsgi_application
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.urls import include, path, re_path

_SDK = ["service_sdk.integrations.django.ServiceMiddleware"] if "SERVICE_API_KEY" in os.environ else []


def order(request: Any, number: int) -> HttpResponse:
    raise TypeError("no order")


async def wait(request: Any) -> HttpResponse:
    raise ValueError("in an asynchronous view")


def refuse(request: Any, kind: str) -> HttpResponse:
    raise {"missing": Http404, "forbidden": PermissionDenied, "suspicious": SuspiciousOperation}[kind]("refused")


def legacy(request: Any, number: str) -> HttpResponse:
    raise TypeError("no longer an order")


def stream(request: Any) -> StreamingHttpResponse:
    def parts() -> Iterator[str]:
        yield "half"
        raise ValueError("in the middle")

    return StreamingHttpResponse(parts())


def outer(get_response: Any) -> Any:
    def middleware(request: Any) -> HttpResponse:
        if request.path == "/outer":
            raise ValueError("in an outer middleware")
        return get_response(request)

    return middleware


shop_urls = [path("orders/<int:number>/", order), re_path(r"^old/(\d+)$", legacy)]
urlpatterns = [
    path("shop/", include(shop_urls)),
    path("wait", wait),
    path("refuse/<kind>", refuse),
    path("stream", stream),
]

settings.configure(
    ROOT_URLCONF=__name__,
    SECRET_KEY="test",
    ALLOWED_HOSTS=["127.0.0.1"],
    MIDDLEWARE=[f"{__name__}.outer", *_SDK],
    SERVICE_RELEASE="3.2.1",
    SERVICE_SHUTDOWN_TIMEOUT=30,
)
application = get_wsgi_application()
asgi = get_asgi_application()
