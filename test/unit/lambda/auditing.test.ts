import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { auditLines } from '../../../functions/audit/auditing.ts';

const sent = (messageType: string, ...lines: readonly object[]) => ({
  awslogs: {
    data: gzipSync(
      JSON.stringify({
        messageType,
        logEvents: lines.map((line, id) => ({ id, timestamp: 1_000, message: JSON.stringify(line) })),
      }),
    ).toString('base64'),
  },
});

const LINE = {
  requestId: 'r-1',
  caller: 'c0ffee',
  method: 'POST',
  template: '/orders/{id}/pay',
  status: 200,
  resource: 'orders',
  id: 7,
};

// Specification 11.14
test('a line of the audit log has the request, its result and the hash of the caller', () => {
  const line = { level: 'info', ...LINE, Duration: 5, _aws: {} };
  expect(auditLines(sent('DATA_MESSAGE', line))).toEqual([{ time: '1970-01-01T00:00:01.000Z', ...LINE }]);
});

test('each delivered line has its own line', () => {
  const lines = auditLines(sent('DATA_MESSAGE', LINE, { ...LINE, requestId: 'r-2', operationId: 9 }));
  expect(lines).toMatchObject([{ requestId: 'r-1' }, { requestId: 'r-2', operationId: 9 }]);
});

test('a control message has no lines', () => {
  expect(auditLines(sent('CONTROL_MESSAGE', { message: 'reachable?' }))).toEqual([]);
});
