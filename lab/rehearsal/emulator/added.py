"""Resource types that moto supports, but its CloudFormation does not. This file adds them.

The resources are moto's own, so its APIs return them like resources of CloudFormation.
"""

import json
from secrets import token_hex

from moto.awslambda.utils import get_backend as lambda_backend
from moto.cloudformation.exceptions import ValidationError
from moto.cloudformation.models import cloudformation_backends
from moto.cloudformation.utils import get_stack_from_s3_url
from moto.dynamodb.models import dynamodb_backends
from moto.secretsmanager.models import secretsmanager_backends

from .made import Made, model


@model
def global_table(name, properties, account, region):
    """A global table, which CDK's TableV2 declares, with its one replica in this region."""
    dynamodb = dynamodb_backends[account][region]
    (replica,) = properties["Replicas"]
    streams = properties.get("StreamSpecification")
    table = dynamodb.create_table(
        name,
        schema=properties["KeySchema"],
        attr=properties["AttributeDefinitions"],
        global_indexes=properties.get("GlobalSecondaryIndexes", []),
        indexes=[],
        throughput=None,
        streams=streams and {**streams, "StreamEnabled": True},
        billing_mode=properties["BillingMode"],
        sse_specification=None,
        tags=replica.get("Tags", []),
        deletion_protection_enabled=replica.get("DeletionProtectionEnabled", False),
        warm_throughput=None,
    )
    if "TimeToLiveSpecification" in properties:
        dynamodb.update_time_to_live(name, properties["TimeToLiveSpecification"])
    if "PointInTimeRecoverySpecification" in replica:
        dynamodb.update_continuous_backups(name, replica["PointInTimeRecoverySpecification"])
    stream_arn = f"{table.table_arn}/stream/{table.latest_stream_label}" if streams else None
    attributes = {"Arn": table.table_arn, "StreamArn": stream_arn}
    return Made(name, attributes, lambda: dynamodb.delete_table(name))


def change_table(table, properties, account, region):
    """Creates and deletes indexes: DynamoDB takes one of them in an update."""
    dynamodb = dynamodb_backends[account][region]
    name = table.physical_resource_id
    there = {index.name for index in dynamodb.get_table(name).global_indexes}
    wanted = {index["IndexName"]: index for index in properties.get("GlobalSecondaryIndexes", [])}
    updates = [{"Delete": {"IndexName": one}} for one in sorted(there - wanted.keys())]
    updates += [{"Create": wanted[one]} for one in sorted(wanted.keys() - there)]
    if len(updates) > 1:
        raise ValidationError(message=f"DynamoDB creates or deletes one index of {name} in an update, not {len(updates)}")
    dynamodb.update_table(
        name,
        attr_definitions=properties["AttributeDefinitions"],
        global_index=updates,
        throughput=None,
        billing_mode=None,
        stream_spec=None,
        deletion_protection_enabled=None,
        warm_throughput=None,
    )


global_table.update = change_table


@model
def version(_name, properties, account, region):
    """A version. moto's CloudFormation creates it without an id."""
    made = lambda_backend(account, region).publish_version(properties["FunctionName"])
    return Made(made.function_arn, {"Version": str(made.version), "FunctionArn": made.function_arn})


@model
def alias(_name, properties, account, region):
    functions = lambda_backend(account, region)
    name, function = properties["Name"], properties["FunctionName"]
    version = properties["FunctionVersion"]
    made = functions.create_alias(name, function, version, properties.get("Description", ""), None)
    return Made(made.arn, {"AliasArn": made.arn}, lambda: functions.delete_alias(name, function))


def change_alias(made, properties, account, region):
    """Moves an alias at once: moto has no gradual deployments."""
    lambda_backend(account, region).update_alias(
        properties["Name"], properties["FunctionName"], properties["FunctionVersion"], None, None
    )


alias.update = change_alias


@model
def nested_stack(name, properties, account, region):
    """A nested stack. moto's CloudFormation does not return its outputs."""
    stacks = cloudformation_backends[account][region]
    template = get_stack_from_s3_url(properties["TemplateURL"], account, "aws")
    made = stacks.create_stack(name, template, properties.get("Parameters", {}))
    return Made(made.stack_id, outputs_of(made), lambda: stacks.delete_stack(name))


def change_stack(made, properties, account, region):
    stack = cloudformation_backends[account][region].get_stack(made.physical_resource_id)
    template = get_stack_from_s3_url(properties["TemplateURL"], account, "aws")
    stack.update(template, parameters=properties.get("Parameters", {}))
    made.attributes = outputs_of(stack)


def outputs_of(stack):
    return {f"Outputs.{output.key}": output.value for output in stack.output_map.values()}


nested_stack.update = change_stack


@model
def secret(name, properties, account, region):
    """A secret with a generated text."""
    secrets = secretsmanager_backends[account][region]
    length = properties["GenerateSecretString"]["PasswordLength"]
    made = secrets.create_secret(
        name,
        secret_string=token_hex(length // 2),
        secret_binary=None,
        description=properties.get("Description"),
        tags=properties.get("Tags"),
        kms_key_id=None,
        client_request_token=None,
        replica_regions=[],
        force_overwrite=False,
    )
    arn = json.loads(made)["ARN"]
    return Made(arn, {"Id": arn}, lambda: secrets.delete_secret(name, None, True))


ADDED = {
    "AWS::CloudFormation::Stack": nested_stack,
    "AWS::DynamoDB::GlobalTable": global_table,
    "AWS::Lambda::Alias": alias,
    "AWS::Lambda::Version": version,
    "AWS::SecretsManager::Secret": secret,
}
