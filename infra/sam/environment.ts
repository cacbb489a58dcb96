import { registry } from '../../functions/registry.ts';
import { tableVariable } from '../../shared/aws/config.ts';
import { KEPT_TABLE } from '../../shared/store/kept.ts';
import { names } from '../local/provision.ts';

/**
 * Values for every function in a container: the names that `npm start` gives, and where its engines are reached.
 * `clientUrl` is where clients outside of the containers reach them.
 * SAM has only logical ids for names; it sets those of these variables that the template declares.
 *
 * Source: AWS SAM Developer Guide, "Environment variable file".
 */
export const environment = (engineUrl: string, clientUrl: string) => ({
  Parameters: {
    ...Object.fromEntries(
      registry.flatMap(({ name, table }) => (table ? [[tableVariable(name), names.table(name)]] : [])),
    ),
    [tableVariable(KEPT_TABLE.name)]: names.table(KEPT_TABLE.name),
    BUCKET: names.bucket,
    AWS_ENDPOINT_URL_DYNAMODB: engineUrl,
    AWS_ENDPOINT_URL_S3: engineUrl,
    AWS_ENDPOINT_URL_SQS: engineUrl,
    CLIENT_ENDPOINT_URL_S3: clientUrl,
  },
});
