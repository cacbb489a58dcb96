# What most clients need: conditional writes, repeated requests, pages, files and long work, with httpx.
# pip install httpx, then: python client.py http://127.0.0.1:3000
import sys
import uuid

import httpx

PATCH = {"Content-Type": "application/merge-patch+json"}


class Problem(Exception):
    pass


def check(response):
    """Raises what the service says about a refusal (RFC 9457)."""
    if response.is_error:
        problem = response.json()
        raise Problem(f"{problem['status']} {problem['title']}: {problem.get('detail', '')}")


def change(client, path, values):
    """Changes an item. Reads it again if another client was faster (412)."""
    while True:
        etag = client.get(path).headers["ETag"]
        try:
            return client.patch(path, json=values, headers={**PATCH, "If-Match": etag}).json()
        except Problem as problem:
            if not str(problem).startswith("412"):
                raise


def create(client, path, values):
    """Creates an item once, although the connection may break: a request with the same key has one effect."""
    key = {"Idempotency-Key": str(uuid.uuid4())}
    for attempt in range(3):
        try:
            return client.post(path, json=values, headers=key).headers["Location"]
        except httpx.TransportError:
            if attempt == 2:
                raise


def walk(client, path):
    """All items of a list, page by page."""
    while path:
        page = client.get(path).json()
        yield from page["items"]
        path = next((link["href"] for link in page["links"] if link["rel"] == "next"), None)


def finish(client, path):
    """Waits for the end of long work. Each request waits for up to 20 s."""
    while True:
        operation = client.get(path, headers={"Prefer": "wait=20"}).json()
        if operation["status"] not in ("NotStarted", "Running"):
            return operation["status"]


with httpx.Client(base_url=sys.argv[1], event_hooks={"response": [lambda one: one.read() and check(one)]}) as client:
    customer = create(client, "/customers", {"name": "Acme"})
    print("customer", customer, change(client, customer, {"name": "Acme from Python"})["name"])
    order = create(client, f"{customer}/orders", {"productId": 1, "orderValue": 9.9})
    print("orders", [item["orderId"] for item in walk(client, f"{customer}/orders?limit=1")])
    client.put("/files/python.txt", content=b"hello from Python", headers={"Content-Type": "text/plain"})
    print("bytes", client.get("/files/python.txt", headers={"Range": "bytes=0-4"}).text)
    accepted = client.post(f"{order}/pay", headers={"Prefer": "respond-async"})
    print("payment", finish(client, accepted.headers["Location"]))
    try:
        client.delete(customer, headers={"If-Match": '"older"'})
    except Problem as problem:
        print("refused", problem)
