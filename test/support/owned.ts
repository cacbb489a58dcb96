import { join } from 'node:path';
import { type Closed, closed } from './closed.ts';

const REGISTER = join(import.meta.dirname, '../fixtures/owned/register.mjs');

/** Starts a service as `closed` does, with two more resources: notes of subjects and papers of tenants. */
export const withOwners = (): Promise<Closed> =>
  closed({ NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import ${REGISTER}` });
