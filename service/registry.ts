import { connect } from '../api/connect.ts';
import { changes } from '../functions/changes/resource.ts';
import { operations } from '../functions/operations/resource.ts';
import { root } from '../functions/root/resource.ts';
import { signin } from '../functions/signin/resource.ts';
import { site } from '../functions/site/resource.ts';
import { subscriptions } from '../functions/subscriptions/resource.ts';
import type { Resource } from '../shared/resource/resource.ts';
import { HAS_PAGES, HAS_SUBSCRIPTIONS } from './about.ts';
import { definitions } from './definitions.ts';

const own = (await definitions()).map(({ resource }) => resource);
connect(own);

/** Every resource: those of the service, and those of every service. */
export const registry: readonly Resource[] = [
  root,
  ...own,
  ...(own.some(({ history }) => history) ? [changes] : []),
  operations,
  ...(HAS_SUBSCRIPTIONS ? [subscriptions] : []),
  ...(HAS_PAGES ? [signin] : []),
  site,
];
