"""Runs the ten steps with the client that openapi-generator made for Python of release 0.2.0: `walk.py URL`."""

import sys
import time
from urllib.parse import parse_qs, urlsplit

import openapi_client as made
from openapi_client.exceptions import ApiException
from openapi_client.models.problem import Problem

IMAGE = b"\x89PNG" + bytes(range(256))
api = made.ApiClient(made.Configuration(host=sys.argv[1]))
customers, orders = made.CustomersApi(api), made.OrdersApi(api)
products, operations = made.ProductsApi(api), made.OperationsApi(api)
seen = {}


def create_customer():
    created = customers.post_customers(made.CustomersInput(made.CustomerInput(name="Generated")))
    customer = created.actual_instance
    assert isinstance(customer, made.Customer) and customer.name == "Generated"
    seen["customer"] = customer.id


def create_order():
    product = products.post_products(made.ProductsInput(made.ProductInput(name="Mug", price=10))).actual_instance
    seen["product"] = product.id
    order = made.OrderInput(
        customer_id=made.OrderInputCustomerId(seen["customer"]),
        product_id=made.OrderInputProductId(product.id),
        quantity=2,
    )
    created = orders.post_orders(made.OrdersInput(order)).actual_instance
    assert isinstance(created, made.Order) and created.order_value == 20
    seen["order"] = created.order_id


def pay():
    assert orders.post_orders_by_id_pay(seen["order"]).status == "paid"


def change():
    """This client knows JSON Patch alone."""
    seen["etag"] = customers.get_customers_by_id_with_http_info(seen["customer"]).headers["ETag"]
    replaced = made.JsonPatchInner(made.JsonPatchInnerOneOf(op="replace", path="/name", value="Changed"))
    assert customers.patch_customers_by_id(seen["customer"], [replaced]).name == "Changed"


def upload():
    """This client has no parameter for the bytes of an image, so the program sends them with its transport."""
    path = f"/products/{seen['product']}?fields=productImage"
    sent = api.call_api("PUT", sys.argv[1] + path, {"Content-Type": "image/png"}, IMAGE)
    assert sent.status == 201, sent.status


def download():
    read = products.get_products_by_id_product_image_without_preload_content(seen["product"], range="bytes=0-99")
    assert read.status == 206 and read.headers["Content-Type"] == "image/png"
    assert read.data == IMAGE[:100]


def pages():
    first = customers.get_customers(limit=1)
    href = next(link.href for link in first.links if link.rel == "next")
    second = customers.get_customers(limit=1, after=parse_qs(urlsplit(href).query)["after"][0])
    assert first.items[0].id != second.items[0].id


def conflict():
    late = made.JsonPatchInner(made.JsonPatchInnerOneOf(op="replace", path="/name", value="Late"))
    try:
        customers.patch_customers_by_id(seen["customer"], [late], if_match=seen["etag"])
    except ApiException as refused:
        assert refused.status == 412 and hasattr(refused.data, "errors")
        assert refused.data.type == "/problems/precondition-failed"
    else:
        raise AssertionError("the change is not refused")


def later():
    accepted = orders.delete_customers_by_id_orders_with_http_info(seen["customer"], prefer="respond-async")
    assert accepted.status_code == 202
    assert accepted.headers["Location"] == f"/operations/{accepted.data.operation_id}"
    operation = accepted.data
    while operation.status in ("NotStarted", "Running"):
        time.sleep(0.2)
        operation = operations.get_operations_by_id(operation.operation_id)
    assert operation.status == "Succeeded" and operation.result.status == 204


def faults():
    # The model would refuse these values itself.
    order = made.OrderInput.model_construct(
        product_id=made.OrderInputProductId(seen["product"]), quantity=0, order_value=-1, additional_properties={}
    )
    body = made.OrdersInput.model_construct(actual_instance=order)
    try:
        orders.post_orders(body)
    except ApiException as refused:
        assert refused.status == 400 and hasattr(refused.data, "errors")
        assert [fault.pointer for fault in refused.data.errors] == ["/orderValue", "/quantity"]
    else:
        raise AssertionError("the order is not refused")


STEPS = (create_customer, create_order, pay, change, upload, download, pages, conflict, later, faults)
for number, step in enumerate(STEPS, 1):
    try:
        step()
        print(number, "ok", flush=True)
    except Exception as error:
        print(number, type(error).__name__, " ".join(str(error).split()), flush=True)
