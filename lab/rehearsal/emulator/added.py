"""Resource types that moto supports, but its CloudFormation does not. This file adds them.

The resources are moto's own, so its APIs return them like resources of CloudFormation.
"""

import json

from moto.apigateway.models import apigateway_backends
from moto.awslambda.utils import get_backend as lambda_backend
from moto.cloudformation.exceptions import ValidationError
from moto.cloudformation.models import cloudformation_backends
from moto.cloudformation.utils import get_stack_from_s3_url
from moto.cognitoidp.models import cognitoidp_backends
from moto.dynamodb.models import dynamodb_backends
from moto.events.models import events_backends
from moto.sqs.models import sqs_backends

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
def queue_policy(name, properties, account, region):
    sqs = sqs_backends[account][region]
    for url in properties["Queues"]:
        sqs.set_queue_attributes(url.rsplit("/", 1)[-1], {"Policy": json.dumps(properties["PolicyDocument"])})
    return Made(name)


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
def permission(name, properties, account, region):
    """A permission to invoke a function or a version. moto's CloudFormation cannot replace one."""
    invoked = lambda_backend(account, region).get_function(properties["FunctionName"])
    invoked.policy.add_statement(raw=json.dumps(properties))
    return Made(name)


permission.update = lambda made, *rest: permission.create_from_cloudformation_json(
    made.physical_resource_id, {"Properties": rest[0]}, *rest[1:]
)


@model
def event_bus(_name, properties, account, region):
    """A bus. moto's CloudFormation creates it without a name."""
    events = events_backends[account][region]
    name = properties["Name"]
    made = events.create_event_bus(name, description=properties.get("Description"))
    attributes = {"Arn": made.arn, "Name": name}
    return Made(name, attributes, lambda: events.delete_event_bus(name))


@model
def rest_api(_name, properties, account, region):
    """An API that an OpenAPI document defines: its paths, authorizers and gateway responses."""
    gateway = apigateway_backends[account][region]
    body = properties["Body"]
    api = gateway.create_rest_api(
        properties["Name"],
        body["info"]["description"],
        api_key_source=properties["ApiKeySourceType"],
        endpoint_configuration=properties["EndpointConfiguration"],
    )
    schemes = body["components"]["securitySchemes"]
    authorizers = {
        scheme: authorizer(gateway, api.id, scheme, settings["x-amazon-apigateway-authorizer"])
        for scheme, settings in schemes.items()
        if "x-amazon-apigateway-authorizer" in settings
    }
    for path, operations in body["paths"].items():
        resource = resource_at(gateway, api, path)
        for name, operation in operations.items():
            method = "ANY" if name == "x-amazon-apigateway-any-method" else name.upper()
            required = [scheme for entry in operation.get("security", []) for scheme in entry]
            judges = [authorizers[scheme] for scheme in required if scheme in authorizers]
            gateway.put_method(
                api.id,
                resource.id,
                method,
                "CUSTOM" if judges else "NONE",
                api_key_required="api_key" in required,
                authorizer_id=judges[0] if judges else None,
            )
            integration = operation["x-amazon-apigateway-integration"]
            gateway.put_integration(
                api.id,
                resource.id,
                method,
                integration["type"].upper(),
                integration["uri"],
                credentials=integration["credentials"],
                integration_method=integration["httpMethod"],
            )
    for kind, response in body["x-amazon-apigateway-gateway-responses"].items():
        gateway.put_gateway_response(
            api.id,
            kind,
            response.get("statusCode"),
            response["responseParameters"],
            response["responseTemplates"],
        )
    attributes = {"RestApiId": api.id, "RootResourceId": api.get_resource_for_path("/").id}
    return Made(api.id, attributes)


def authorizer(gateway, api, name, settings):
    made = gateway.create_authorizer(
        api,
        name,
        settings["type"].upper(),
        authorizer_uri=settings["authorizerUri"],
        authorizer_credentials=settings["authorizerCredentials"],
        identity_source=settings.get("identitySource"),
        authorizer_result_ttl=settings["authorizerResultTtlInSeconds"],
    )
    return made.id


def resource_at(gateway, api, path):
    """The resource of a path. It creates each missing part of the path."""
    found = api.get_resource_for_path("/")
    parts = [part for part in path.split("/") if part]
    for count, part in enumerate(parts, start=1):
        there = api.get_resource_for_path("/" + "/".join(parts[:count]))
        found = there or gateway.create_resource(api.id, found.id, part)
    return found


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
def deployment(_name, properties, account, region):
    """A deployment. moto's CloudFormation creates it without an id."""
    gateway = apigateway_backends[account][region]
    made = gateway.create_deployment(properties["RestApiId"], None, properties.get("Description", ""))
    return Made(made.id, {"DeploymentId": made.id})


@model
def stage(_name, properties, account, region):
    gateway = apigateway_backends[account][region]
    api, name = properties["RestApiId"], properties["StageName"]
    made = gateway.create_stage(
        api, name, properties["DeploymentId"], tracing_enabled=properties.get("TracingEnabled")
    )
    log = properties["AccessLogSetting"]
    made.variables = properties.get("Variables", {})
    made.access_log_settings = {"destinationArn": log["DestinationArn"], "format": log["Format"]}
    return Made(name, delete=lambda: gateway.delete_stage(api, name))


@model
def user_pool(name, properties, account, region):
    cognito = cognitoidp_backends[account][region]
    pool = cognito.create_user_pool(name, {"Policies": properties["Policies"]})
    host = f"cognito-idp.{region}.amazonaws.com/{pool.id}"
    attributes = {"Arn": pool.arn, "ProviderName": host, "ProviderURL": f"https://{host}"}
    return Made(pool.id, attributes, lambda: cognito.delete_user_pool(pool.id))


@model
def user_pool_client(name, properties, account, region):
    cognito = cognitoidp_backends[account][region]
    pool = properties["UserPoolId"]
    names = ("AllowedOAuthFlows", "AllowedOAuthScopes", "AllowedOAuthFlowsUserPoolClient")
    settings = {"ClientName": name, **{key: properties[key] for key in names}}
    client = cognito.create_user_pool_client(pool, properties["GenerateSecret"], settings)
    return Made(client.id, {"ClientId": client.id}, lambda: cognito.delete_user_pool_client(pool, client.id))


ADDED = {
    "AWS::ApiGateway::Deployment": deployment,
    "AWS::ApiGateway::RestApi": rest_api,
    "AWS::ApiGateway::Stage": stage,
    "AWS::CloudFormation::Stack": nested_stack,
    "AWS::Cognito::UserPool": user_pool,
    "AWS::Cognito::UserPoolClient": user_pool_client,
    "AWS::DynamoDB::GlobalTable": global_table,
    "AWS::Events::EventBus": event_bus,
    "AWS::Lambda::Alias": alias,
    "AWS::Lambda::Permission": permission,
    "AWS::Lambda::Version": version,
    "AWS::SQS::QueuePolicy": queue_policy,
}
