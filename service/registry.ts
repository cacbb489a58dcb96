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
import { eventSourcesOf } from './derived/events.ts';
import { pathsOf } from './derived/paths.ts';
import { signInScopesOf } from './derived/scopes.ts';

const own = (await definitions()).map(({ resource }) => resource);
connect(own);

/** What some resources of every service show of all resources. */
const facts = {
  registry: async () => registry,
  paths: async () => pathsOf(registry),
  eventSources: async () => eventSourcesOf(registry),
  signInScopes: async () => signInScopesOf(registry),
};

/** Every resource: those of the service, and those of every service. */
export const registry: readonly Resource[] = [
  root(facts),
  ...own,
  ...(own.some(({ history }) => history) ? [changes(facts)] : []),
  operations,
  ...(HAS_SUBSCRIPTIONS ? [subscriptions(facts)] : []),
  ...(HAS_PAGES ? [signin(facts)] : []),
  site,
];
