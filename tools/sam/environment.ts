import { registry } from '../../functions/registry.ts';
import { names, queueUrl } from '../../local/names.ts';
import { variables } from '../../local/provision.ts';

/**
 * Values for every function in a container: the names that `npm start` gives, and where its engines are reached.
 * `clientUrl` is where clients outside of the containers reach them.
 * SAM has only logical ids for names; it sets those of these variables that the template declares.
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
