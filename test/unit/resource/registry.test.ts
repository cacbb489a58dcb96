import { expect, test } from '@jest/globals';
import { registry } from '../../../service/registry.ts';

// The gateway and the worker find the resource of a request by its path template.
test('each path belongs to one resource', () => {
  const paths = registry.flatMap(({ routes }) => [...new Set(routes.map(({ path }) => path))]);
  expect(paths.filter((path, at) => paths.indexOf(path) !== at)).toEqual([]);
});

test('the kind of an operation has at most as many characters as its field', () => {
  const ids = registry.flatMap(({ name, routes }) =>
    routes.flatMap(({ endpoints }) =>
      Object.values(endpoints).flatMap(({ id, several }) =>
        [id, ...(several ? [several.id] : [])].map((one) => `${name}.${one}`),
      ),
    ),
  );
  expect(ids).toContain('orders.pay');
  expect(ids).toContain('customers.removeAll');
  expect(ids).toContain('orders.createAll');
  expect(ids.filter((kind) => kind.length > 100)).toEqual([]);
});
