import { every } from 'resource-api';
import { loans } from './loans.ts';

/** Reminds readers of overdue copies, each on every night. The change of the loan sends the mail. */
export const reminders = every('reminders', {
  about: 'Reminds readers of overdue books.',
  at: '02:00',
  zone: 'Europe/Berlin',
  writes: [loans],
  run: ({ each, list, today }) =>
    each(list(loans, { open: true, 'due.lt': today }), (loan, { items }) => {
      items.update(loan, { reminded: today });
    }),
});
