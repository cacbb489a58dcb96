"""Sends requests with the defaults of a Python library: `client.py requests` or `client.py httpx`. Each line of stdin
is a request in JSON, and each line of stdout its response."""

import base64
import importlib
import json
import sys

NAME = sys.argv[1]
library = importlib.import_module(NAME)
# The libraries differ twice: httpx follows no redirect by default, and its name for a body of bytes is `content`.
client, BODY = (library.Client(follow_redirects=True), "content") if NAME == "httpx" else (library.Session(), "data")

for line in sys.stdin:
    sent = json.loads(line)
    given = {name: sent[name] for name in ("headers", "json") if name in sent}
    if "form" in sent:
        given["data"] = sent["form"]
    if "files" in sent:
        given["files"] = [(one["part"], (one["name"], base64.b64decode(one["content"]))) for one in sent["files"]]
    if "body" in sent:
        given[BODY] = base64.b64decode(sent["body"])
    found = getattr(client, sent["method"].lower())(sent["url"], **given)
    answer = {
        "status": found.status_code,
        "headers": {name.lower(): value for name, value in found.headers.items()},
        "redirects": [one.status_code for one in found.history],
        "body": base64.b64encode(found.content).decode(),
    }
    print(json.dumps(answer), flush=True)
