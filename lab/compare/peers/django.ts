import { join } from 'node:path';
import { installPython, pythonProgram } from '../../python.ts';
import { type Adapter, plain } from '../suite/adapter.ts';
import { must } from '../suite/verdict.ts';
import { copySetup, fileForm, type Peer } from './peer.ts';

const local = (url: unknown) => (typeof url === 'string' ? url.replace(/^https?:\/\/[^/]+/, '') : undefined);

const adapter: Adapter = {
  collection: (kind) => `/${kind}/`,
  item: (kind, id) => `/${kind}/${id}/`,
  items: ({ results }) => results,
  partial: 'application/json',
  limit: (items) => `page_size=${items}`,
  sort: (name, descending) => `ordering=${descending ? '-' : ''}${name}`,
  ...{ equal: plain.equal },
  atLeast: (name, value) => `${name}__gte=${value}`,
  below: (name, value) => `${name}__lt=${value}`,
  next: (page) => local(page.json().next),
  description: '/schema/',
  ordersOf: (customer) => `/orders/?customerId=${customer.split('/').at(-2)}`,
  files: {
    store: async (api, name, bytes, type) => {
      const path = local((await api.send('POST', '/files/', fileForm(name, bytes, type))).json().file);
      must(path, 'no address of the file');
      return path;
    },
    list: '/files/',
  },
  forms: { blank: (kind) => `/${kind}/`, edit: (item) => item, remove: (item) => item },
};

export const django: Peer = {
  name: 'Django REST framework',
  version: '3.18.3',
  about:
    'Models, view sets and a router on Django 5.2, SQLite and Gunicorn, with the packages that its documentation names: django-filter, cursors for pages, CORS, XML, drf-spectacular, and Django’s own middleware for entity tags and gzip.',
  unequal:
    'Django serves its files itself, where its documentation wants a web server, which would have ranges.',
  adapter,
  install: async (folder) => {
    copySetup('django', folder);
    await installPython(folder);
  },
  server: ({ folder, data, port }) => ({
    command: pythonProgram(folder, 'python'),
    args: [join(folder, 'start.py'), String(port)],
    cwd: folder,
    env: { ...process.env, DATA: data },
    url: `http://127.0.0.1:${port}/`,
  }),
};
