import type { FileCall } from '../resource/actions/action.ts';
import type { Outcome } from '../resource/actions/outcome.ts';
import type { LinkFact } from '../resource/link.ts';
import type { ObjectFacts } from './objects.ts';

/**
 * Writes the object of a file. `lastModified` of its facts is the time before the write. 'lost': the precondition does not
 * hold any more.
 */
export type MakeObject = () => Promise<ObjectFacts | 'lost'>;

/** Writes the object of a file, then its row. */
export type Store = (input: FileCall, make: MakeObject) => Promise<Outcome>;

/** The version of objects that S3 stored before the bucket kept versions. */
export const NULL = 'null';

/** True if the bucket keeps versions of this object. Source: Amazon S3 User Guide, "How S3 Versioning works". */
export const isKept = ({ version }: ObjectFacts): boolean => version !== undefined && version !== NULL;

/** The link from a removed file to its versions. */
export const historyLink = (name: string): LinkFact => ({
  rel: 'version-history',
  href: `/files/${encodeURIComponent(name)}/versions`,
});
