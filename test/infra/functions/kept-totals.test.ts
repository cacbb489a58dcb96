import { expect, test } from '@jest/globals';
import { allowed } from '../permissions.ts';
import { synthesize } from '../synthesis.ts';

const service = await synthesize({}, 'with uses');
const own = await synthesize();

/** What a function may do with the table of the log. */
const onLog = (of: typeof service, name: string): string[] =>
  allowed(of, name)
    .filter((line) => /^Allow dynamodb:\w+ \S*changes\S*$/i.test(line))
    .map((line) => line.split(' ')[1] ?? '')
    .sort();

test('only a service with kept totals lets functions read, count and count anew', () => {
  expect(onLog(service, 'sales')).toEqual(['dynamodb:Query']);
  expect(onLog(own, 'orders')).toEqual([]);
  const more = (name: string) => onLog(service, name).filter((one) => !onLog(own, name).includes(one));
  expect(more('events')).toEqual(['dynamodb:DeleteItem']);
  expect(onLog(own, 'worker')).not.toContain('dynamodb:PutItem');
  expect(onLog(service, 'worker')).toEqual(
    ['BatchGetItem', 'DeleteItem', 'PutItem', 'Query', 'UpdateItem'].map((one) => `dynamodb:${one}`),
  );
});
