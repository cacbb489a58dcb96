import { boolean, date, object, reference, refuse, resource } from 'resource-api';
import { copies } from './copies.ts';
import { readers } from './readers.ts';

/** The day that is so many days after another one. */
const daysAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

/** Loans: `lend` begins one, `return` ends it. */
export const loans = resource('loans', {
  about: 'Copies that readers have borrowed.',
  closed: ['create', 'change'],
  fields: {
    copyId: reference(copies, { required: true, onDelete: 'restrict' }),
    readerId: reference(readers, { required: true, onDelete: 'restrict' }),
    due: date({ required: true, sortable: true }),
    open: boolean({ required: true }),
    reminded: date({ help: 'The day of the last reminder.' }),
  },
  computed: {
    overdue: { as: boolean(), at: 'read', value: ({ open, due }, { today }) => open && due < today },
  },
  atMost: [
    { count: 1, of: ['copyId'], where: { open: true }, says: 'The copy is lent' },
    { count: 5, of: ['readerId'], where: { open: true }, says: 'A reader has at most five loans' },
  ],
  totals: true,
  reads: [copies, readers],
  checkRemoval: ({ open }) => (open ? refuse('The copy is still lent') : undefined),
  actions: {
    lend: {
      at: 'collection',
      summary: 'Lend a copy for 28 days',
      body: object({
        copyId: reference(copies, { required: true }),
        readerId: reference(readers, { required: true }),
      }),
      run: async ({ body, items, read, today }) => {
        const copy = await read(copies, body.copyId);
        if (copy?.status === 'retired') return refuse('The copy is retired', { copyId: 'is retired' });
        return items.create({ ...body, due: daysAfter(today, 28), open: true });
      },
    },
    return: {
      when: ({ open }) => open || 'The copy is back already',
      run: ({ item, items }) => items.update(item, { open: false }),
    },
  },
  needs: { variables: ['MAIL_URL'], secrets: ['MAIL_KEY'] },
  onChange: async ({ before, after, event, read, variable, secret }) => {
    if (after?.reminded === undefined || after.reminded === before?.reminded) return;
    const reader = await read(readers, after.readerId);
    const response = await fetch(variable('MAIL_URL'), {
      method: 'POST',
      headers: { Authorization: `Bearer ${await secret('MAIL_KEY')}`, 'Idempotency-Key': `"${event.id}"` },
      body: JSON.stringify({ to: reader?.email, text: `Your book was due on ${after.due}.` }),
    });
    if (!response.ok) throw new Error(`The mail service answered ${response.status}`);
  },
});
