import { type Problem, type ProblemName, problem } from '../http/problem.ts';
import { mergePatch } from '../json/merge-patch.ts';
import { applyPatch, parsePatch } from '../json/patch.ts';
import { parsePointer } from '../json/pointer.ts';
import type { JsonValue } from '../json/value.ts';
import { JSON_PATCH, MERGE_PATCH } from './patch-types.ts';

/** A patch document that cannot be read, or cannot be applied. */
interface Refused<Name extends ProblemName> {
  readonly kind: 'refused';
  readonly problem: Problem<Name>;
}

/**
 * A parsed patch document. `apply` changes a document. `operationOn` gives the index of the operation that changes
 * a top-level property.
 */
export interface Patch {
  apply(
    document: JsonValue,
  ):
    | { readonly kind: 'patched'; readonly value: JsonValue }
    | Refused<'patch-conflict' | 'payload-too-large'>;
  operationOn(member: string): number | undefined;
}

/** A patch format. `read` takes the JSON value of the content. */
export interface PatchFormat {
  readonly mediaTypes: readonly [string];
  read(value: JsonValue): { readonly kind: 'parsed'; readonly patch: Patch } | Refused<'malformed-patch'>;
}

/** JSON Patch: operations applied in order, all or none. Source: RFC 6902 §3 to §5. */
const jsonPatch: PatchFormat = {
  mediaTypes: [JSON_PATCH],
  read: (value) => {
    const parsed = parsePatch(value);
    if (!('operations' in parsed)) {
      const { fault, operation, pointer } = parsed;
      // A fault of the whole document has no operation.
      const members = {
        ...(operation < 0 ? {} : { operation }),
        ...(pointer === undefined ? {} : { pointer }),
      };
      return { kind: 'refused', problem: problem('malformed-patch', fault, { members }) };
    }
    const patch: Patch = {
      apply: (document) => {
        const result = applyPatch(document, parsed.operations);
        if ('value' in result) return { kind: 'patched', value: result.value };
        const { fault, operation, pointer, reason } = result;
        const name = reason === 'too-large' ? 'payload-too-large' : 'patch-conflict';
        return { kind: 'refused', problem: problem(name, fault, { members: { operation, pointer } }) };
      },
      operationOn: (member) => {
        const index = parsed.operations.findIndex((one) => {
          if (one.op === 'test') return false;
          return touches(one.path, member) || (one.op === 'move' && touches(one.from, member));
        });
        return index < 0 ? undefined : index;
      },
    };
    return { kind: 'parsed', patch };
  },
};

/**
 * Whether a change at a path changes a top-level property: the path begins with it, or it is the path of the whole
 * document.
 */
function touches(path: unknown, member: string): boolean {
  const tokens = typeof path === 'string' ? parsePointer(path) : (path as readonly string[] | undefined);
  return tokens !== undefined && (tokens.length === 0 || tokens[0] === member);
}

/** JSON Merge Patch: the patch has the shape of the resource, and null removes. Source: RFC 7396 §2. */
const jsonMergePatch: PatchFormat = {
  mediaTypes: [MERGE_PATCH],
  read: (changes) => ({
    kind: 'parsed',
    patch: {
      apply: (document) => ({ kind: 'patched', value: mergePatch(document, changes) }),
      operationOn: () => undefined,
    },
  }),
};

export const PATCH_FORMATS: readonly PatchFormat[] = [jsonPatch, jsonMergePatch];
