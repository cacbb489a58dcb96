"""Hooks of Schemathesis for rules that no schema can express.

They change only valid requests, and leave invalid ones as they are. They ignore a failure only if the response or the
request shows that the service is right.
"""

import base64
import re
from datetime import timezone
from email.utils import format_datetime

import schemathesis
from hypothesis.strategies import datetimes, just
from schemathesis.core.failures import AcceptedNegativeData, MalformedJson
from schemathesis.openapi.checks import ContentDeserializationError, JsonSchemaError, RejectedPositiveData, UseAfterFree

COLLECTIONS = ("/customers", "/customers/{id}/orders")
# Documents that the store keeps as bytes.
DOCUMENTS = ("/.well-known/api-catalog", "/schemas/{name}")
TAGS = re.compile(r'(?:\*|(?:W/)?"[!#-~]*"(?:[ \t]*,[ \t]*(?:W/)?"[!#-~]*")*)?')
# The greatest length of a list in a query that this test sends.
LONGEST = 3
ELEMENT = re.compile("[A-Za-z_][A-Za-z0-9_.-]*")
# Dates of HTTP, also of years before 1000.
DATES = datetimes(timezones=just(timezone.utc)).map(lambda time: format_datetime(time, usegmt=True))

schemathesis.openapi.format("http-date", DATES)


@schemathesis.hook
def before_load_schema(_context, schema):
    """Shortens the lists in query parameters. Schemathesis sends lists of the maximum length."""
    for parameter in schema["components"]["parameters"].values():
        if parameter["in"] == "query" and parameter["schema"].get("type") == "array":
            parameter["schema"]["maxItems"] = min(parameter["schema"].get("maxItems", LONGEST), LONGEST)


@schemathesis.hook
def filter_case(_context, case):
    """Leaves out forms with several files, because Schemathesis gives the files in an array no names, and files in XML,
    where it does not know the name of a list."""
    is_form = case.media_type == "multipart/form-data"
    # The service identifies a list in XML by its root element, whose name Schemathesis does not know.
    is_xml_list = case.method == "PUT" and case.operation.path in COLLECTIONS and is_xml(case)
    is_files = case.path == "/files" and (is_form or is_xml(case))
    return not (is_positive(case) and (is_files or is_xml_list))


@schemathesis.hook
def filter_failure(_context, failure, case, response):
    if isinstance(failure, RejectedPositiveData):
        return not (leaves_no_valid_item(case, response) or is_beyond_schemas(case, response) or names_authors(case))
    if isinstance(failure, AcceptedNegativeData):
        is_valid_text = is_null_in_xml(case) or is_boolean_in_xml(case)
        is_ignored = has_malformed_tag(case)
        return not (was_mended(case) or is_file_in_xml(case) or is_valid_text or has_valid_list(case) or is_ignored)
    # The description calls the bytes of these documents bytes, because a range of them is not JSON.
    if isinstance(failure, (MalformedJson, JsonSchemaError)):
        return case.operation.path not in DOCUMENTS
    # A file has the media type that its client sent, also if its bytes are not of this type.
    if isinstance(failure, ContentDeserializationError):
        return not case.operation.path.startswith("/files/")
    # OPTIONS describes the methods of a path, whether or not the resource exists.
    if isinstance(failure, UseAfterFree):
        return case.method != "OPTIONS"
    return True


def leaves_no_valid_item(case, response):
    """Whether the result of a patch is not valid, which depends on the item. A malformed patch has another problem."""
    is_patch = case.media_type == "application/json-patch+json"
    return is_patch and b'"/problems/validation-error"' in response.content


