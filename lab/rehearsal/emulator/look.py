"""Reads the deployed resources from moto by the APIs of AWS, and prints them as one JSON object."""

import json

import boto3


def every(service, operation, member, **parameters):
    client = boto3.client(service)
    if client.can_paginate(operation):
        return client.get_paginator(operation).paginate(**parameters).build_full_result().get(member, [])
    return getattr(client, operation)(**parameters).get(member, [])


NESTED = "AWS::CloudFormation::Stack"


def members(stack):
    return every("cloudformation", "list_stack_resources", "StackResourceSummaries", StackName=stack)


def stacks():
    """The stacks of the service that are not nested in another one."""
    found = boto3.client("cloudformation").describe_stacks()["Stacks"]
    nested = {
        one["PhysicalResourceId"]
        for stack in found
        for one in members(stack["StackName"])
        if one["ResourceType"] == NESTED
    }
    return [one for one in found if one["StackName"] != "CDKToolkit" and one["StackId"] not in nested]


def outputs():
    return {out["OutputKey"]: out["OutputValue"] for one in stacks() for out in one.get("Outputs", [])}


def resources():
    """The logical and physical ids of all resources. Those of a nested stack have its logical id as a prefix."""
    return {key: value for one in stacks() for key, value in resources_of(one["StackName"]).items()}


def resources_of(stack):
    found = {}
    for one in members(stack):
        name, physical = one["LogicalResourceId"], one["PhysicalResourceId"]
        if one["ResourceType"] == NESTED:
            found |= {f"{name}{own}": value for own, value in resources_of(physical).items()}
        else:
            found[name] = physical
    return found


def function(configuration):
    name = configuration["FunctionName"]
    return {
        **configuration,
        "aliases": every("lambda", "list_aliases", "Aliases", FunctionName=name),
    }


print(
    json.dumps(
        {
            "outputs": outputs(),
            "resources": resources(),
            "tables": every("dynamodb", "list_tables", "TableNames"),
            "queues": every("sqs", "list_queues", "QueueUrls"),
            "buckets": [one["Name"] for one in every("s3", "list_buckets", "Buckets")],
            "functions": {
                one["FunctionName"]: function(one) for one in every("lambda", "list_functions", "Functions")
            },
        },
        default=str,
    )
)
