"""The update of a stack.

moto creates new resources before it changes the ones that they need, and deletes resources that a template retains.
"""

from moto.cloudformation import parsing

RETAINED = ("Retain", "RetainExceptOnCreate")


def update(stack, template, parameters=None):
    """Changes, creates and deletes the resources of a stack. A new resource is created when a changed one needs it."""
    changes = stack.build_resource_diff(template, parameters)
    before = stack._resource_json_map
    stack._template = template
    stack._resource_json_map = template["Resources"]
    if parameters:
        stack.input_parameters = parameters
    stack.load_mapping()
    stack.load_parameters()
    stack.load_conditions()
    for name in changes["Modify"]:
        stack._parsed_resources[name] = changed(stack, name)
    for name in changes["Add"]:
        stack[name]
    for name in changes["Remove"]:
        resource = stack._parsed_resources.pop(name)
        if before[name].get("DeletionPolicy") not in RETAINED:
            stack._delete_resource(resource, before[name])


def parameters(_backend, instance, incoming_params):
    """The parameters of an update. Without a previous value, a parameter has its default, which moto does not store."""
    previous = {one["ParameterKey"] for one in incoming_params if one.get("UsePreviousValue")}
    given = {one["ParameterKey"]: one["ParameterValue"] for one in incoming_params if "ParameterValue" in one}
    return {key: instance.parameters[key] for key in previous & instance.parameters.keys()} | given


def changed(stack, name):
    declared = stack._resource_json_map[name]
    resource = parsing.parse_and_update_resource(name, declared, stack, stack._account_id, stack._region_name)
    if resource is None:
        kind = declared["Type"]
        raise parsing.ValidationError(message=f"The rehearsal cannot change {kind}. Add it in lab/rehearsal/emulator")
    return resource
