import type { Environment } from '../options.ts';
import { development } from './development.ts';
import { production } from './production.ts';

/** The environments by the names that `-c env=NAME` accepts. */
export const ENVIRONMENTS: Readonly<Record<string, Environment>> = { development, production };
