import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  ExpiredIteratorException,
  type GetRecordsCommand,
  GetShardIteratorCommand,
} from '@aws-sdk/client-dynamodb-streams';
import { expect, test } from '@jest/globals';
import { RemoteChanges, StreamPositions } from '../../../local/triggers/remote-changes.ts';

/** A stream with a closed shard and an open one. `failures`: the reads of the open one that fail first. */
function streamsWith(failures: number): DynamoDBStreamsClient {
  let left = failures;
  const send = async (command: unknown) => {
    if (command instanceof DescribeStreamCommand)
      return { StreamDescription: { Shards: [{ ShardId: 'closed' }, { ShardId: 'open' }] } };
    if (command instanceof GetShardIteratorCommand) return { ShardIterator: command.input.ShardId };
    const shard = (command as GetRecordsCommand).input.ShardIterator;
    if (shard === 'open') {
      left -= 1;
      if (left >= 0) throw new ExpiredIteratorException({ message: 'expired', $metadata: {} });
    }
    const Records = [{ dynamodb: { SequenceNumber: shard } }];
    return { Records, ...(shard === 'open' ? { NextShardIterator: shard } : {}) };
  };
  return { send } as never;
}

test.each([0, 1, 2])('the shard after a closed one is read, also after %d failures', async (failures) => {
  const directory = mkdtempSync(join(tmpdir(), 'shards-'));
  const positions = new StreamPositions(join(directory, 'positions'));
  const source = new RemoteChanges(streamsWith(failures), 'stream', positions);
  const { signal } = new AbortController();
  const shards: string[] = [];
  for (let at = 0; at < 2; at += 1) {
    const [record] = await source.next(1, signal);
    if (!record) continue;
    shards.push(record.dynamodb.SequenceNumber);
    source.moveTo(record);
  }
  rmSync(directory, { recursive: true });
  expect(shards).toEqual(['closed', 'open']);
});
