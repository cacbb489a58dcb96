import { Fault } from '../fault.ts';

/** A ValidationException (400). */
export function invalid(message: string): Fault {
  return new Fault('ValidationException', message);
}

/** A ValidationException about a parameter's value. */
export function invalidParameter(message: string): Fault {
  return invalid(`One or more parameter values were invalid: ${message}`);
}