def is_beyond_schemas(case, response):
    """Whether a valid request of another media type breaks a rule that no schema has. Such requests do not get the
    changes below. The rules concern the name of an XML list, repeated names in an XML object, the rows of CSV and JSON
    Lines, files in forms, which Schemathesis sends as texts, the product of an order, the size of a verified file, and
    null in XML, which Schemathesis writes as the text `null`.
    """
    is_replacement = case.method == "PUT" and case.operation.path in COLLECTIONS
    is_xml_list = is_xml(case) and (is_replacement or key_of_list(case.body) is not None)
    reasons = (
        b"because the product has no price",
        b"names no product",
        b"is verified for at most",
        b"must be a data: URI",
        # An invented name of a query with a dot or a bracket. Source: Specification 4.13.
        b"is not a filter of this list",
        b"is not a parameter of this request",
        # A field of which a total has no rows or no sums. Source: Specification 4.29.
        b"is not a field that it can have",
        # What an undo takes back: its fields exclude each other, and name collections and operations. Source:
        # Specification 17.9.
        b"The undo is not valid",
        # An undeclared property that looks like a list of items. Source: Specification 9.5.
        b"send several items to the collection",
    )
    # Repeated names are an array, which `address` cannot be.
    is_xml_array = is_xml(case) and b"must be a text or an object" in response.content
    is_table = case.media_type in ("text/csv", "application/jsonl")
    has_reason = any(reason in response.content for reason in reasons)
    return is_xml_list or is_xml_array or is_null_in_xml(case) or is_table or has_reason


def names_authors(case):
    """Whether the request shows or sorts by the authors of items, which needs a scope. The service under test has no
    tokens. Source: Specification 11.15."""
    names = str([(case.query or {}).get(parameter) for parameter in ("fields", "sort")])
    return "createdBy" in names or "updatedBy" in names


def was_mended(case):
    """Whether Schemathesis made an invalid XML body valid. It renames an invalid element to `element`, leaves out
    characters that XML cannot carry, and writes an array of one object as the object."""
    if is_xml(case) and isinstance(case.body, list) and len(case.body) == 1:
        return True
    if case.media_type is None or not case.media_type.endswith("xml") or not isinstance(case.body, dict):
        return False
    return with_plain_text(case.body) != case.body or not all(map(ELEMENT.fullmatch, case.body))


def has_malformed_tag(case):
    """Whether a read has malformed entity tags, which match nothing. Source: Specification 3.2."""
    tags = [value for name, value in (case.headers or {}).items() if name.lower() == "if-none-match"]
    return case.method in ("GET", "HEAD") and any(not TAGS.fullmatch(str(value)) for value in tags)


def is_file_in_xml(case):
    """Whether the body is a file that Schemathesis wrote as XML. Every body is a valid file, also one from an invalid
    value."""
    return case.method == "PUT" and case.operation.path == "/files/{filename}" and is_xml(case)


def is_null_in_xml(case):
    """Whether Schemathesis wrote null as the text `null` in XML, which is a valid text."""
    return is_xml(case) and any(None in item.values() for item in items_in(case.body))


def is_boolean_in_xml(case):
    """Whether Schemathesis wrote a number in place of a boolean: `0` and `1` are booleans in XML Schema."""
    return is_xml(case) and any(value in (0, 1) for item in items_in(case.body) for value in item.values())


def has_valid_list(case):
    """Whether a list in the query is invalid only for this test: it is longer than the lists that the test sends, or
    `fields` is empty, which means all."""
    query = case.query if isinstance(case.query, dict) else {}
    lists = {name: value if isinstance(value, list) else str(value).split(",") for name, value in query.items()}
    return any(len(one) > LONGEST for one in lists.values()) or lists.get("fields") in ([""], [])


@schemathesis.hook
def map_case(_context, case):
    if is_positive(case):
        without_invented_cursor(case)
        with_value(case)
        with_property(case)
        with_declared_elements(case)
        with_files_of_their_own(case)
        with_items_of_their_own(case)
        with_plain_members(case)
    return case


@schemathesis.hook
def before_call(_context, case, _kwargs):
    """Lets subscriptions lead to this machine alone, where nothing listens at this port."""
    if case.operation.path.startswith("/subscriptions"):
        for item in items_in(case.body):
            if str(item.get("url")).lower().startswith("http"):
                item["url"] = "http://127.0.0.1:9/"


def is_positive(case):
    return case.meta.generation.mode.is_positive


def is_xml(case):
    return case.media_type is not None and case.media_type.endswith("xml")


def items_in(body):
    """The items of a body: of an array, of an object with a list, or a single item."""
    key = key_of_list(body)
    if key is not None:
        body = body[key]
    return [one for one in (body if isinstance(body, list) else [body]) if isinstance(one, dict)]


