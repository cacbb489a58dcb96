import { names, queueUrl } from '../../local/provision/names.ts';
import { variables } from '../../local/provision/provision.ts';
import { registry } from '../../service/registry.ts';

/**
 * The environment of every function in a container: the names of `npm start`, and the address of its engines.
 * `clientUrl` is the address of the engines for clients outside of the containers. SAM itself would use logical ids as
 * names. It sets only the variables that the template declares.
 *
 * Source: AWS SAM Developer Guide, "Environment variable file".
 */
export const environment = (engineUrl: string, clientUrl: string) => ({
  Parameters: {
    ...variables(registry),
    OPERATIONS_QUEUE: queueUrl(names.queue, engineUrl),
    AWS_ENDPOINT_URL_DYNAMODB: engineUrl,
    AWS_ENDPOINT_URL_EVENTBRIDGE: engineUrl,
    AWS_ENDPOINT_URL_S3: engineUrl,
    AWS_ENDPOINT_URL_SQS: engineUrl,
    CLIENT_ENDPOINT_URL_S3: clientUrl,
  },
});
