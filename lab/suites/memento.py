"""Negotiates by time with memento-client: memento.py URL TIME, with the time as YYYYMMDDhhmmss in UTC."""

import json
import re
import sys
from datetime import datetime
from urllib.parse import urljoin

import requests
from memento_client import MementoClient

url, time = sys.argv[1:]


def absolute(response, **_):
    """Resolves the targets of Link, which may be relative (RFC 8288 §3.1). memento-client takes them as they are."""
    link = response.headers.get("Link")
    if link:
        response.headers["Link"] = re.sub(r"<(/[^>]*)>", lambda one: f"<{urljoin(response.url, one[1])}>", link)


session = requests.Session()
session.hooks["response"].append(absolute)
# The item is its own time gate.
client = MementoClient(timegate_uri="", check_native_timegate=False, session=session)
found = client.get_memento_info(url, datetime.strptime(time, "%Y%m%d%H%M%S"))
print(json.dumps(found, default=str))
