import { DEFAULT_SHARDS, shardsVariable } from '../../../shared/aws/config.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import type { Options } from '../../options.ts';
import { shardsToDeploy } from '../../stored.ts';

/**
 * The environment variables with the partitions of the lists of a resource, as `4/16`: those that writers use, and
 * those that readers read. None if both numbers are the default.
 */
export function shardsVariables(
  { name, table }: Resource,
  { shards }: Pick<Options, 'shards'>,
): Readonly<Record<string, string>> {
  const { write, read } = shardsToDeploy(name, table?.shards ?? shards ?? DEFAULT_SHARDS);
  const isDefault = write === DEFAULT_SHARDS && read === DEFAULT_SHARDS;
  return isDefault ? {} : { [shardsVariable(name)]: `${write}/${read}` };
}
