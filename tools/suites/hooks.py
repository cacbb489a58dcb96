"""What no schema can say, for Schemathesis.

Only requests that are meant to be accepted are changed; those that are meant to be refused stay as they are. A failure
is dropped only where the answer, or what was sent, shows that it is none.
"""

import re

import schemathesis
from schemathesis.core.failures import AcceptedNegativeData
from schemathesis.openapi.checks import RejectedPositiveData, UseAfterFree

COLLECTIONS = ("/customers", "/customers/{id}/orders")
ELEMENT = re.compile("[A-Za-z_][A-Za-z0-9_.-]*")


@schemathesis.hook
def filter_case(_context, case):
    """Several files as a form: Schemathesis gives those that come as an array no file names."""
    is_form = case.media_type == "multipart/form-data"
    # A list in XML is known by its name, of which Schemathesis knows nothing.
    is_xml_list = case.method == "PUT" and case.operation.path in COLLECTIONS and is_xml(case)
    return not (is_positive(case) and ((is_form and case.path == "/files") or is_xml_list))


@schemathesis.hook
def filter_failure(_context, failure, case, response):
    if isinstance(failure, RejectedPositiveData):
        return not (leaves_no_valid_item(case, response) or is_beyond_schemas(case, response))
    if isinstance(failure, AcceptedNegativeData):
        return not was_mended(case)
    # OPTIONS tells of a path what can be done there, whether or not something is there.
    if isinstance(failure, UseAfterFree):
        return case.method != "OPTIONS"
    return True


def leaves_no_valid_item(case, response):
    """Whether a patch leaves a valid item depends on the item that it meets. A malformed one is another problem."""
    is_patch = case.media_type == "application/json-patch+json"
    return is_patch and b'"/problems/validation-error"' in response.content


def is_beyond_schemas(case, response):
    """Probes of other media types come without the changes below: a list in XML is known by its name, the value of an order
    follows from a product that is there, and a digest is taken of what a function can read."""
    is_xml_list = case.method == "PUT" and case.operation.path in COLLECTIONS and is_xml(case)
    reasons = (b"must be given: product", b"is verified for at most")
    return is_xml_list or any(reason in response.content for reason in reasons)


def was_mended(case):
    """In XML, Schemathesis calls a member whose name no element can have `element`, and leaves out characters that XML
    cannot carry, so that nothing is wrong with what arrives."""
    if case.media_type is None or not case.media_type.endswith("xml") or not isinstance(case.body, dict):
        return False
    return with_plain_text(case.body) != case.body or not all(map(ELEMENT.fullmatch, case.body))


@schemathesis.hook
def map_case(_context, case):
    if is_positive(case):
        without_invented_cursor(case)
        with_known_members(case)
        with_value(case)
        with_declared_elements(case)
        with_files_of_their_own(case)
        with_items_of_their_own(case)
        with_plain_members(case)
    return case


def is_positive(case):
    return case.meta.generation.mode.is_positive


def is_xml(case):
    return case.media_type is not None and case.media_type.endswith("xml")


def items_in(body):
    """The items of a body: of a list, of what a list is read as, or one alone."""
    if isinstance(body, dict) and isinstance(body.get("items"), list):
        body = body["items"]
    return [one for one in (body if isinstance(body, list) else [body]) if isinstance(one, dict)]


def declared_members(case):
    """The members that the description knows of an item, where several may be sent as well."""
    schemas = case.operation.schema.raw_schema["components"]["schemas"]
    schema = case.operation.definition.raw["requestBody"]["content"][case.media_type]["schema"]
    while "properties" not in schema:
        reference = schema["$ref"] if "$ref" in schema else schema["anyOf"][0]["$ref"]
        schema = schemas[reference.rsplit("/", 1)[-1]]
    return schema["properties"]


def without_invented_cursor(case):
    """A cursor comes from a page of the very list that it is given to: an invented one is refused."""
    case.query.pop("after", None)


def with_known_members(case):
    """Items of an open resource have the members that clients gave them. Invented names, which nothing has, are
    replaced by one that everything has; where names are enumerated they stay."""
    if "fields" not in case.query:
        return
    parameter = case.operation.query.get("fields")
    if "enum" not in parameter.definition["schema"]["items"]:
        case.query["fields"] = ["createdAt"]


def with_value(case):
    """The value of an order that gives none follows from its product, which is not there when it is invented."""
    for item in items_in(case.body):
        if "productId" in item:
            item["orderValue"] = item.get("orderValue") or 1


def with_declared_elements(case):
    """Open members in XML are texts, or carry their type in an attribute, of which Schemathesis knows nothing; nor does it
    know how a list is called."""
    if not is_xml(case):
        return
    if isinstance(case.body, list) and case.body:
        case.body = case.body[0]
    if isinstance(case.body, dict):
        declared = declared_members(case)
        # Something has to be left: a representation says something.
        case.body = {name: value for name, value in case.body.items() if name in declared} or {"name": "Ada"}


def with_files_of_their_own(case):
    """Of several files each has a name of its own, and a media type has no parameter twice."""
    if isinstance(case.body, list) and case.path == "/files":
        case.body = list({file["filename"]: file for file in case.body}.values())
        for file in case.body:
            if "contentType" in file:
                file["contentType"] = file["contentType"].split(";")[0]
            # All of a manifest have 5 TB together, and the digest of what is too large for a function is not taken.
            if isinstance(file.get("size"), int):
                file["size"] %= 1_000_000_000


def with_items_of_their_own(case):
    """An item stands in a list once."""
    if case.method != "PUT" or case.operation.path not in COLLECTIONS:
        return
    identifier = "orderId" if case.operation.path.endswith("orders") else "id"
    of_their_own = list({item.get(identifier): item for item in items_in(case.body)}.values())
    case.body = of_their_own if isinstance(case.body, list) else {**case.body, "items": of_their_own}


def with_plain_members(case):
    """Texts deep in an open member are ones that XML can carry: a schema says it of the outermost alone."""
    for item in items_in(case.body):
        for name, value in item.items():
            item[name] = value if isinstance(value, str) else with_plain_text(value)


def with_plain_text(value):
    if isinstance(value, str):
        return re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", "", value)
    if isinstance(value, list):
        return [with_plain_text(one) for one in value]
    if isinstance(value, dict):
        return {with_plain_text(name): with_plain_text(one) for name, one in value.items()}
    return value
