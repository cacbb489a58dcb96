"""Parses structured fields with http-sf: reads lines of JSON [name, value], and prints a line for each that is malformed.

Fields from before RFC 9651 that fit its grammar have their types in the registry of http-sf ("retrofit").
"""

import json
import sys

import http_sf
from http_sf.retrofit import retrofit

# The types of fields that are structured by their own definition.
TYPES = {
    "cache-group-invalidation": "list",
    "cache-groups": "list",
    "content-digest": "dictionary",
    "deprecation": "item",
    "idempotency-replayed": "item",
    "link-template": "list",
    "ratelimit": "list",
    "ratelimit-policy": "list",
    "repr-digest": "dictionary",
}

for line in sys.stdin:
    name, value = json.loads(line)
    kind = TYPES.get(name) or retrofit.get(name)
    if kind is None:
        continue
    print(name)
    try:
        http_sf.parse(value.encode("latin-1"), tltype=kind)
    except Exception as error:
        print(f"malformed: {name}: {value}: {error}")
