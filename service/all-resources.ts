import { connect } from '../api/connect.ts';
import { changes } from '../functions/changes/resource.ts';
import { mcp } from '../functions/mcp/resource.ts';
import { operations } from '../functions/operations/resource.ts';
import { root } from '../functions/root/resource.ts';
import { signin } from '../functions/signin/resource.ts';
import { site } from '../functions/site/resource.ts';
import { subscriptions } from '../functions/subscriptions/resource.ts';
import type { Resource } from '../shared/resource/resource.ts';
import { HAS_AGENTS, HAS_PAGES, HAS_SUBSCRIPTIONS } from './about.ts';
import { definitions } from './definitions.ts';
import { describedOf } from './derived/described.ts';
import { eventSourcesOf } from './derived/events.ts';
import { pathsOf } from './derived/paths.ts';
import { signInScopesOf } from './derived/scopes.ts';
import { schedules } from './schedules.ts';

/** Returns the resources of the service. */
export const own: readonly Resource[] = (await definitions()).map(({ resource }) => resource);
connect(own);

/** Adds the resources of every service. Some of them show facts of all resources, so they get functions that load these. */
export function registryOf(resources: readonly Resource[]): readonly Resource[] {
  const facts = {
    registry: async () => registry,
    paths: async () => pathsOf(registry),
    eventSources: async () => eventSourcesOf(registry),
    described: async () => describedOf(registry),
    signInScopes: async () => signInScopesOf(registry),
  };
  const registry: readonly Resource[] = [
    root(facts),
    ...resources,
    ...(resources.some(({ history }) => history) ? [changes(facts)] : []),
    operations({ schedules: schedules.map(({ name }) => name) }),
    ...(HAS_SUBSCRIPTIONS ? [subscriptions(facts)] : []),
    ...(HAS_AGENTS ? [mcp(facts)] : []),
    ...(HAS_PAGES ? [signin(facts)] : []),
    site,
  ];
  return registry;
}
