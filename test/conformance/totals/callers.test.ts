import { describe, expect, test } from '@jest/globals';
import type { Answer } from '../../support/client/client.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { clientAs, closed } from '../../support/service/closed.ts';
import { withOwners } from '../../support/service/owned.ts';
import { withFixture } from '../../support/service/with-fixture.ts';

// Specification 4.29
describe('totals of a caller', () => {
  test('have the items that the caller may see', async () => {
    const service = await withOwners();
    const [one, other] = [
      await clientAs(service, 'ada', 'notes:read notes:write'),
      await clientAs(service, 'bob', 'notes:read notes:write'),
    ];
    // Other tests of this service have notes of lower ranks.
    for (const rank of [70_001, 70_002])
      expect((await one('POST', '/notes', { json: { rank } })).status).toBe(201);
    const rows = async (client: typeof one) =>
      (await client('GET', '/notes/totals?sum=rank&rank.gte=70001')).json().items;
    expect(await rows(one)).toEqual([{ count: 2, sum: { rank: 140_003 } }]);
    expect(await rows(other)).toEqual([{ count: 0, sum: { rank: 0 } }]);
  });

  test('need the scope of the list, and have no field that the caller does not see', async () => {
    const service = await closed(withFixture('guarded'));
    const ask = async (scope: string, query: string): Promise<Answer> =>
      (await clientAs(service, 'ada', scope))('GET', `/employees/totals?${query}`);
    const writer = await clientAs(service, 'ada', 'employees:write salaries:write');
    expect((await writer('POST', '/employees', { json: { name: 'A', salary: 100 } })).status).toBe(201);
    expect((await ask('orders:read', 'by=grade')).status).toBe(403);
    const seen = await ask('employees:read salaries:read', 'sum=salary');
    expect(seen.json().items).toEqual([{ count: expect.any(Number), sum: { salary: expect.any(Number) } }]);
    const hidden = await ask('employees:read', 'sum=salary,bonus');
    expectProblem(hidden, 400, 'validation-error');
    expect(hidden.json().errors).toHaveLength(2);
    expectProblem(await ask('employees:read', 'salary.gte=1'), 400, 'validation-error');
  });
});
