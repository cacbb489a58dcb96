import { evaluate, type Validators } from '../../shared/http/conditions.ts';
import { parseEntityTag } from '../../shared/http/entity-tag.ts';
import { Fault } from '../fault.ts';
import type { S3Request, StoredObject } from './s3.ts';

/** The validators that conditions compare with. */
export function validatorsOf({ etag, modified }: StoredObject): Validators {
  return { etag: parseEntityTag(etag), lastModified: modified };
}

/**
 * Evaluates the conditions of a request against the current object. @returns true if the response is 304
 * @throws PreconditionFailed (412)
 */
export function notModified({ method, headers }: S3Request, object: StoredObject | undefined): boolean {
  const preconditions = {
    ifMatch: headers['if-match'],
    ifNoneMatch: headers['if-none-match'],
    ifModifiedSince: headers['if-modified-since'],
    ifUnmodifiedSince: headers['if-unmodified-since'],
  };
  const verdict = evaluate(method, preconditions, object && validatorsOf(object));
  const failed = verdict === 'precondition-failed';
  if (failed) throw new Fault('PreconditionFailed', 'At least one of the pre-conditions did not hold', 412);
  return verdict === 'not-modified';
}
