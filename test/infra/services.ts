import { connect } from '../../api/connect.ts';
import { resource, text } from '../../api/index.ts';
import { books } from '../../examples/library/functions/books.ts';
import { copies } from '../../examples/library/functions/copies.ts';
import { loans as bookLoans } from '../../examples/library/functions/loans.ts';
import { overdueReaders as borrowers } from '../../examples/library/functions/overdue-readers.ts';
import { readers as people } from '../../examples/library/functions/readers.ts';
import { reminders } from '../../examples/library/functions/reminders.ts';
import { customers } from '../../functions/customers.ts';
import { registry } from '../../service/registry.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import type { Schedule } from '../../shared/resource/schedule.ts';
import { companies } from '../fixtures/constrained/companies.ts';
import { contacts } from '../fixtures/constrained/contacts.ts';
import { accounts } from '../fixtures/custom-actions/accounts.ts';
import { invoices } from '../fixtures/custom-actions/invoices.ts';
import { employees } from '../fixtures/guarded/employees.ts';
import { loans as lent } from '../fixtures/lending/loans.ts';
import { overdueReaders } from '../fixtures/lending/overdue-readers.ts';
import { readers } from '../fixtures/lending/readers.ts';
import { alerts } from '../fixtures/needing/alerts.ts';
import { notices } from '../fixtures/needing/notices.ts';
import { parcels } from '../fixtures/reacting/parcels.ts';
import { sales } from '../fixtures/ruled/sales.ts';
import { notes, schedules, loans as timedLoans } from '../fixtures/timed/definitions.ts';

/**
 * A collection with bulk requests, binary properties and forms, which has the code of `customers`. Every fifth one has
 * `onChange` and keeps versions.
 */
const collection = (name: string, at: number): Resource => ({
  ...customers,
  name,
  ...(at % 5 === 0 ? { onChange: async () => {} } : { history: undefined }),
  routes: customers.routes
    .filter(
      ({ path }) => path.startsWith('/customers') && (at % 5 === 0 || !/\/(?:versions|removed)\b/.test(path)),
    )
    .map((route) => ({ ...route, path: route.path.replace('/customers', `/${name}`) })),
});

const collections = Array.from({ length: 47 - registry.length }, (_, at) => collection(`things${at}`, at));

/** Collections as `npm run new` writes them. */
const small = Array.from({ length: 44 }, (_, at) =>
  resource(`things${at}`, {
    about: 'Things.',
    singular: `thing${at}`,
    fields: { name: text({ required: true, sortable: true }) },
  }),
);
connect(small);
connect([companies, contacts]);

/** The lending library, of which the guide shows parts. */
const library = [books, copies, people, bookLoans, borrowers];
connect(library);

const loans = resource('loans', { about: 'Loans.', fields: {}, reads: [accounts], check: () => undefined });
const banks = resource('banks', { about: 'Banks.', fields: {}, writes: [loans] });

/** Parcels under another name. */
const letters: Resource = {
  ...parcels,
  name: 'letters',
  routes: parcels.routes.map((route) => ({ ...route, path: route.path.replace('parcels', 'letters') })),
};

const withoutFiles = registry.filter(({ name }) => name !== 'files');

/** The services that tests synthesize: the resources of each. */
export const SERVICES = {
  own: registry,
  'without files': withoutFiles,
  'without bytes': withoutFiles.filter(({ name, binaries }) => !binaries && name !== 'changes'),
  guarded: [...registry.filter(({ name }) => ['operations', 'root', 'signin'].includes(name)), employees],
  'with references': [...registry, companies, contacts],
  'with uses': [...registry, accounts, invoices, loans, banks, sales],
  'with views': [...registry, readers, lent, overdueReaders],
  'with reactions': [...registry, parcels, letters],
  'with needs': [...registry, alerts, notices],
  'with schedules': [...registry, timedLoans, notes],
  'of the library': [
    ...registry.filter(({ name }) => ['files', 'operations', 'root', 'signin', 'site'].includes(name)),
    ...library,
  ],
  'of 47': [...registry, ...collections],
  'with too many paths': [
    ...registry,
    ...collections,
    ...Array.from({ length: 20 }, (_, at) => collection(`others${at}`, 1)),
  ],
  'with 39 more': [...registry, ...small.slice(0, 39)],
  'with too many scopes': [...registry, ...small],
} satisfies Readonly<Record<string, readonly Resource[]>>;

/** The schedules of these services. */
export const SCHEDULES: Partial<Record<ServiceName, readonly Schedule[]>> = {
  'with schedules': schedules,
  'of the library': [reminders],
};

/** A service that tests synthesize. */
export type ServiceName = keyof typeof SERVICES;
