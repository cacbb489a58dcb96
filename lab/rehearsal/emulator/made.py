"""The interface that moto's CloudFormation requires of a resource."""

from moto.core.common_models import CloudFormationModel
from moto.core.exceptions import JsonRESTError


class Made(CloudFormationModel):
    """A resource: its values for `Ref` and `Fn::GetAtt`, and its deletion."""

    def __init__(self, physical_id, attributes=None, delete=lambda: None):
        self.physical_resource_id = physical_id
        self.attributes = {} if attributes is None else attributes
        self._delete = delete

    @classmethod
    def has_cfn_attr(cls, _attribute):
        return True

    def get_cfn_attribute(self, attribute):
        return self.attributes[attribute]

    def is_created(self):
        return True

    def delete(self, _account, _region):
        """Deletes the resource. moto uses no order, so the resource may be gone with another one already."""
        try:
            self._delete()
        except JsonRESTError as error:
            if "NotFound" not in error.error_type:
                raise


def model(create):
    """Makes a class for CloudFormation. `create` gets the name, the properties, the account and the region.

    `Model.update` can be a function that changes a resource of this class. Without it, no deployment can change one.
    """

    class Model(Made):
        update = None

        @classmethod
        def create_from_cloudformation_json(cls, name, json, account, region, **_more):
            return create(name, json["Properties"], account, region)

        @classmethod
        def update_from_cloudformation_json(
            cls, original_resource, new_resource_name, cloudformation_json, account_id, region_name
        ):
            if cls.update is None:
                return None
            cls.update(original_resource, cloudformation_json["Properties"], account_id, region_name)
            return original_resource

    return Model
