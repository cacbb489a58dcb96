"""moto's server, with resource types that its CloudFormation does not know.

It creates the types in `added.py`. It accepts the types in `not-made.json` and creates nothing. Any other unknown type
fails the deployment, so that the rehearsal leaves out nothing silently.
"""

import json
import os
from collections import defaultdict
from pathlib import Path
from urllib.parse import urlparse

from moto.awslambda.models import LambdaBackend, LambdaFunction
from moto.cloudformation import parsing
from moto.cloudformation.models import CloudFormationBackend
from moto.server import main
from moto.sqs.models import Queue

from . import functions, updates
from .added import ADDED
from .made import Made, model


@model
def nothing(name, _properties, account, region):
    """A resource that does not exist. Each of its attributes is one ARN."""
    return Made(name, defaultdict(lambda: f"arn:aws:none:{region}:{account}:{name}"))


nothing.update = lambda *_: None


NOT_MADE = json.loads(Path(__file__).with_name("not-made.json").read_text())
KNOWN = {**ADDED, **dict.fromkeys(NOT_MADE, nothing)}


def class_of(kind, otherwise=parsing.resource_class_from_type):
    found = KNOWN.get(kind) or otherwise(kind)
    if found is None:
        raise parsing.ValidationError(message=f"The rehearsal does not know {kind}. Add it in lab/rehearsal/emulator")
    return found


def name_of(kind, stack, logical, otherwise=parsing.generate_resource_name):
    """A name of a queue keeps its end, as in CloudFormation: moto cuts it off after 80 characters."""
    name = otherwise(kind, stack, logical)
    return name[-80:].lstrip("-") if kind == "AWS::SQS::Queue" else name


parsing.resource_class_from_type = class_of
parsing.generate_resource_name = name_of
parsing.ResourceMap.update = updates.update
CloudFormationBackend._resolve_update_parameters = updates.parameters
# Clients of SQS send their requests to the host of the queue.
Queue.physical_resource_id = property(lambda queue: queue.url(urlparse(os.environ["AWS_ENDPOINT_URL"])))
LambdaFunction._invoke_lambda = functions.invoke
# Each change would run the events function.
LambdaBackend.send_dynamodb_items = lambda *_, **_more: None
main()
