import { type Check, check } from '../check.ts';
import { expectBytes, expectHeader, expectProblem, expectSame, expectStatus } from '../expect.ts';

/** Source: RFC 9110 §14.4, §15.3.7, §15.5.17. */
export const RANGES: readonly Check[] = [
  check('S2', 'A range of a small file: 206, Content-Range, its own Content-Length', async (smoke) => {
    const { path, bytes } = await smoke.small();
    const answer = expectStatus(await smoke.send('GET', path, { headers: { Range: 'bytes=10-29' } }), 206);
    const range = expectHeader(answer, 'content-range', `bytes 10-29/${bytes.length}`);
    expectSame(answer.headers['content-length'], '20', 'Content-Length');
    expectBytes(answer.bytes, bytes.subarray(10, 30));
    return range;
  }),
  check('S2', 'A range after the end of the file: 416 with the length of the file', async (smoke) => {
    const { path, bytes } = await smoke.small();
    const answer = await smoke.send('GET', path, { headers: { Range: `bytes=${bytes.length}-` } });
    expectProblem(answer, 416);
    return expectHeader(answer, 'content-range', `bytes */${bytes.length}`);
  }),
  check('S2', 'A short range of a large file comes through the function: 206', async (smoke) => {
    const { path, bytes } = await smoke.large();
    const answer = await smoke.send('GET', path, { headers: { Range: 'bytes=-5' } });
    expectStatus(answer, 206);
    expectBytes(answer.bytes, bytes.subarray(-5));
    return expectHeader(answer, 'content-range', /^bytes \d+-\d+\/\d+$/);
  }),
  check('S2', 'A long range of a large file comes from storage: 307, then 206', async (smoke) => {
    const { path, bytes } = await smoke.large();
    const Range = `bytes=1-${bytes.length - 1}`;
    const answer = expectStatus(await smoke.send('GET', path, { headers: { Range } }), 307);
    const location = expectHeader(answer, 'location', /./);
    const got = expectStatus(await smoke.follow('GET', location, { headers: { Range } }), 206);
    expectBytes(got.bytes, bytes.subarray(1));
    return expectHeader(got, 'content-range', `bytes 1-${bytes.length - 1}/${bytes.length}`);
  }),
];
