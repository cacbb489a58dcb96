import { type Check, check } from '../check.ts';
import { expectHeader, expectProblem, expectSame, expectStatus } from '../expect.ts';

/**
 * API Gateway obeys this field. Authorization must hold for the resulting method. Source: API Gateway Developer
 * Guide, "Known issues".
 */
const OVERRIDE = 'X-HTTP-Method-Override';

/** Source: RFC 9457 §3; RFC 9110 §9.3.8, §15.5.6. */
export const REFUSALS: readonly Check[] = [
  check('S4', 'A path that nothing is at: 404, a problem', async (smoke) => {
    const answer = expectProblem(await smoke.send('GET', `/${smoke.name('nothing')}`), 404);
    return String(answer.json().type);
  }),
  check('S4', 'A method that a path does not have: 405, a problem, Allow', async (smoke) => {
    const answer = expectProblem(await smoke.send('PATCH', smoke.collection), 405);
    return `Allow: ${expectHeader(answer, 'allow', /GET/)}`;
  }),
  check('S4', 'A client can look up the type of a problem', async (smoke) => {
    const answer = await smoke.send('GET', `${smoke.collection}/${smoke.name('none')}`);
    const type = String(expectProblem(answer, 400, 404).json().type);
    expectStatus(await smoke.follow('GET', type), 200);
    return type;
  }),
  check('S5', 'TRACE: 405, a problem, Allow; the response has no part of the request', async (smoke) => {
    const headers = { 'X-Smoke': smoke.name('secret') };
    const answer = expectProblem(await smoke.send('TRACE', smoke.collection, { headers }), 405);
    expectSame(answer.text.includes(headers['X-Smoke']), false, 'the request in the response');
    return `Allow: ${expectHeader(answer, 'allow', /GET/)}`;
  }),
  check('S5', 'X-HTTP-Method-Override gives no further rights', async (smoke) => {
    const path = await smoke.create(smoke.name('overridden'));
    const remove = await smoke.anonymous('POST', path, { headers: { [OVERRIDE]: 'DELETE' } });
    const create = await smoke.anonymous('POST', smoke.collection, {
      headers: { [OVERRIDE]: 'OPTIONS' },
      json: { name: smoke.name('created') },
    });
    expectStatus(create, 200, 204, 400, 401);
    const seen = `DELETE: ${remove.status}, OPTIONS: ${create.status}`;
    // On an open service, everyone can delete it with either method.
    if (!smoke.isClosed && remove.status === 204) return `${seen}; the front obeys it`;
    expectStatus(remove, 400, 401);
    expectStatus(await smoke.send('GET', path), 200);
    return seen;
  }),
];
