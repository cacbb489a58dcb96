import type { Fault } from '../http/problem.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import type { Patch } from '../representations/patches.ts';
import type { Parts } from '../representations/representation.ts';
import type { SentBinary, SentBytes, SentFile, SentItem, Upload } from '../resource/sent.ts';

/** The validated content of a request. */
export type Content =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'item';
      readonly values: JsonObject;
      /** The names that the request sets, without defaults. */
      readonly sent: readonly string[];
      readonly binaries: readonly SentBinary[];
      /** The state of the process in the content, which must be that of the item. */
      readonly state?: JsonValue | undefined;
    }
  | { readonly kind: 'items'; readonly elements: readonly SentItem[] }
  /** The properties that a change sets, and those that it removes. The flow refuses `faults` only after look-up. */
  | {
      readonly kind: 'change';
      readonly partial: JsonObject;
      readonly cleared: readonly string[];
      readonly binaries: readonly SentBinary[];
      /** A form sends an empty text for no value, and each end of a line as LF. */
      readonly isForm?: true;
      /** As that of an item. */
      readonly state?: JsonValue | undefined;
      readonly faults: readonly Fault[];
    }
  | { readonly kind: 'patch'; readonly patch: Patch }
  /** The values of the body of a custom action. */
  | { readonly kind: 'body'; readonly values: JsonObject }
  | { readonly kind: 'bytes'; readonly sent: SentBytes }
  | { readonly kind: 'files'; readonly files: readonly SentFile[] }
  /** Files whose bytes the client uploads to presigned URLs. */
  | { readonly kind: 'uploads'; readonly uploads: readonly Upload[] };

/** Content of several parts, which also states header fields and what identifies a repeat. */
export interface ContentOfParts extends Pick<Parts, 'headers' | 'identity'> {
  readonly kind: 'parts';
  readonly content: Content;
}

/** The content of a request that needs none. */
export const NO_CONTENT: Content = { kind: 'none' };
