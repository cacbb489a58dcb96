import { Fault } from '../fault.ts';

/** A ValidationException (400) with AWS's message. */
export function invalid(message: string): Fault {
  return new Fault('ValidationException', message);
}

/** A ValidationException about a parameter's value. */
export function invalidParameter(message: string): Fault {
  return invalid(`One or more parameter values were invalid: ${message}`);
}

/** The answer to an operation on a table that does not exist. */
export function tableNotFound(): Fault {
  return new Fault('ResourceNotFoundException', 'Requested resource not found');
}
