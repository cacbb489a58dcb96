import type { Fault } from '../../http/problem.ts';

/** A file in a body, not yet validated. */
interface Announced<Member extends string> {
  readonly name: string;
  /** The declared media type; undefined if the client declares none. */
  readonly mediaType: string | undefined;
  /** The digest that the client sent, as `sha-256=:…:`. */
  readonly digest?: string;
  /** Makes a fault of one of its properties, with its location in the body. */
  fault(member: Member, detail: string): Fault;
}

/** One of several files with content in a body. */
export interface AnnouncedFile extends Announced<'filename' | 'contentType' | 'content' | 'digest'> {
  readonly bytes: Uint8Array;
  /** True if the file is from the form of a page. */
  readonly isOfPage?: boolean;
  /** True if the client sent the content as text. */
  readonly isText: boolean;
}

/** The files of a body, and the faults of the body. */
export interface AnnouncedFiles {
  readonly files: readonly AnnouncedFile[];
  readonly faults: readonly Fault[];
}

/** A file of a manifest: the client uploads its bytes by links. `size` in bytes. */
export interface AnnouncedUpload extends Announced<'filename' | 'contentType' | 'size' | 'digest'> {
  readonly size: number;
}

/** The files of a manifest, and its faults. `root` is the JSON Pointer to their list. */
export interface AnnouncedUploads {
  readonly uploads: readonly AnnouncedUpload[];
  readonly root: string;
  readonly faults: readonly Fault[];
}
