"""Runs the ten steps with the client of openapi-python-client: `openapi-python-client.py URL`."""

import sys
import time
from io import BytesIO
from urllib.parse import parse_qs, urlsplit

from api import Client
from api.api.customers import get_customers, get_customers_by_id, patch_customers_by_id, post_customers
from api.api.operations import get_operations_by_id
from api.api.orders import delete_customers_by_id_orders, post_orders, post_orders_by_id_pay
from api.api.products import get_products_by_id_product_image, post_products, put_products_by_id_product_image
from api.models import Customer, CustomerInput, CustomerMergePatch, Customers, Operation, Order, OrderInput
from api.models import Problem, Product, ProductInput
from api.types import File

IMAGE = b"\x89PNG" + bytes(range(256))
client = Client(base_url=sys.argv[1])
seen = {}


def create_customer():
    customer = post_customers.sync(client=client, body=CustomerInput(name="Generated"))
    assert isinstance(customer, Customer) and customer.name == "Generated"
    seen["customer"] = customer.id


def create_order():
    product = post_products.sync(client=client, body=ProductInput(name="Mug", price=10))
    assert isinstance(product, Product)
    seen["product"] = product.id
    body = OrderInput(customer_id=seen["customer"], product_id=product.id, quantity=2)
    order = post_orders.sync(client=client, body=body)
    assert isinstance(order, Order) and order.order_value == 20
    seen["order"] = order.order_id


def pay():
    order = post_orders_by_id_pay.sync(seen["order"], client=client)
    assert isinstance(order, Order) and order.status == "paid"


def change():
    read = get_customers_by_id.sync_detailed(seen["customer"], client=client)
    seen["etag"] = read.headers["ETag"]
    changed = patch_customers_by_id.sync(seen["customer"], client=client, body=CustomerMergePatch(name="Changed"))
    assert isinstance(changed, Customer) and changed.name == "Changed", changed


def upload():
    body = File(payload=BytesIO(IMAGE))
    stored = put_products_by_id_product_image.sync_detailed(seen["product"], client=client, body=body)
    assert stored.status_code == 201, stored


def download():
    read = get_products_by_id_product_image.sync_detailed(seen["product"], client=client, range_="bytes=0-99")
    assert read.status_code == 206 and read.headers["Content-Type"] == "image/png"
    assert isinstance(read.parsed, File) and read.parsed.payload.read() == IMAGE[:100]


def pages():
    first = get_customers.sync(client=client, limit=1)
    assert isinstance(first, Customers)
    href = next(link.href for link in first.links if link.rel == "next")
    second = get_customers.sync(client=client, limit=1, after=parse_qs(urlsplit(href).query)["after"][0])
    assert isinstance(second, Customers) and first.items[0].id != second.items[0].id


def conflict():
    body = CustomerMergePatch(name="Late")
    late = patch_customers_by_id.sync_detailed(seen["customer"], client=client, body=body, if_match=seen["etag"])
    assert late.status_code == 412 and isinstance(late.parsed, Problem)
    assert late.parsed.type_ == "/problems/precondition-failed"


def later():
    accepted = delete_customers_by_id_orders.sync_detailed(seen["customer"], client=client, prefer="respond-async")
    operation = accepted.parsed
    assert accepted.status_code == 202 and isinstance(operation, Operation)
    assert accepted.headers["Location"] == f"/operations/{operation.operation_id}"
    while operation.status in ("NotStarted", "Running"):
        time.sleep(0.2)
        operation = get_operations_by_id.sync(operation.operation_id, client=client)
        assert isinstance(operation, Operation)
    assert operation.status == "Succeeded" and operation.result.status == 204


def faults():
    body = OrderInput(product_id=seen["product"], quantity=0, order_value=-1)
    refused = post_orders.sync(client=client, body=body)
    assert isinstance(refused, Problem) and refused.status == 400
    assert [fault.pointer for fault in refused.errors] == ["/orderValue", "/quantity"]


STEPS = (create_customer, create_order, pay, change, upload, download, pages, conflict, later, faults)
for number, step in enumerate(STEPS, 1):
    try:
        step()
        print(number, "ok", flush=True)
    except Exception as error:
        print(number, type(error).__name__, " ".join(str(error).split()), flush=True)
