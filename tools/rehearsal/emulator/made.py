"""What moto's CloudFormation asks of a resource that it made."""

from moto.core.common_models import CloudFormationModel
from moto.core.exceptions import JsonRESTError


class Made(CloudFormationModel):
    """A resource: what `Ref` and `Fn::GetAtt` say of it, and how it is taken away again."""

    def __init__(self, physical_id, attributes=None, delete=lambda: None):
        self.physical_resource_id = physical_id
        self.attributes = attributes or {}
        self._delete = delete

    @classmethod
    def has_cfn_attr(cls, _attribute):
        return True

    def get_cfn_attribute(self, attribute):
        return self.attributes[attribute]

    def is_created(self):
        return True

    def delete(self, _account, _region):
        """moto goes through a stack in no order: what belonged to another resource may have gone with it."""
        try:
            self._delete()
        except JsonRESTError as error:
            if "NotFound" not in error.error_type:
                raise


def model(create):
    """A class for CloudFormation, from a function that creates a resource: of its name, properties, account and region."""

    class Model(Made):
        @classmethod
        def create_from_cloudformation_json(cls, name, json, account, region, **_more):
            return create(name, json["Properties"], account, region)

    return Model
