"""Walks the request with a Python library: `walk.py URL requests` or `walk.py URL httpx`."""

import contextlib
import importlib
import sys
import time
from xml.etree import ElementTree

BASE, NAME = sys.argv[1:]
library = importlib.import_module(NAME)
# The libraries differ twice: httpx follows no redirect by default, and its name for a body of bytes is `content`.
client, BODY = (library.Client(follow_redirects=True), "content") if NAME == "httpx" else (library.Session(), "data")
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
ROWS = b"a,b\r\n1,2\r\n" * 300
LARGE = b"0123456789abcdef" * 5 * 65536


@contextlib.contextmanager
def step(name):
    try:
        yield
        print("ok", name)
    except Exception as error:
        print(f"not ok {name}: {error!r}".replace("\n", " "))


def call(status, method, path, body=None, **given):
    """Sends a request with the defaults of the library and checks the status."""
    given |= {} if body is None else {BODY: body}
    response = getattr(client, method)(BASE + path, **given)
    assert response.status_code == status, f"{method} {path} got {response.status_code}: {response.text[:300]}"
    if status >= 400 and method != "head":
        same(response.headers["Content-Type"], "application/problem+json")
    return response


def same(found, expected):
    assert found == expected, f"{found!r:.300} instead of {expected!r:.300}"


def made(path, *body, **given):
    return call(201, "post", path, *body, **given).headers["Location"]


def items(path, **query):
    return call(200, "get", path, params=query).json()["items"]


def with_bytes(found, body, media_type):
    same([found.content, found.headers["Content-Type"].split(";")[0]], [body, media_type])


def typed(media_type):
    return {"headers": {"Content-Type": media_type}}


with step("a member from creation to deletion"):
    path = made("/members", json={"name": "Ada", "age": 36, "team": "A"})
    same(int(path.split("/")[-1]) in [one["id"] for one in items("/members", limit=1000)], True)
    same(call(200, "get", path).json()["team"], "A")
    same("team" in call(200, "put", path, json={"name": "Bo", "age": 1}).json(), False)
    same("age" in call(200, "patch", path, b'{"age":null}', **typed("application/merge-patch+json")).json(), False)
    patch = b'[{"op":"test","path":"/name","value":"Bo"},{"op":"add","path":"/age","value":2}]'
    same(call(200, "patch", path, patch, **typed("application/json-patch+json")).json()["age"], 2)
    same(call(200, "post", path, json={"name": "Cy"}).json()["age"], 2)
    same(call(204, "delete", path).content, b"")
    call(404, "get", path)
with step("forms of a member"):
    for collection in ("/members/new", "/members"):
        path = made(collection, data={"name": "Ada Byron", "age": "36"})
        same([call(200, "get", path).json()[name] for name in ("name", "age")], ["Ada Byron", 36])
    same(call(200, "post", f"{path}/edit", data={"age": "37"}).json()["age"], 37)
    call(204, "post", f"{path}/delete")
with step("a photo of a member and an image of a product"):
    photo = made("/members", data={"name": "Ada"}, files={"photo": PNG}) + "?fields=photo"
    image = made("/products", json={"name": "Chair", "price": 20}) + "?fields=productImage"
    call(404, "get", image)
    call(201, "put", image, PNG)
    for uri in (photo, image):
        with_bytes(call(200, "get", uri), PNG, "image/png")
with step("PUT creates and replaces a file"):
    file = f"/files/{NAME}.csv"
    same(call(201, "put", file, b"old").headers["Location"], file)
    call(200, "put", file, ROWS)
    with_bytes(call(200, "get", file), ROWS, "text/csv")
with step("one file and several files in a form"):
    names = [f"{NAME}-{letter}.txt" for letter in "ab"]
    same(made("/files", files={"file": (names[0], b"1")}), f"/files/{names[0]}")
    same(made("/files", files=[("file", (name, b"2")) for name in names]), "/files")
    for name in names:
        with_bytes(call(200, "get", f"/files/{name}"), b"2", "text/plain")
        call(204, "delete", f"/files/{name}")
with step("ranges of a file"):
    for asked, first, last in (("0-3", 0, 3), ("2990-", 2990, 2999), ("-5", 2995, 2999)):
        found = call(206, "get", file, headers={"Range": f"bytes={asked}"})
        same([found.content, found.headers["Content-Range"]], [ROWS[first : last + 1], f"bytes {first}-{last}/3000"])
    same(call(416, "get", file, headers={"Range": "bytes=3000-"}).headers["Content-Range"], "bytes */3000")
