import { date, integer, reference, text, view } from 'resource-api';
import { loans } from './loans.ts';
import { readers } from './readers.ts';

/** The report for the desk: who has overdue copies. */
export const overdueReaders = view('overdue-readers', {
  about: 'Readers with overdue books, the longest overdue first.',
  parameters: { before: date({ help: 'Due before this day. Without it, before today.' }) },
  fields: {
    readerId: reference(readers, { required: true }),
    name: text(),
    since: date({ required: true }),
    loans: integer({ required: true }),
  },
  reads: [loans, readers],
  rows: async ({ parameters, list, read, today }) => {
    const found = new Map<number, { readerId: number; name: string; since: string; loans: number }>();
    const late = list(loans, { open: true, 'due.lt': parameters.before ?? today }, { sort: 'due' });
    for await (const { values } of late) {
      const { readerId, due } = values;
      const row = found.get(readerId) ?? {
        readerId,
        name: (await read(readers, readerId))?.name ?? '',
        since: due,
        loans: 0,
      };
      found.set(readerId, { ...row, loans: row.loans + 1 });
    }
    return [...found.values()];
  },
});
