import type { Fault } from '../http/problem.ts';
import type { SentFile } from '../resource/action.ts';

/** A file as it came among others, before anything of it was judged. */
export interface AnnouncedFile extends SentFile {
  /** What its sender says its bytes are, as `sha-256=:…:`. */
  readonly digest?: string;
  /** Says what is wrong with one of its members, and where that stands in the body. */
  fault(member: 'filename' | 'contentType' | 'content' | 'digest', detail: string): Fault;
}

/** The files of a body, and what is wrong with it. */
export interface AnnouncedFiles {
  readonly files: readonly AnnouncedFile[];
  readonly faults: readonly Fault[];
}
