import type { Fault } from '../../../http/problem.ts';
import { type Ending, refuse } from '../../ending.ts';

/** The refusal of a form with faulty inputs. */
export const refusedInputs = (errors: readonly Fault[]): Ending<400> =>
  refuse('validation-error', 'The form is not valid. Correct the named inputs', { errors });
