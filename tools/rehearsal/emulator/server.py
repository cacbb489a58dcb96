"""moto's server, which is told of types of resources that its CloudFormation does not know.

Those in `added.py` are made. Those in `not-made.json` are accepted, and nothing is made. Any other type that moto does not
know fails the deployment, so that nothing is left out silently.
"""

import json
from pathlib import Path

from moto.cloudformation import parsing
from moto.server import main

from .added import ADDED
from .made import Made, model


@model
def nothing(name, _properties, account, region):
    return Made(name, {"Arn": f"arn:aws:none:{region}:{account}:{name}"})


NOT_MADE = json.loads(Path(__file__).with_name("not-made.json").read_text())
KNOWN = {**ADDED, **dict.fromkeys(NOT_MADE, nothing)}


def class_of(kind, otherwise=parsing.resource_class_from_type):
    found = KNOWN.get(kind) or otherwise(kind)
    if found is None:
        raise parsing.ValidationError(message=f"The rehearsal knows no {kind}: see tools/rehearsal/emulator")
    return found


parsing.resource_class_from_type = class_of
main()
