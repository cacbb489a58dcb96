import type { Fault } from '../http/problem.ts';
import type { SentFile } from '../resource/action.ts';

/** What a body says of a file, before anything of it was judged. */
interface Announced<Member extends string> {
  readonly name: string;
  readonly mediaType: string;
  /** What its sender says its bytes are, as `sha-256=:…:`. */
  readonly digest?: string;
  /** Says what is wrong with one of its members, and where that stands in the body. */
  fault(member: Member, detail: string): Fault;
}

/** A file as it came among others. */
export interface AnnouncedFile
  extends SentFile,
    Announced<'filename' | 'contentType' | 'content' | 'digest'> {}

/** The files of a body, and what is wrong with it. */
export interface AnnouncedFiles {
  readonly files: readonly AnnouncedFile[];
  readonly faults: readonly Fault[];
}

/** A file whose bytes are to be sent elsewhere: `size` of them. */
export interface AnnouncedUpload extends Announced<'filename' | 'contentType' | 'size' | 'digest'> {
  readonly size: number;
}

/** The files of a manifest, and what is wrong with it. `root` points to the list of them. */
export interface AnnouncedUploads {
  readonly uploads: readonly AnnouncedUpload[];
  readonly root: string;
  readonly faults: readonly Fault[];
}
