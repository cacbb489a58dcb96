"""Resource types that moto supports, but its CloudFormation does not. This file adds them.

The resources are moto's own, so its APIs return them like resources of CloudFormation.
"""

import json

from moto.apigateway.models import apigateway_backends
from moto.awslambda.utils import get_backend as lambda_backend
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
    arn = f"{made.function_arn}:{made.version}"
    return Made(arn, {"Version": str(made.version), "FunctionArn": arn})


@model
def alias(_name, properties, account, region):
    functions = lambda_backend(account, region)
    name, function = properties["Name"], properties["FunctionName"]
    version = properties["FunctionVersion"]
    made = functions.create_alias(name, function, version, properties.get("Description", ""), None)
    return Made(made.arn, {"AliasArn": made.arn}, lambda: functions.delete_alias(name, function))


@model
def event_bus(_name, properties, account, region):
    """A bus. moto's CloudFormation creates it without a name."""
    events = events_backends[account][region]
    name = properties["Name"]
    made = events.create_event_bus(name, description=properties.get("Description"))
    attributes = {"Arn": made.arn, "Name": name}
    return Made(name, attributes, lambda: events.delete_event_bus(name))


@model
def authorizer(_name, properties, account, region):
    gateway = apigateway_backends[account][region]
    api = properties["RestApiId"]
    made = gateway.create_authorizer(
        api,
        properties["Name"],
        properties["Type"],
        authorizer_uri=properties["AuthorizerUri"],
        identity_source=properties["IdentitySource"],
        authorizer_result_ttl=properties["AuthorizerResultTtlInSeconds"],
    )
    attributes = {"AuthorizerId": made.id}
    return Made(made.id, attributes, lambda: gateway.delete_authorizer(api, made.id))


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
    made.access_log_settings = {"destinationArn": log["DestinationArn"], "format": log["Format"]}
    return Made(name, delete=lambda: gateway.delete_stage(api, name))


@model
def gateway_response(name, properties, account, region):
    gateway = apigateway_backends[account][region]
    api, kind = properties["RestApiId"], properties["ResponseType"]
    gateway.put_gateway_response(
        api,
        kind,
        properties.get("StatusCode"),
        properties["ResponseParameters"],
        properties["ResponseTemplates"],
    )
    return Made(name, delete=lambda: gateway.delete_gateway_response(api, kind))


@model
def user_pool(name, properties, account, region):
    cognito = cognitoidp_backends[account][region]
    pool = cognito.create_user_pool(name, {"Policies": properties["Policies"]})
    host = f"cognito-idp.{region}.amazonaws.com/{pool.id}"
    attributes = {"Arn": pool.arn, "ProviderName": host, "ProviderURL": f"https://{host}"}
    return Made(pool.id, attributes, lambda: cognito.delete_user_pool(pool.id))


@model
def resource_server(_name, properties, account, region):
    cognito = cognitoidp_backends[account][region]
    identifier = properties["Identifier"]
    cognito.create_resource_server(
        properties["UserPoolId"], identifier, properties["Name"], properties["Scopes"]
    )
    return Made(identifier)


@model
def user_pool_client(name, properties, account, region):
    cognito = cognitoidp_backends[account][region]
    pool = properties["UserPoolId"]
    names = ("AllowedOAuthFlows", "AllowedOAuthScopes", "AllowedOAuthFlowsUserPoolClient")
    settings = {"ClientName": name, **{key: properties[key] for key in names}}
    client = cognito.create_user_pool_client(pool, properties["GenerateSecret"], settings)
    return Made(client.id, {"ClientId": client.id}, lambda: cognito.delete_user_pool_client(pool, client.id))


@model
def user_pool_domain(_name, properties, account, region):
    cognito = cognitoidp_backends[account][region]
    domain = properties["Domain"]
    cognito.create_user_pool_domain(properties["UserPoolId"], domain)
    return Made(domain, delete=lambda: cognito.delete_user_pool_domain(domain))


ADDED = {
    "AWS::ApiGateway::Authorizer": authorizer,
    "AWS::ApiGateway::Deployment": deployment,
    "AWS::ApiGateway::GatewayResponse": gateway_response,
    "AWS::ApiGateway::Stage": stage,
    "AWS::Cognito::UserPool": user_pool,
    "AWS::Cognito::UserPoolClient": user_pool_client,
    "AWS::Cognito::UserPoolDomain": user_pool_domain,
    "AWS::Cognito::UserPoolResourceServer": resource_server,
    "AWS::DynamoDB::GlobalTable": global_table,
    "AWS::Events::EventBus": event_bus,
    "AWS::Lambda::Alias": alias,
    "AWS::Lambda::Version": version,
    "AWS::SQS::QueuePolicy": queue_policy,
}