def key_of_list(body):
    """The name of the list in an object: `items`, or the name of the collection."""
    names = ("items", "customers", "files", "orders") if isinstance(body, dict) else ()
    return next((name for name in names if isinstance(body.get(name), list)), None)


def declared_members(case):
    """The declared properties of an item, also if the body may be a list."""
    schemas = case.operation.schema.raw_schema["components"]["schemas"]
    schema = case.operation.definition.raw["requestBody"]["content"][case.media_type]["schema"]
    while "properties" not in schema:
        # An array of items, one of several forms, or an item with its identifier.
        inner = [schema[name] for name in ("items", "oneOf", "anyOf", "allOf") if name in schema]
        if "$ref" in schema:
            schema = schemas[schema["$ref"].rsplit("/", 1)[-1]]
        elif inner:
            schema = inner[0][0] if isinstance(inner[0], list) else inner[0]
        else:
            return {}
    return schema["properties"]


def without_invented_cursor(case):
    """Removes an invented cursor. The service accepts only a cursor from a page of the same list."""
    case.query.pop("after", None)


def with_value(case):
    """Adds a value to an order. Without one, the service computes it from the product, which does not exist here."""
    for item in items_in(case.body):
        if "productId" in item:
            item["orderValue"] = item.get("orderValue") or 1


def with_property(case):
    """Adds a name to an item that has only nulls and the object of a binary property. The service ignores both."""
    for item in items_in(case.body):
        if item and {name for name, value in item.items() if value is not None} <= {"photo", "productImage"}:
            item["name"] = "Ada"


def with_declared_elements(case):
    """Leaves out undeclared properties, nulls and lists in XML. Schemathesis knows neither the `type` attribute nor the
    name of a list."""
    if not is_xml(case) or is_file_in_xml(case):
        return
    key = key_of_list(case.body)
    if key is not None:
        case.body = case.body[key]
    if isinstance(case.body, list) and case.body:
        case.body = case.body[0]
    if isinstance(case.body, dict):
        declared = declared_members(case)
        # The service refuses an item without properties, so one property must stay.
        kept = {name: value for name, value in case.body.items() if name in declared and value is not None}
        case.body = kept or {"name": "Ada"}


def with_files_of_their_own(case):
    """Gives each of several files a different name, and removes parameters of media types, which could repeat."""
    if case.path == "/files" and case.media_type == "application/json":
        if isinstance(case.body, list):
            case.body = list({file["filename"]: file for file in case.body}.values())
        elif key_of_list(case.body) is not None:
            key = key_of_list(case.body)
            case.body[key] = list({file["filename"]: file for file in items_in(case.body)}.values())
        for file in items_in(case.body):
            if "contentType" in file:
                file["contentType"] = file["contentType"].split(";")[0]
            if file.get("encoding") == "base64":
                file["content"] = base64.b64encode(str(file.get("content")).encode()).decode()
            # All files of a manifest have at most 5 TB, and the service verifies no digest of a file that is too large.
            if isinstance(file.get("size"), (int, float)):
                file["size"] = int(file["size"]) % 1_000_000_000


def with_items_of_their_own(case):
    """Removes repeated items from a list."""
    if case.method != "PUT" or case.operation.path not in COLLECTIONS:
        return
    identifier = "orderId" if case.operation.path.endswith("orders") else "id"
    of_their_own = list({item.get(identifier): item for item in items_in(case.body)}.values())
    key = key_of_list(case.body)
    case.body = of_their_own if key is None else {**case.body, key: of_their_own}


def with_plain_members(case):
    """Removes characters that XML cannot carry. The schema excludes them only from declared texts."""
    for item in items_in(case.body):
        for name, value in item.items():
            item[name] = with_plain_text(value)


def with_plain_text(value):
    if isinstance(value, str):
        return re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", "", value)
    if isinstance(value, list):
        return [with_plain_text(one) for one in value]
    if isinstance(value, dict):
        return {with_plain_text(name): with_plain_text(one) for name, one in value.items()}
    return value
