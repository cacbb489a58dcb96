import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { client, Problem } from 'resource-api/client';
import { startService } from 'resource-api/testing';

type Library = typeof import('../functions/books.ts') &
  typeof import('../functions/copies.ts') &
  typeof import('../functions/readers.ts') &
  typeof import('../functions/loans.ts') &
  typeof import('../functions/overdue-readers.ts');

/** The mails that the service has sent, by their keys: a mail service ignores one that it has. */
const mails = new Map<unknown, { to: string; text: string }>();
let isDown = false;
const receiver = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const isRefused = isDown || request.headers.authorization !== 'Bearer k7';
  if (!isRefused) mails.set(request.headers['idempotency-key'], JSON.parse(body));
  response.writeHead(isRefused ? 503 : 200).end();
});
await new Promise<void>((done) => void receiver.listen(0, '127.0.0.1', done));
const address = receiver.address();
const port = typeof address === 'object' ? address?.port : undefined;

const service = await startService({
  now: '2026-03-02T12:00:00Z',
  variables: { MAIL_URL: `http://127.0.0.1:${port}/` },
  secrets: { MAIL_KEY: 'k7' },
});
after(async () => {
  await service.stop();
  receiver.close();
});
const api = client<Library>(service.url);

const book = await api.books.create({ title: 'Middlemarch', author: 'George Eliot' });
const readerOf = (name: string) => api.readers.create({ name, email: `${name}@example.org` });
const copyOf = (label: string) => api.copies.create({ bookId: book.id, label });
const lend = (copyId: number, readerId: number) => api.loans.act('lend', { copyId, readerId });
const refusal = (detail: string) => (error: unknown) => error instanceof Problem && error.message === detail;

test('a copy is lent once, and comes back once', async () => {
  const [ada, ben, copy] = await Promise.all([readerOf('ada'), readerOf('ben'), copyOf('M-1')]);
  await lend(copy.id, ada.id);
  await assert.rejects(lend(copy.id, ben.id), refusal('The copy is lent'));
  const [loan] = await Array.fromAsync(api.loans.list({ copyId: copy.id }));
  assert.ok(loan);
  assert.deepEqual([loan.due, loan.overdue], ['2026-03-30', false]);
  await assert.rejects(loan.remove(), refusal('The copy is still lent'));
  const returned = await loan.actions.return?.();
  assert.equal(returned?.open, false);
  assert.equal(returned?.actions.return, undefined);
  await lend(copy.id, ben.id);
});

test('of ten copies, a reader gets five at once', async () => {
  const reader = await readerOf('eve');
  const copies = await Promise.all(Array.from({ length: 10 }, (_, index) => copyOf(`E-${index}`)));
  const done = await Promise.allSettled(copies.map(({ id }) => lend(id, reader.id)));
  assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 5);
  const refused = done.flatMap((one) => (one.status === 'rejected' ? [one.reason.message] : []));
  assert.deepEqual(new Set(refused), new Set(['A reader has at most five loans']));
  const totals = await api.loans.totals({ by: ['open'], readerId: reader.id });
  assert.deepEqual(
    totals.map(({ open, count }) => [open, count]),
    [[true, 5]],
  );
});

test('a retired copy keeps its label, and is not lent', async () => {
  const [reader, copy] = await Promise.all([readerOf('dan'), copyOf('D-1')]);
  const retired = await copy.actions.retire?.();
  await assert.rejects(async () => retired?.patch({ label: 'D-2' }), Problem);
  await assert.rejects(lend(copy.id, reader.id), refusal('The copy is retired'));
});

test('each night, a reader with an overdue copy gets one mail, also if the mail service is down for a while', async () => {
  const [reader, copy] = await Promise.all([readerOf('fay'), copyOf('F-1')]);
  await lend(copy.id, reader.id);
  const sent = () => [...mails.values()].filter(({ to }) => to === 'fay@example.org');
  await service.advance('28 days');
  await service.settled();
  assert.deepEqual(sent(), []);
  isDown = true;
  await service.advance('1 day');
  await service.run('reminders');
  isDown = false;
  await service.settled();
  assert.deepEqual(sent(), [{ to: 'fay@example.org', text: 'Your book was due on 2026-03-30.' }]);
  await service.advance('1 day');
  await service.settled();
  assert.equal(sent().length, 2);
  const rows = await Array.fromAsync(api['overdue-readers'].rows({}));
  assert.deepEqual(
    rows.find(({ readerId }) => readerId === reader.id),
    {
      readerId: reader.id,
      name: 'fay',
      since: '2026-03-30',
      loans: 1,
    },
  );
});
