import { type Closed, closed } from './closed.ts';
import { withFixture } from './with-fixture.ts';

/** Starts a service as `closed` does, with more resources: notes and notebooks of subjects, and papers of tenants. */
export const withOwners = (): Promise<Closed> => closed(withFixture('owned'));