with step("HEAD of a small and of a large file"):
    for path, size, media_type in ((file, 3000, "text/csv"), ("/files/large.bin", len(LARGE), "application/octet-stream")):
        fields = call(200, "head", path).headers
        same([fields["Content-Length"], fields["Accept-Ranges"]], [str(size), "bytes"])
        same([fields["Content-Type"].split(";")[0], fields["ETag"][0]], [media_type, '"'])
with step("GET of a large file"):
    found = call(200, "get", "/files/large.bin")
    same([found.history[0].status_code, found.content == LARGE], [307, True])
with step("customers in bulk"):
    created = call(201, "post", "/customers", json={"items": [{"name": "One"}, {"name": "Two"}]}).json()["items"]
    changed = [one | {"name": one["name"] + "!"} for one in created]
    call(200, "put", "/customers", json={"items": changed})
    same([call(200, "get", f"/customers/{one['id']}").json()["name"] for one in created], ["One!", "Two!"])
    fields = call(405, "post", f"/customers/{created[0]['id']}", json={"name": "Three"}).headers
    same(["PUT" in fields["Allow"], "POST" in fields["Allow"]], [True, False])
with step("orders of a customer"):
    customer = made("/customers", json={"name": "Acme"})
    product = int(image.split("/")[-1].split("?")[0])
    for value in (30, 10, 20.5):
        order = made(f"{customer}/orders", json={"productId": product, "quantity": 2, "orderValue": value})
    changed = [one | {"quantity": 3} for one in items(f"{customer}/orders")]
    call(200, "put", f"{customer}/orders", json={"items": changed})
    same([one["quantity"] for one in items(f"{customer}/orders")], [3, 3, 3])
with step("queries"):
    same(sorted(one["orderValue"] for one in items(f"{customer}/orders", minCost=20.5)), [20.5, 30])
    same(min(one["orderValue"] for one in items("/orders", minCost=20.5)), 20.5)
    page = items(f"{customer}/orders", sort="-orderValue", limit=1, offset=1, fields="orderValue")
    same(page, [{"orderId": int(order.split("/")[-1]), "orderValue": 20.5}])
with step("relations of an order"):
    same(call(200, "get", f"{order}/customer").json()["name"], "Acme")
    same([one["name"] for one in items(f"{order}/products")], ["Chair"])
with step("the process of an order"):
    found = call(200, "get", order).json()
    for action, status in (("pay", "paid"), ("place", "placed"), ("complete", "completed")):
        href = next(link["href"] for link in found["links"] if link["rel"] == action)
        found = call(200, "post", href).json()
        same(found["status"], status)
    call(409, "post", f"{order}/cancel")
    call(204, "delete", f"{customer}/orders")
    same(items(f"{customer}/orders"), [])
with step("conditional requests"):
    etag = call(200, "get", customer).headers["ETag"]
    same(call(304, "get", customer, headers={"If-None-Match": etag}).content, b"")
    call(200, "put", customer, json={"name": "New"}, headers={"If-Match": etag})
    call(412, "put", customer, json={"name": "Newer"}, headers={"If-Match": etag})
    call(412, "put", file, b"new", headers={"If-None-Match": "*"})
with step("XML"):
    path = made("/members", b"<member><name>Ada</name><age>36</age></member>", **typed("application/xml"))
    found = call(200, "get", path, headers={"Accept": "application/xml"})
    same(found.headers["Content-Type"].split(";")[0], "application/xml")
    same([ElementTree.fromstring(found.content).findtext(name) for name in ("name", "age")], ["Ada", "36"])
with step("errors"):
    call(404, "get", "/nothing")
    call(415, "post", "/members", b"name: Ada", **typed("application/yaml"))
    call(415, "post", "/members", b'{"name":"Ada"}')
    call(400, "post", "/members", b'{"name":', **typed("application/json"))
    call(400, "post", "/members", json={"age": "old"})
with step("an asynchronous request"):
    for method, path, end in (("post", "/members", 303), ("delete", customer, 200)):
        given = {"json": {"name": "Later"}} if method == "post" else {}
        status = call(202, method, path, headers={"Prefer": "respond-async"}, **given).headers["Location"]
        while (found := call(200, "get", status)).json().get("status") in ("NotStarted", "Running"):
            time.sleep(0.2)
        same([one.status_code for one in found.history], [303] if end == 303 else [])
        same(found.json().get("name", found.json().get("status")), "Later" if end == 303 else "Succeeded")
with step("a sum"):
    same(call(200, "get", "/add", params={"operand1": 0.1, "operand2": 0.2}).json()["sum"], 0.3)
