import { expect, test } from '@jest/globals';
import { router } from '../../../infra/gateway/routing.ts';

const routes = [
  '/',
  '/members',
  '/members/{id}',
  '/members/removed',
  '/members/{id}/versions',
  '/{proxy+}',
].map((template) => ({ template, resource: template === '/{proxy+}' ? 'root' : 'members', isOpen: false }));
const find = router(routes);

// API Gateway Developer Guide, "Set up a proxy resource".
test.each([
  ['/', '/', {}],
  ['/members', '/members', {}],
  ['/members/', '/members', {}],
  ['/members/7', '/members/{id}', { id: '7' }],
  ['/members/7/', '/members/{id}', { id: '7' }],
  ['/members/%37', '/members/{id}', { id: '%37' }],
  ['/members/removed', '/members/removed', {}],
  ['/members/removed/versions', '/members/{id}/versions', { id: 'removed' }],
  ['/members//versions', '/{proxy+}', { proxy: 'members//versions' }],
  ['/members/7/versions/1', '/{proxy+}', { proxy: 'members/7/versions/1' }],
  ['/nothing', '/{proxy+}', { proxy: 'nothing' }],
])('%s is a request to %s', (path, template, parameters) => {
  expect(find(path)).toMatchObject({ template, parameters });
});
