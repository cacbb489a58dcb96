import { describedOf } from './derived/described.ts';
import { eventSourcesOf } from './derived/events.ts';
import { navigationOf } from './derived/navigation.ts';
import { pathsOf } from './derived/paths.ts';
import { probesOf } from './derived/probes.ts';
import { closedPathsOf, signInScopesOf } from './derived/scopes.ts';
import { registry } from './registry.ts';

/**
 * The facts of all resources for functions that have one resource or none. Source files import them as `#service`. The
 * bundler replaces this module by the values.
 */

/** The collections and the scopes of pages. */
export const NAVIGATION = navigationOf(registry);
/** The paths and the links of the home document. */
export const PATHS = pathsOf(registry);
/** For each resource, the GET that new code must answer before it gets requests. */
export const PROBES = probesOf(registry);
/** Path templates that need a token, with what each needs. */
export const CLOSED = closedPathsOf(registry);
/** The scopes that the sign-in on pages requests for a person. */
export const SIGN_IN_SCOPES = signInScopesOf(registry);
/** The resources whose events subscriptions can select, by the word for an item. */
export const EVENT_SOURCES = eventSourcesOf(registry);
/** What agents learn of each collection. */
export const DESCRIBED = describedOf(registry);
