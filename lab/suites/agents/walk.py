"""Walks the eight tools with a client of the Model Context Protocol: walk.py mcp|fastmcp URL.

Prints a line of JSON for each step: its name, and whether it held.
"""

import asyncio
import json
import sys

import jsonschema

library, url = sys.argv[1:]
steps = []


def holds(name, condition):
    steps.append({"step": name, "held": bool(condition)})


async def walk(list_tools, call_raw):
    schemas = {tool.name: tool.output_schema for tool in await list_tools()}
    holds("lists eight tools", len(schemas) == 8)

    async def call(name, **given):
        is_error, content = await call_raw(name, given)
        if not is_error:
            jsonschema.validate(content, schemas[name])
        return is_error, content

    _, described = await call("describe", resource="customers")
    holds("describe names fields", "name" in json.dumps(described["fields"]))
    item = {"name": f"Agent by {library}", "email": "a@example.com", "address": "Street 1"}
    _, first = await call("create", resource="customers", item=item, once=library)
    _, again = await call("create", resource="customers", item=item, once=library)
    made = first["item"]["id"]
    holds("a repeat with the same key creates nothing more", again["item"]["id"] == made)
    _, found = await call("find", resource="customers", filters={"name": item["name"]})
    holds("find finds it", [one["id"] for one in found["items"]] == [made])
    is_error, refused = await call("find", resource="customers", filters={"nmae": "x"})
    holds("find refuses an unknown name", is_error and "remedy" in refused)
    _, read = await call("read", resource="customers", id=made)
    _, changed = await call("change", resource="customers", id=made, etag=read["etag"], patch={"name": "Other"})
    holds("change changes it", changed["item"]["name"] == "Other")
    is_error, stale = await call("change", resource="customers", id=made, etag=read["etag"], patch={"name": "Third"})
    holds("a stale tag is 412", is_error and stale["status"] == 412)
    holds("a 412 has the present item and its tag", stale["current"]["item"]["name"] == "Other")
    _, again = await call("change", resource="customers", id=made, etag=stale["current"]["etag"], patch={"name": "Third"})
    holds("with this tag, the change succeeds", again["item"]["name"] == "Third")
    _, former = await call("read", resource="customers", id=made, version=1)
    holds("read reads a version", former["item"]["name"] == item["name"])
    _, order = await call("create", resource=f"customers/{made}/orders", item={"orderValue": 5, "productId": 1})
    number = order["item"]["orderId"]
    _, paid = await call("act", resource="orders", id=number, action="pay", etag=order["etag"])
    holds("act pays an order", paid["item"]["status"] == "paid")
    _, plan = await call("remove", resource="orders", id=number)
    _, present = await call("read", resource="orders", id=number)
    holds("a plan removes nothing", plan["plan"]["total"] == 1 and present["item"]["orderId"] == number)
    is_error, _ = await call("remove", resource="customers", id=made, confirm=plan["confirm"])
    holds("the token removes nothing else", is_error)
    is_error, _ = await call("remove", resource="orders", id=number, confirm=plan["confirm"])
    gone, _ = await call("read", resource="orders", id=number)
    holds("the token removes it", not is_error and gone)
    since = first["item"]["createdAt"]
    _, plan = await call("undo", since=since)
    holds("undo shows its plan", plan["plan"]["total"] >= 1)
    _, begun = await call("undo", since=since, confirm=plan["confirm"])
    operation = begun["operation"]["operationId"]
    for _ in range(200):
        _, state = await call("read", resource="operations", id=operation)
        if state["item"]["status"] in ("Succeeded", "Failed"):
            break
        await asyncio.sleep(0.1)
    gone, _ = await call("read", resource="customers", id=made)
    holds("the undo took all of it back", state["item"]["status"] == "Succeeded" and gone)


async def by_mcp():
    from mcp import Client

    async with Client(url) as client:

        async def call(name, given):
            result = await client.call_tool(name, given)
            return result.is_error, result.structured_content

        async def tools():
            return (await client.list_tools()).tools

        await walk(tools, call)


async def by_fastmcp():
    from fastmcp import Client

    async with Client(url) as client:

        async def call(name, given):
            result = await client.call_tool(name, given, raise_on_error=False)
            return result.is_error, result.structured_content

        await walk(client.list_tools, call)


asyncio.run({"mcp": by_mcp, "fastmcp": by_fastmcp}[library]())
print(json.dumps(steps))
