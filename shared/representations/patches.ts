import { JSON_PATCH, MERGE_PATCH } from '../http/fields/media-type.ts';
import { type Problem, type ProblemName, problem } from '../http/problem.ts';
import { applyPatch, mergePatch, type PatchOperation, parsePatch } from '../json/patch.ts';
import { isObject, type JsonValue } from '../json/value.ts';
import { numberOfId } from '../resource/kinds/numbers.ts';

/** A patch document that cannot be read, or cannot be applied. */
interface Refused<Name extends ProblemName> {
  readonly kind: 'refused';
  readonly problem: Problem<Name>;
}

/**
 * A parsed patch document. `names`: the properties that it sets or removes. `apply` changes a document; `ids` are the
 * properties whose values are identifiers. A format of operations finds their indexes: `operationOn` that of the
 * operation that changes a top-level property, also with the whole document, `targets` that of the operation whose path
 * names the property, `divides` that of the operation that changes a part of the property, or that moves or copies it.
 */
export interface Patch {
  readonly names: readonly string[];
  apply(
    document: JsonValue,
    ids: readonly string[],
  ):
    | { readonly kind: 'patched'; readonly value: JsonValue }
    | Refused<'patch-conflict' | 'payload-too-large'>;
  operationOn?(member: string): number | undefined;
  targets?(member: string): number | undefined;
  divides?(member: string): number | undefined;
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
      const members = { ...(operation < 0 ? {} : { operation }), pointer };
      return {
        kind: 'refused',
        problem: problem('malformed-patch', `The patch is malformed: ${fault}. Correct it there`, {
          members,
        }),
      };
    }
    const patch: Patch = {
      names: parsed.operations.flatMap(namesIn),
      apply: (document, ids) => {
        const operations = parsed.operations.map((one) => withNumberOfId(one, ids));
        const result = applyPatch(document, operations);
        if ('value' in result) return { kind: 'patched', value: result.value };
        const { fault, operation, pointer, reason } = result;
        const name = reason === 'too-large' ? 'payload-too-large' : 'patch-conflict';
        const detail = `The patch cannot be applied: ${fault}. Read the item, then adapt the patch`;
        return { kind: 'refused', problem: problem(name, detail, { members: { operation, pointer } }) };
      },
      operationOn: (member) => changing(parsed.operations, (path) => path.length === 0 || path[0] === member),
      targets: (member) => changing(parsed.operations, (path) => path[0] === member),
      divides: (member) => dividing(parsed.operations, member),
    };
    return { kind: 'parsed', patch };
  },
};

/** The properties that an operation sets or removes: of the whole document, those of its value. */
function namesIn(operation: PatchOperation): string[] {
  if (operation.op === 'test') return [];
  const [name] = operation.path;
  const whole = 'value' in operation && isObject(operation.value) ? Object.keys(operation.value) : [];
  const from = operation.op === 'move' ? operation.from.slice(0, 1) : [];
  return [...(name === undefined ? whole : [name]), ...from];
}

/** The index of the first operation that changes something at such a path; undefined if none does. */
function changing(
  operations: readonly PatchOperation[],
  isSuch: (path: readonly string[]) => boolean,
): number | undefined {
  const index = operations.findIndex(
    (one) => one.op !== 'test' && (isSuch(one.path) || (one.op === 'move' && isSuch(one.from))),
  );
  return index < 0 ? undefined : index;
}

/** The index of the first operation that changes a part of a property, or that moves or copies it. */
function dividing(operations: readonly PatchOperation[], member: string): number | undefined {
  const ofMember = (path: readonly string[]) => path[0] === member;
  const moved = operations.findIndex(
    (one) => (one.op === 'move' || one.op === 'copy') && ofMember(one.from) && one.from.length === 1,
  );
  return moved < 0 ? changing(operations, (path) => ofMember(path) && path.length > 1) : moved;
}

/** Reads the decimal text of an identifier as its number. Source: Specification 2.3, D.7. */
function withNumberOfId(operation: PatchOperation, ids: readonly string[]): PatchOperation {
  const { path } = operation;
  if (!('value' in operation) || path.length !== 1 || !ids.includes(path[0] as string)) return operation;
  return { ...operation, value: numberOfId(operation.value) };
}

/** JSON Merge Patch: the patch has the shape of the resource, and null removes. Source: RFC 7396 §2. */
const jsonMergePatch: PatchFormat = {
  mediaTypes: [MERGE_PATCH],
  read: (changes) => ({
    kind: 'parsed',
    patch: {
      names: isObject(changes) ? Object.keys(changes) : [],
      apply: (document) => ({ kind: 'patched', value: mergePatch(document, changes) }),
    },
  }),
};

/** The patch formats. Generated clients take the first one: its body is a typed object. */
export const PATCH_FORMATS: readonly PatchFormat[] = [jsonMergePatch, jsonPatch];
